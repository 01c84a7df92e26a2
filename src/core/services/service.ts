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
 * One request to one service, parsed and permitted. In the `run` of the service, `params`, `query` and `body` are checked and have the types of its
 * schemas; elsewhere they are the values as sent.
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
  rest: readonly string[];
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
  /** Marks the work for the request in the log and for other systems. */
  trace: Trace;
  /** Returns a signal that aborts when the client disconnects before it has the whole response, for work that should stop then. */
  clientGone: () => AbortSignal;
  /** All services of the site. */
  services: ServiceRegistry;
  /** True for `?dry_run=1`: what the service does is undone. It may report what stops the write instead of rejecting it. */
  isRehearsed?: true;
  /** Does another request in the transaction and in the name of this request, for services with `together`. */
  performPart?: PerformPart;
  /** Sends a request to the site with the credentials of this request, for services with `asks`. Errors are responses as well. */
  ask?: (part: RequestPart) => Promise<ServiceResponse>;
};

/**
 * Does a request that is a part of another one. `within` is the context of the other request unless given, such as for a dry run inside of it, or for
 * another caller. `admit` may reject the request by an error, after its object and its service are found and before any work. With `passesLocks` the
 * lock of an editor on the object does not count, for work that is rolled back.
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
  /** The content that has the service: all, containers, or the site root only. */
  context: 'content' | 'folderish' | 'site';
  /**
   * The service replaces another service of its method and name on purpose: by its more specific `context`, or by a literal part of its address that
   * is open in the other service. Without this declaration such a service stops the start.
   */
  overrides?: true;
  /** Permission that the caller needs on the object; null for none. */
  permission: string | null;
  /** Replaces the check of `permission`. Returns whether the call is allowed. Nothing of the request is checked yet. */
  checkPermission?(context: RequestContext): boolean | Promise<boolean>;
  /** Callers do not need the permission to use the API (`@login`). */
  withoutApiPermission?: true;
  /** Only for people who have logged in, not for credentials that a person gave to a program (`Authentication.inPerson`). */
  inPerson?: true;
  /** The other service that its `run` waits for, without a place for reading or writing meanwhile. */
  waitsFor?: OutsideWork;
  /**
   * The reason why a write cannot be a part of another transaction, as a sentence for its client: it works outside of the database, or its response
   * has a secret that must not be stored. Such a write does not take `Idempotency-Key` or `dry_run`. Writes with `streams` or `waitsFor` do not need
   * a reason.
   */
  alone?: string;
  /**
   * Its work is one transaction, with the requests that it makes by `performPart`. With `alone` it makes none, so that it may be a part of another
   * request.
   */
  together?: true | 'alone';
  /**
   * Its work is requests that it sends by `ask`, each with a place, a transaction and a response of its own; the service holds no place meanwhile.
   * Only at the root of the site, and never a part of another request.
   */
  asks?: true;
  /**
   * The scope that the token of an agent needs. By default, reading services and searches need `read`, and the token of an agent is not valid for any
   * other service.
   */
  scope?: AgentScope;
  /** One line for people. */
  summary: string;
  /** The group that its description stands in: its folder. The name without `@` unless given. */
  tag?: string;
  /** Request headers that it reads, beyond the headers that every request may have. */
  headers?: Record<string, HeaderDescription>;
  /** Largest body in bytes; 1 MiB unless given. */
  bodyLimit?: number;
  /** Maximum number of values in its JSON at all depths; the bound of its caller (`core/http/request-body.ts`) unless this is less. */
  maxValues?: number;
  /**
   * Its responses, JSON or bytes, depend only on the address, the caller and stored data, so they may be cached until these change. It reads no
   * headers but those of `variant`; `site` has the language. A part that depends on the time calls `RenderContext.noCache`. Streams are not cached.
   */
  cacheable?: true;
  /**
   * For a cacheable service that reads headers: returns a short text that is the same for all requests that get the same response, and one of few
   * texts; undefined for a request whose response is not cached. All services of the name have the same function.
   */
  variant?(header: (name: string) => string | undefined): string | undefined;
  /**
   * Of the parameters, its responses depend only on those of `query` and of representations (`expand…`, `metadata_fields`), so that a request with
   * other parameters, such as those of newsletters, also gets a cached response. A service whose response repeats the whole query calls
   * `RenderContext.repeatsQuery`.
   */
  ignoresOtherParameters?: true;
  /** The type of the error for a request that does not fit the schemas, also for what they `reject`; `BadRequest` unless given. */
  errorType?: string;
  /** Media types of bodies that it takes beside JSON; the texts of a form become the members of `body`. */
  accepts?: 'multipart/form-data'[];
  /**
   * Makes the body from a received form. With this function, files in bodies are put into the blob store as they come: the bytes of files in forms,
   * and of large files in JSON (`{"<field>": {"data": "<base64>"}}`), are `ReceivedBytes`.
   */
  fromForm?(context: RequestContext, form: JsonObject): JsonObject | Promise<JsonObject>;
  /**
   * A form with files that it takes beside JSON, for callers with few rights. `before` may reject the form by an error before any of it is received.
   * Its files are put into the blob store as they come, several files of one name as a list; `bodyOf` makes the body from the form.
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
  /** Headers of the response to OPTIONS at its address, which then has the status 204. */
  options?(site: Site): Record<string, string>;
  /** Headers that pages of other origins need for this service, beside the headers that the site allows. */
  crossOrigin?: { requestHeaders: readonly string[]; responseHeaders: readonly string[] };
  /**
   * Returns the response to a GET of the site root's service without credentials before anything is loaded, for responses that must be served while
   * the database is away. Only for services without a permission.
   */
  answerEarly?(kernel: Kernel, base: string): Promise<ServiceResponse>;
};

