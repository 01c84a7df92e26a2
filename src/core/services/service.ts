import type { Readable } from 'node:stream';
import type { StaticDecode, TObject, TSchema } from 'typebox';
import { type FieldProblem, NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Trace } from '../../lib/process/trace.ts';
import type { Site } from '../configuration/site/site.ts';
import type { LookupResult } from '../content/locate.ts';
import { childPath } from '../content/tree-path.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Authentication } from '../people/authenticate.ts';
import type { AgentScope } from '../people/authenticator.ts';
import type { AuthContext } from '../people/login.ts';
import type { RenderContext } from '../serializer/render-context.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { AddressParams } from './address-forms.ts';
import { RequestCheck } from './check-request.ts';
import type { HeaderDescription, ResponseDescriptions, ResultOf, ServiceResponse } from './response.ts';
import type { Open } from './schemas.ts';
import type { ServiceRegistry } from './service-registry.ts';

/** The methods that services can have. HEAD works wherever GET does. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Another service that requests wait for: the object store, a provider of logins, the language model. */
export type OutsideWork = 'files' | 'provider' | 'model';

/**
 * One request to one service, everything about it understood and permitted. `params`, `query` and `body` have the types of
 * the service's schemas in its `run`, where they are checked; elsewhere they are what was sent.
 */
export type RequestContext<
  Params extends object = Readonly<JsonObject>,
  Query extends object = Readonly<JsonObject>,
  Body extends object = JsonObject,
> = RenderContext & {
  auth: AuthContext;
  authentication: Authentication;
  lookup: LookupResult;
  resolved: ResolvedNode;
  /** Segments of the address behind the service's name. */
  rest: string[];
  /** The open parts of the address by their names in `rest` of the service. */
  params: Params;
  /** The parameters that the service's schema names; empty without a schema. */
  query: Query;
  /** The query string as it was sent, for services whose parameters are open. */
  searchParams: URLSearchParams;
  /** Request headers, names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON body; an empty object when none was sent. */
  body: Body;
  /** The body as it comes, for services that read it by themselves (`streams`). */
  stream: Readable;
  /** Network address of the client. */
  clientAddress: string;
  /** Marks what is done for the request, in the log and for other systems. */
  trace: Trace;
  /** Ends when the client goes away before it has the whole response: for work that is worth stopping then. */
  clientGone: () => AbortSignal;
  /** All services of the site. */
  services: ServiceRegistry;
  /** Does a request in the transaction and in the name of this one, for services that are done `together`. */
  performPart?: PerformPart;
  /** Sends a request to the site with the credentials of this one, for services that have it declared by `asks`. Errors are responses as well. */
  ask?: (part: RequestPart) => Promise<ServiceResponse>;
};

/**
 * Does a request that is a part of another one. `within` is the context of that one unless given: one of a rehearsal in it, or one with
 * another caller. `admit` may throw to refuse it, once its object and its service are known and nothing is done. With `passesLocks` a lock of
 * its object by somebody who edits it does not count: for what is rolled back.
 */
type PerformPart = (
  part: RequestPart,
  options?: {
    within?: RequestContext;
    admit?(service: Service, context: RequestContext): void | Promise<void>;
    passesLocks?: boolean;
  },
) => Promise<ServiceResponse>;

/** A request that is a part of another one. The names of headers are in lower case. */
export type RequestPart = {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: JsonObject;
};

