import type { Readable } from 'node:stream';
import type { TSchema } from 'typebox';
import type { AuthContext } from '../auth/auth-context.ts';
import type { Authentication } from '../auth/authenticate.ts';
import type { LookupResult } from '../content/locate.ts';
import type { JsonObject } from '../lib/json-object.ts';
import type { RenderContext } from '../serializer/render-context.ts';
import type { Kernel } from '../site/kernel.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { ServiceRegistry } from './service-registry.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One request to one service, everything about it understood and permitted. */
export type RequestContext = RenderContext & {
  auth: AuthContext;
  authentication: Authentication;
  lookup: LookupResult;
  resolved: ResolvedNode;
  /** Segments of the address behind the service's name. */
  rest: string[];
  /** The query string as it was sent, for services whose parameters are open. */
  searchParams: URLSearchParams;
  /** Request headers, names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON body, checked against the service's schema; an empty object when none was sent. */
  body: JsonObject;
  /** Network address of the client. */
  clientAddress: string;
  /** All services of the site. */
  services: ServiceRegistry;
};

/** What a service answers: JSON as `body`, or text, bytes or a stream with its media type. */
export type ServiceResponse = {
  status: number;
  headers?: Record<string, string | number>;
  body?: unknown;
  text?: string;
  bytes?: Buffer;
  stream?: Readable;
  /** Media type of the answer; `application/json` for `body`. */
  contentType?: string;
};

/** A header that a service reads or sends, for its description. Text unless `schema` says otherwise. */
export type HeaderDescription = { description: string; schema?: TSchema };

/** An answer of the service, for its description. */
export type ResponseDescription = {
  description: string;
  schema?: TSchema;
  contentType?: string;
  headers?: Record<string, HeaderDescription>;
};

/**
 * An endpoint, declared: dispatch, validation, permission checks, OpenAPI and tests all come from these objects.
 */
export type Service = {
  /** Empty for the content itself, else such as `@search`, `@@images`, `ics_view`. */
  name: string;
  method: Method;
  /** Where it can be called: on everything, on containers, or on the site root only. */
  context: 'content' | 'folderish' | 'site';
  /** Permission that the caller needs on the object; null for none. */
  permission: string | null;
  /** Replaces the check of `permission`. Answers whether the call is allowed. */
  checkPermission?(context: RequestContext): boolean | Promise<boolean>;
  /** Callers need not have the permission to use the API (`@login`). */
  withoutApiPermission?: true;
  /** One line for people. */
  summary: string;
  /** The group that its description stands in: its folder. The name without `@` unless given. */
  tag?: string;
  /** Request headers that it reads, beyond those that every request may have. */
  headers?: Record<string, HeaderDescription>;
  /**
   * What may follow the name in the address, in OpenAPI's form (`{field}/{scale}`), from the shortest to the longest. Parts
   * without braces are taken as they are, and go before open ones of other services: `types/{type}` before `{panel}/{item}`.
   */
  rest?: string[];
  query?: TSchema;
  body?: TSchema;
  /** Largest body in bytes; 1 MiB unless given. */
  bodyLimit?: number;
  /**
   * Its answers are made of nothing but the address, the caller and what is stored, so that they may be given again until
   * that changes. It reads no headers, but for the language of `site`; what depends on the time says so (`RenderContext.noCache`).
   */
  cacheable?: true;
  /** Media types of bodies that it takes beside JSON: the texts of a form's parts are the members of `body`. */
  accepts?: 'multipart/form-data'[];
  responses: Record<number, ResponseDescription>;
  /**
   * Answers a GET of the site root's service by somebody without credentials before anything is read: for what must
   * have an answer while the database has none. Only for services without a permission.
   */
  answerEarly?(kernel: Kernel, base: string): Promise<ServiceResponse>;
  run(context: RequestContext): Promise<ServiceResponse>;
};

/** Declares a service. It does nothing but to check the declaration against its type. */
export const defineService = (service: Service): Service => service;

/** 200 with JSON. */
export const ok = (body: unknown): ServiceResponse => ({ status: 200, body });
/** 204: done, nothing to say. */
export const noContent = (): ServiceResponse => ({ status: 204 });
