import type { CredentialHeaders } from './credentials.ts';

/** Data of a request that an authenticator gets: never its body. */
export type ProofRequest = CredentialHeaders & {
  /** Network address of the client. */
  address: string;
  /** The path of the content that is asked for, and the name of the service; empty for content itself. */
  path: string;
  service: string;
  /** The value of a parameter of the query, among those that `parameters` of the way lists. */
  parameter(name: string): string | undefined;
  /** The value of another header, whose name is in lower case; those that `headers` of the way does not list are absent. */
  header(name: string): string | undefined;
};

/**
 * Kinds of work that an agent may do in the name of its user: read, hand in proposals that people decide on, and write what visitors do not
 * see.
 */
export const AGENT_SCOPES = ['read', 'propose', 'write'] as const;
/** One kind of work that an agent may do. */
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** Limits of credentials that have fewer rights than their user. Absent members limit nothing. */
export type AccessLimits = {
  /** The kinds of work that an agent may do: services of other scopes are refused, see `scope` of services. */
  scopes?: readonly AgentScope[] | undefined;
  /** HTTP methods; GET includes HEAD. */
  methods?: readonly string[] | undefined;
  /** Names of services, such as `@search`; empty for content itself. */
  services?: readonly string[] | undefined;
  /** Paths at and below which the rights of the user count; requests to other addresses are refused. */
  paths?: readonly string[] | undefined;
};

/** The caller that credentials belong to. */
export type Proof = {
  /** The id of the user. Nobody is logged in where there is no such user, or where the user is disabled. */
  user: string;
  limits?: AccessLimits;
  /**
   * The agent that acts in the name of the user, by its name: the audit log has it beside the user. Unless it `publishes`, its writes
   * change nothing that visitors see.
   */
  agent?: { name: string; publishes: boolean };
  /**
   * The credentials are no login: nobody is logged in, and what is at the path, with `subtree` also below it, can be viewed as far as
   * the user may view it. Nothing else of the user's rights counts, and responses are kept nowhere.
   */
  shows?: { path: string; subtree: boolean };
  /**
   * True if a person has logged in, as after a password; false for credentials that were given to a program. Those cannot make
   * further credentials or change passwords.
   */
  inPerson: boolean;
  /** The time after which responses to these credentials are not sent from memory, at most their expiry. */
  until?: Date | undefined;
};

/**
 * A way to authenticate beside passwords and session tokens, which a feature brings. It is called for every request, in the
 * order of the features and before the ways of the core.
 */
export type Authenticator = {
  name: string;
  /**
   * Names of headers that it reads beside `Authorization` and `Cookie`, in lower case. Responses to requests that have one of
   * them are not kept in memory.
   */
  headers?: readonly string[];
  /** Names of parameters of the query that it reads, of plain letters. Responses to requests with one of them are not kept either. */
  parameters?: readonly string[];
  /**
   * Returns the user of the request's credentials; null when credentials of this kind are wrong, and the request is then anonymous;
   * undefined for a request without credentials of this kind. This last case must cost next to nothing.
   * @throws TooManyRequests when credentials are being guessed. Other errors are faults of the server.
   */
  authenticate(request: ProofRequest): Promise<Proof | null | undefined>;
};