/** Declaration of a service without the parts that depend on its schemas. */
type ServiceDescription = {
  /** Empty for the content itself, else such as `@search`, `@@images`, `ics_view`. */
  name: string;
  method: Method;
  /** The content that has it: all, containers, or the site root only. */
  context: 'content' | 'folderish' | 'site';
  /**
   * It goes before another service of its method and name on purpose: by its more particular `context`, or by a part of its address
   * that the other one leaves open. Without it such a service stops the start.
   */
  overrides?: true;
  /** Permission that the caller needs on the object; null for none. */
  permission: string | null;
  /** Replaces the check of `permission`. Returns whether the call is allowed. Nothing of the request is checked yet. */
  checkPermission?(context: RequestContext): boolean | Promise<boolean>;
  /** Callers need not have the permission to use the API (`@login`). */
  withoutApiPermission?: true;
  /** Only for people who have logged in: not for credentials that a program got from one (`Authentication.inPerson`). */
  inPerson?: true;
  /** The other service that its `run` waits for: it holds none of the places for reading or writing meanwhile. */
  waitsFor?: OutsideWork;
  /**
   * Why a write cannot be a part of a transaction that is not its own, as a sentence for its client: it works outside of the database, or
   * its response has a secret that must not be kept. Such a write takes neither `Idempotency-Key` nor `dry_run`. Writes with `streams`
   * or `waitsFor` need not say it.
   */
  alone?: string;
  /** Its work is one transaction, with the requests that it makes by `performPart`. */
  together?: true;
  /**
   * Its work is requests that it makes by `ask`, each with a place, a transaction and a response of its own: it holds no place meanwhile. Only
   * at the root of the site, and never a part of another request.
   */
  asks?: true;
  /**
   * The scope that the token of an agent needs. Without it, reading services and searches need `read`, and no token of an agent is good for
   * any other service.
   */
  scope?: AgentScope;
  /** One line for people. */
  summary: string;
  /** The group that its description stands in: its folder. The name without `@` unless given. */
  tag?: string;
  /** Request headers that it reads, beyond those that every request may have. */
  headers?: Record<string, HeaderDescription>;
  /** Largest body in bytes; 1 MiB unless given. */
  bodyLimit?: number;
  /** Maximum number of values in its JSON at all depths; the bound of its caller (`core/http/request-body.ts`) unless this is less. */
  maxValues?: number;
  /**
   * Its responses are made of nothing but the address, the caller and what is stored, so that they may be sent again until
   * that changes: JSON, or bytes. It reads no headers; `site` has the language. A part that depends on the time says so (`RenderContext.noCache`).
   */
  cacheable?: true;
  /**
   * Of the parameters, its responses are made of nothing but those of `query` and of representations (`expand…`,
   * `metadata_fields`), so that a request with others, such as those of newsletters, gets a response that is cached already. A
   * response that repeats the whole query says so (`RenderContext.repeatsQuery`).
   */
  ignoresOtherParameters?: true;
  /** The type of the error for a request that does not fit the schemas, also for what they `reject`; `BadRequest` unless given. */
  errorType?: string;
  /** Media types of bodies that it takes beside JSON: the texts of a form's parts are the members of `body`. */
  accepts?: 'multipart/form-data'[];
  /**
   * Files in bodies are put into the blob store as they come: the bytes of those in forms, and of large ones in JSON
   * (`{"<field>": {"data": "<base64>"}}`), are `ReceivedBytes` then. It makes the body of a form that has been received so.
   */
  fromForm?(context: RequestContext, form: JsonObject): JsonObject | Promise<JsonObject>;
  /**
   * A form with files that it takes beside JSON, for those who may not do much else. `before` throws what refuses it while
   * nothing of it is received. Its files are put into the blob store as they come, several of one name as a list; `bodyOf` makes
   * the body of it.
   */
  form?: {
    before(context: RequestContext): Promise<void>;
    maxFileBytes(site: Site): number;
    bodyOf(form: JsonObject): JsonObject;
  };
  /** Media type of a body that is not parsed: `run` reads it from `stream`. */
  streams?: string;
  /** Headers of each of its responses, of errors as well. */
  always?: Readonly<Record<string, string>>;
  /** Headers of the response to OPTIONS at its address, which has the status 204 then. */
  options?(site: Site): Record<string, string>;
  /** Headers that pages of other origins need beside those that the site allows, where they may call it. */
  crossOrigin?: { requestHeaders: readonly string[]; responseHeaders: readonly string[] };
  /**
   * Returns the response to a GET of the site root's service by somebody without credentials before anything is loaded: for
   * what must be served while the database is away. Only for services without a permission.
   */
  answerEarly?(kernel: Kernel, base: string): Promise<ServiceResponse>;
};

/**
 * An endpoint as it is registered: dispatch, permission checks, OpenAPI and tests all come from these objects. `run` checks
 * the request against the schemas before it does anything.
 */
export type Service = ServiceDescription & {
  rest?: readonly string[];
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  responses: ResponseDescriptions;
  run(context: RequestContext): Promise<ServiceResponse>;
};