/**
 * A registered endpoint. Dispatch, permission checks, OpenAPI and tests use these objects. `run` checks the request against the schemas before it
 * does anything.
 */
export type Service = ServiceDescription & {
  rest?: readonly string[];
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  responses: ResponseDescriptions;
  run(context: RequestContext): Promise<ServiceResponse>;
};

/** The values of a schema. An object without declared members, or an open object, has members of any name. */
export type ValueOf<Schema extends TSchema> = Schema extends Open
  ? StaticDecode<Schema> & JsonObject
  : StaticDecode<Schema> extends infer Value extends object
    ? keyof Value extends never
      ? JsonObject
      : Value
    : JsonObject;

/** The parts of the address: texts by the forms of `rest`, except where the schema declares another type. */
export type ParamsOf<Form extends string, Params extends TSchema> = Omit<
  AddressParams<Form>,
  keyof StaticDecode<Params>
> &
  StaticDecode<Params>;

/**
 * The declaration of an endpoint. Schemas are typebox's; `core/services/schemas.ts` has shared ones. Input that does not fit gets 400 with each
 * field. The keyword `message` of a schema has the text for the field (a text, or texts by the keyword that failed: `required`, `maxLength` …,
 * `other`); the text of the keyword `reject` becomes the message of the whole response.
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
  /** The schemas of the open parts of `rest` that are not plain texts or need a description. */
  params?: Params;
  /** The parameters of the query string; others are allowed and left out. Values are converted as `parameterParser` says. */
  query?: Query;
  /** The JSON body. Nothing is converted. Members that the schema does not name are rejected, unless the schema is open. */
  body?: Body;
  /**
   * Checks conditions that a schema cannot express, such as that a name exists on the site. It gets the members that have passed the schemas, also
   * when other members are wrong, so that one response has all problems.
   */
  check?(
    context: RequestContext,
    given: { params: Partial<ParamsOf<Form, Params>>; query: Partial<ValueOf<Query>>; body: Partial<ValueOf<Body>> },
  ): FieldProblem[] | Promise<FieldProblem[]>;
  /** Its responses by status: with a schema for JSON, with a media type for text and bytes, with neither for a response without a body. */
  responses: Responses;
  /** Does the work. The result has the type of the schema of its status. */
  run: (
    context: RequestContext<ParamsOf<Form, Params>, ValueOf<Query>, ValueOf<Body>>,
  ) => Promise<ResultOf<NoInfer<Responses>>>;
};

/** The members of a declaration that define valid requests. */
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
