import type { Readable } from 'node:stream';
import { authenticate } from '../auth/authenticate.ts';
import type { AuthContext } from '../auth/login.ts';
import { isRoot, type LookupResult, locate } from '../content/locate.ts';
import { has, reject } from '../content/permissions.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { MethodNotAllowed, NotFound } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { USE_API } from '../security/permissions.ts';
import { urlOf } from '../serializer/render-context.ts';
import { addressParams } from '../services/address-forms.ts';
import type { Method, RequestContext, Service, ServiceResponse } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { localizedSite } from '../site/localized-site.ts';
import { readerLanguage } from '../site/panels/languages.ts';
import type { Site } from '../site/site.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { findOldAddress } from './find-old-address.ts';
import { readBody } from './read-body.ts';
import { isForm, readForm } from './read-form.ts';
import { readOptions } from './read-options.ts';
import { type RequestAddress, requestAddress } from './request-address.ts';
import { RequestMemory } from './request-memory.ts';
import type { ResponseCache } from './response-cache.ts';

/** A request as it came over the wire. */
export type WireRequest = {
  method: string;
  /** Path and query. */
  target: string;
  /** How and under what host the client asked, as far as that is known: trusted proxies say so. */
  scheme: string;
  host: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
  clientAddress: string;
};

/** What the request path works with: one for each process. */
export type Server = {
  kernel: Kernel;
  auth: AuthContext;
  services: ServiceRegistry;
  cache: ResponseCache;
  /** Sees every response of a service: tests compare them with what is declared. */
  onResponse?: ((service: Service, response: ServiceResponse) => void) | undefined;
};

const header = (request: WireRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const DEFAULT_BODY_LIMIT = 1024 * 1024;
const METHODS = new Set<string>(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);

/** The site that a request was for, once it is known: also when the request is refused later. */
export type SeenSite = { site?: Site };

/** The way of one request: who asks, what for, whether it may, what is to be done, and what is answered. */
export async function handle(server: Server, request: WireRequest, seen: SeenSite): Promise<ServiceResponse> {
  const { kernel, auth } = server;
  const address = traverse(kernel, request);
  if (address.collapsed !== undefined) return redirect(request, address.base + address.collapsed);
  const memory = new RequestMemory(server.cache, request, address);
  const early = (await memory.recall()) ?? earlyResponse(server, request, address);
  if (early) {
    if (kernel.sites.last) seen.site = kernel.sites.last;
    return early;
  }
  const authentication = await authenticate(auth, {
    method: request.method,
    authorization: header(request, 'authorization'),
    cookie: header(request, 'cookie'),
    address: request.clientAddress,
  });
  const lookup = await locate(kernel, address.path);
  seen.site = lookup.site;
  if (!lookup.resolved) return moved(server, request, address, authentication.caller);
  const service = dispatch(server, request.method, address, lookup, lookup.resolved);
  const searchParams = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const call: RequestContext = {
    ...readOptions(searchParams),
    kernel,
    auth,
    authentication,
    db: kernel.db,
    site: siteFor(request, lookup.site),
    caller: authentication.caller,
    base: address.base,
    lookup,
    resolved: lookup.resolved,
    rest: address.rest,
    params: addressParams(service.rest, address.rest),
    query: {},
    searchParams,
    headers: request.headers,
    clientAddress: request.clientAddress,
    body: {},
    services: server.services,
    noCache: () => memory.forgo(),
  };
  await authorise(service, call);
  call.body = await body(service, request);
  const response = await service.run(call);
  server.onResponse?.(service, response);
  return service.cacheable && response.status === 200
    ? memory.keep(response, authentication, lookup.site)
    : spoken(service, response);
}

/** The site as the reader of an answer sees it. What is written is made of the site as it is. */
const siteFor = (request: WireRequest, site: Site): Site =>
  request.method === 'GET' || request.method === 'HEAD'
    ? localizedSite(site, readerLanguage(site, header(request, 'accept-language')))
    : site;

/** JSON that is read has titles in the language of the reader: caches must know. */
const spoken = (service: Service, response: ServiceResponse): ServiceResponse =>
  service.method === 'GET' &&
  response.body !== undefined &&
  !String(response.headers?.Vary ?? '').includes('Accept-Language')
    ? {
        ...response,
        headers: { ...response.headers, Vary: ['Accept-Language', response.headers?.Vary ?? []].flat().join(', ') },
      }
    : response;

/** The answer of a service that needs nothing of the site, to somebody who shows no credentials. */
function earlyResponse(
  { kernel, services }: Server,
  request: WireRequest,
  address: RequestAddress,
): Promise<ServiceResponse> | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  if (address.path !== '/' || header(request, 'authorization') !== undefined || header(request, 'cookie') !== undefined)
    return undefined;
  const service = services.find('GET', address.service, { site: true, folderish: true }, address.rest);
  return service?.answerEarly?.(kernel, address.base);
}

