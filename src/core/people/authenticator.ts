import type { CredentialHeaders } from './credentials.ts';

/** Data of a request that an authenticator gets: never its body. */
export type ProofRequest = CredentialHeaders & {
  /** Network address of the client. */
  address: string;
  /** The path of the requested content, and the name of the service; empty for content itself. */
  path: string;
  service: string;
  /** The value of a parameter of the query that `parameters` of the authenticator lists. */
  parameter(name: string): string | undefined;
  /** The value of another header, whose name is in lower case; absent unless `headers` of the authenticator lists it. */
  header(name: string): string | undefined;
};

/**
 * Kinds of work that an agent may do in the name of its user: read, hand in proposals that people decide on, and write content that visitors do not
 * see.
 */
export const AGENT_SCOPES = ['read', 'propose', 'write'] as const;
/** One kind of work that an agent may do. */
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** Limits of credentials that have fewer rights than their user. Absent members limit nothing. */
export type AccessLimits = {
  /** The kinds of work that an agent may do: services of other scopes are rejected, see `scope` of services. */
  scopes?: readonly AgentScope[] | undefined;
  /** HTTP methods; GET includes HEAD. */
  methods?: readonly string[] | undefined;
  /** Names of services, such as `@search`; empty for content itself. */
  services?: readonly string[] | undefined;
  /** Paths at and below which the rights of the user count; requests to other addresses are rejected. */
  paths?: readonly string[] | undefined;
};

/** The caller of valid credentials. */
export type Proof = {
  /** The id of the user. Nobody is logged in if the user does not exist or is disabled. */
  user: string;
  limits?: AccessLimits;
  /**
   * The agent that acts in the name of the user; the audit log has its name beside the user. Unless it `publishes`, its writes must not change
   * anything that visitors see.
   */
  agent?: { name: string; publishes: boolean };
  /**
   * The credentials are no login: nobody is logged in, and the object at the path, with `subtree` also content below it, can be viewed if the user
   * may view it. No other right of the user counts, and responses are not cached.
   */
  shows?: { path: string; subtree: boolean };
  /**
   * True if a person has logged in, as after a password; false for credentials that were given to a program. Such credentials cannot make further
   * credentials or change passwords.
   */
  inPerson: boolean;
  /** The time after which responses to these credentials are not sent from memory, at most their expiry. */
  until?: Date | undefined;
};

/**
 * A way of a feature to authenticate, beside passwords and session tokens. It is called for every request, in the order of the features and before
 * the ways of the core.
 */
export type Authenticator = {
  name: string;
  /** Names of headers that it reads beside `Authorization` and `Cookie`, in lower case. Responses to requests with such a header are not cached. */
  headers?: readonly string[];
  /** Names of parameters of the query that it reads, of plain letters. Responses to requests with such a parameter are not cached. */
  parameters?: readonly string[];
  /**
   * Returns the user of the request's credentials; null for wrong credentials of this kind, which make the request anonymous; undefined for a request
   * without credentials of this kind, which must cost almost no time.
   * @throws TooManyRequests when credentials are being guessed. Other errors are faults of the server.
   */
  authenticate(request: ProofRequest): Promise<Proof | null | undefined>;
};