/** The values of a schema. An object without declared members, or one that is open, has members of any name. */
export type ValueOf<Schema extends TSchema> = Schema extends Open
  ? StaticDecode<Schema> & JsonObject
  : StaticDecode<Schema> extends infer Value extends object
    ? keyof Value extends never
      ? JsonObject
      : Value
    : JsonObject;

/** The parts of the address: texts by the forms of `rest`, except where the schema says more. */
export type ParamsOf<Form extends string, Params extends TSchema> = Omit<
  AddressParams<Form>,
  keyof StaticDecode<Params>
> &
  StaticDecode<Params>;

/**
 * An endpoint, declared. Schemas are typebox's; `core/services/schemas.ts` has those that many services share. What does not
 * fit gets 400 with each field, in the words of the keyword `message` (a text, or texts by the keyword that failed: `required`,
 * `maxLength` …, `other`) where a schema has one; the keyword `reject` makes its text the message of the whole response.
 */
export type ServiceDeclaration<
  Form extends string,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Responses extends ResponseDescriptions,
> = ServiceDescription & {
  /**
   * Forms of the segments behind the name in the address, as in OpenAPI (`{field}/{scale}`), from the shortest to the longest.
   * Parts without braces match literally, and go before open parts of other services: `types/{type}` before `{panel}/{item}`.
   */
  rest?: readonly Form[];
  /** The open parts of `rest`, where they are more than texts or need a description. */
  params?: Params;
  /** The parameters of the query string; others are allowed and left out. Values are converted as `parameterParser` says. */
  query?: Query;
  /** The JSON body. Nothing is converted. Members that the schema does not name are refused, unless it is open. */
  body?: Body;
  /**
   * Checks conditions that a schema cannot express, such as that a name exists on the site. It gets the members that have passed
   * the schemas, also when others are wrong, so that one response has all problems.
   */
  check?(
    context: RequestContext,
    given: { params: Partial<ParamsOf<Form, Params>>; query: Partial<ValueOf<Query>>; body: Partial<ValueOf<Body>> },
  ): FieldProblem[] | Promise<FieldProblem[]>;
  /** Its responses by status: a schema for JSON, a media type for text and bytes, neither for a response without a body. */
  responses: Responses;
  /** Does the work. What it returns has the type of the schema of its status. */
  run: (
    context: RequestContext<ParamsOf<Form, Params>, ValueOf<Query>, ValueOf<Body>>,
  ) => Promise<ResultOf<NoInfer<Responses>>>;
};

/** The members of a declaration that say which requests fit. */
export type RequestDeclaration<
  Form extends string,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> = Pick<
  ServiceDeclaration<Form, Params, Query, Body, ResponseDescriptions>,
  'params' | 'query' | 'body' | 'check' | 'errorType'
>;

/** A service with the type of its results, for other services that return the same. */
type DeclaredService<Responses extends ResponseDescriptions> = {
  run(context: RequestContext): Promise<ResultOf<Responses>>;
} & Service;

/**
 * Declares a service. Its `run` gets `params`, `query` and `body` with the types of the schemas, converted, with defaults
 * and checked. The checks are compiled once for the object, at its first request.
 */
export function defineService<
  const Form extends string = never,
  Params extends TSchema = TObject<Record<never, never>>,
  Query extends TSchema = TObject<Record<never, never>>,
  Body extends TSchema = TObject<Record<never, never>>,
  Responses extends ResponseDescriptions = ResponseDescriptions,
>(declaration: ServiceDeclaration<Form, Params, Query, Body, Responses>): DeclaredService<Responses> {
  const request = new RequestCheck<Form, Params, Query, Body>(declaration);
  return { ...declaration, run: async (context) => declaration.run(await request.check(context)) };
}

/** For `checkPermission` of services that everybody who is logged in may call. */
export const isLoggedIn = ({ caller }: Pick<RequestContext, 'caller'>): boolean => caller.id !== null;

/** Returns the error of a service for an unknown name behind its own name in the address of content. */
export const notFoundHere = (
  { resolved, rest }: Pick<RequestContext, 'resolved' | 'rest'>,
  service: string,
): NotFound => new NotFound(childPath(resolved.object.path, [service, ...rest].join('/')));