/** What the address of the request means. */
function traverse(kernel: Kernel, request: WireRequest): RequestAddress {
  return requestAddress(request.target, {
    scheme: request.scheme,
    host: request.host,
    publicUrl: kernel.config.publicUrl,
  });
}

/** The service that was asked for. Throws NotFound when nobody has it, MethodNotAllowed when it has other methods. */
function dispatch(
  { services }: Server,
  method: string,
  address: RequestAddress,
  lookup: LookupResult,
  resolved: ResolvedNode,
): Service {
  const context = {
    site: isRoot(resolved.object),
    folderish: lookup.site.types.get(resolved.object.type)?.folderish ?? false,
  };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const service = METHODS.has(wanted)
    ? services.find(wanted as Method, address.service, context, address.rest)
    : undefined;
  if (service) return service;
  const allow = services.methods(address.service, context, address.rest);
  const where = [address.path === '/' ? '' : address.path, address.service, ...address.rest]
    .filter((part, i) => i === 0 || part !== '')
    .join('/');
  if (allow.length === 0) throw new NotFound(where || '/');
  throw new MethodNotAllowed(`${method} is not allowed here.`, allow);
}

/** Throws 401 or 403 unless the caller may use the API here and has what the service asks for. */
async function authorise(service: Service, call: RequestContext): Promise<void> {
  const { site, caller, resolved } = call;
  if (!service.withoutApiPermission && !has(site, caller, resolved, USE_API)) reject(caller);
  const allowed = service.checkPermission
    ? await service.checkPermission(call)
    : service.permission === null || has(site, caller, resolved, service.permission);
  if (!allowed) reject(caller);
}

/** The body, read only now that the caller may send one. */
async function body(service: Service, request: WireRequest): Promise<RequestContext['body']> {
  if (service.method === 'GET') return {};
  const contentType = header(request, 'content-type');
  const contentLength = header(request, 'content-length');
  const contentEncoding = header(request, 'content-encoding');
  const limit = service.bodyLimit ?? DEFAULT_BODY_LIMIT;
  if (contentType !== undefined && isForm(contentType) && service.accepts?.includes('multipart/form-data'))
    return readForm(request.body, { contentType, contentLength, contentEncoding, limit });
  return readBody(request.body, { method: service.method, contentType, contentLength, contentEncoding, limit });
}

/** Nothing is at the path: the way to where it is now (302 for GET, 307 for others), else 404. */
async function moved(
  { kernel }: Server,
  request: WireRequest,
  address: RequestAddress,
  caller: Caller,
): Promise<ServiceResponse> {
  const query = queryOf(request);
  const found = await findOldAddress(kernel, caller, address.path, query);
  const segments = [address.service, ...address.rest].filter(Boolean);
  if (!found) throw new NotFound([address.path, ...segments].join('/').replace(/^\/\//, '/'));
  const service = segments.map((segment) => `/${encodeURIComponent(segment).replace(/%40/g, '@')}`).join('');
  const api = address.api ? '/++api++' : '';
  const url = 'url' in found ? found.url : urlOf(address.base + api, found.path);
  return redirect(request, url + service, found.withQuery ? '' : query);
}

/** The query string of a request with its question mark; empty when there is none. */
function queryOf({ target }: WireRequest): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark);
}

/** Sends the client to another address, with the query that it came with unless another one is given. */
function redirect(request: WireRequest, url: string, query = queryOf(request)): ServiceResponse {
  const more = url.includes('?') && query !== '' ? `&${query.slice(1)}` : query;
  return {
    status: request.method === 'GET' || request.method === 'HEAD' ? 302 : 307,
    headers: { Location: url + more },
  };
}
