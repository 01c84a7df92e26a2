import type { Database, Statement } from '../../database/database.ts';
import { FootprintCollector } from '../../database/footprint.ts';
import { BadRequest, ClientError, Forbidden, MethodNotAllowed, NotFound } from '../../lib/errors.ts';
import type { KeptRows } from '../cache/kept-rows.ts';
import { UNWATCHED_TABLES } from '../cache/unwatched-tables.ts';
import { readerLanguage } from '../configuration/panels/languages.ts';
import { localizedSite } from '../configuration/site/localized-site.ts';
import type { Site } from '../configuration/site/site.ts';
import { isRoot, type LookupResult, locate } from '../content/locate.ts';
import { has, reject, securityNode } from '../content/permissions.ts';
import { isAtOrBelow } from '../content/tree-path.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Authentication, authenticate } from '../people/authenticate.ts';
import type { AuthContext } from '../people/login.ts';
import type { Caller } from '../security/caller.ts';
import { can } from '../security/can.ts';
import { USE_API, VIEW } from '../security/permissions.ts';
import { parseRenderOptions } from '../serializer/query-parameters.ts';
import { urlOf } from '../serializer/render-context.ts';
import { addressParams } from '../services/address-forms.ts';
import type { Method, RequestContext, Service, ServiceResponse } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { Arrivals } from './arrivals.ts';
import { isOutsideOn, MAX_MAKING_MS, OUTSIDE_CACHING, type OutsideFacts } from './outside-caches.ts';
import { isConditional, requirePreconditions, requireWellFormed } from './preconditions.ts';
import { redirectTo, redirectToPresent } from './redirects.ts';
import { type ReadPlaces, readAnywhere } from './replica-reads.ts';
import { type RequestAddress, requestAddress } from './request-address.ts';
import { requestBlobs } from './request-blobs.ts';
import { requestBody } from './request-body.ts';
import { entityTagOf, type Outside, RequestCache } from './request-cache.ts';
import { requestDatabase } from './request-database.ts';
import type { ResponseCache } from './response-cache.ts';
import { header, isReading, parameterOf, type WireRequest } from './wire-request.ts';
import { firstClass, isSearch, serviceClass, type Work, type WorkPlaces } from './work.ts';

/** What the request path works with: one for each process. */
export type Server = {
  kernel: Kernel;
  auth: AuthContext;
  services: ServiceRegistry;
  cache: ResponseCache;
  rows: KeptRows;
  work: Work;
  /** Where reading requests may be answered beside the primary; undefined where there are no replicas. */
  places?: ReadPlaces | undefined;
  arrivals: Arrivals;
  /** Sees every response of a service: tests compare them with what is declared. */
  onResponse?: ((service: Service, response: ServiceResponse) => void) | undefined;
  /**
   * Sees the statements that keep the response of a service which says that it is cacheable from being kept, because they name
   * tables whose changes nothing notes: tests fail where they read them.
   */
  onUnwatched?: ((service: Service, statements: readonly Statement[]) => Promise<void>) | undefined;
};

/** Milliseconds that the work of a reading request may take, once it has its place. */
const READ_LIMIT_MS = 30_000;

const tooExpensive = (): BadRequest =>
  new BadRequest(
    'This takes too long. Ask for less: fewer results at once (b_size), or a narrower search.',
    'TooExpensive',
  );

const METHODS = new Set<string>(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * What is known of a request, set as soon as it is: errors have the language of the site and headers of the service, and name
 * where they happened.
 */
export type SeenSite = {
  site?: Site;
  /** The language that the caller has chosen; null for none. */
  language?: string | null;
  service?: Service;
  /** The address of the nearest content at or above the requested path that the caller may view; null for none. */
  nearest?: () => string | null;
};

/**
 * Handles one request: address, cache, a place, then the work. Throws the errors of `lib/errors.ts`, and the reason why the
 * work was broken off.
 */
export async function handle(server: Server, request: WireRequest, seen: SeenSite): Promise<ServiceResponse> {
  const { kernel } = server;
  const address = traverse(kernel, request);
  if (address.collapsed !== undefined) return redirectTo(request, address.base + address.collapsed);
  requireWellFormed(request);
  const cached = new RequestCache(server.cache, request, {
    base: address.base,
    uncached: server.auth.authenticatingHeaders,
    parameters: server.auth.authenticatingParameters,
    known: isReading(request) ? server.services.knownParameters(address.service) : undefined,
    toProxy: request.fromTrustedProxy || kernel.config.trustProxy === undefined,
  });
  const early = (await cached.get()) ?? earlyResponse(server, request, address);
  if (early) {
    if (kernel.sites.last) seen.site = kernel.sites.last;
    return early;
  }
  const end = request.end();
  const places = await server.work.placesFor(request, address, end.signal);
  try {
    // The health check must report that there is too much to do, so that it is never rejected.
    if (address.service !== '@health') await places.take(firstClass(address, request));
    if (isReading(request)) end.limit(READ_LIMIT_MS, tooExpensive);
    // What caches outside are told of a response begins with what has changed before, wherever it is read.
    if (isReading(request) && isOutsideOn(kernel, kernel.sites.last)) await cached.look();
    const work = (db: Database) => perform(server, request, { address, cached, places, seen, db });
    return await (server.places ? readAnywhere(server.places, { request, address }, work) : work(kernel.db));
  } finally {
    end.done();
    places.close();
  }
}

/** What is known of a request when its work begins. */
type Begun = { address: RequestAddress; cached: RequestCache; places: WorkPlaces; seen: SeenSite; db: Database };

/** Does the work of a request that has a place: caller, object, service, permission, body, and the response of the service. */
async function perform(
  server: Server,
  request: WireRequest,
  { address, cached, places, seen, db: source }: Begun,
): Promise<ServiceResponse> {
  const auth = source === server.kernel.db ? server.auth : { ...server.auth, db: source };
  const begun = performance.now();
  const isRead = isReading(request) || isSearch(address);
  const made = new FootprintCollector();
  const signal = isRead ? request.end().signal : undefined;
  const db = requestDatabase(source, {
    arrivals: server.arrivals,
    clientAddress: request.clientAddress,
    signal,
    seen: made,
    // What a replica has is not what the last look at the primary has found.
    rows: isRead && source === server.kernel.db ? server.rows.forRequest() : undefined,
    unwatched: server.kernel.slots.get(UNWATCHED_TABLES),
  });
  const blobs = requestBlobs(server.kernel.blobs, () => places.waitFor('files'));
  const kernel: Kernel = { ...server.kernel, db, blobs };
  const authentication = await authenticate(auth, {
    method: request.method,
    authorization: header(request, 'authorization'),
    cookie: header(request, 'cookie'),
    address: request.clientAddress,
    ...{ path: address.path, service: address.service },
    parameter: (name) => parameterOf(request, name),
    header: (name) => header(request, name),
  });
  places.identify(authentication.account?.caller.id ?? null);
  const lookup = await locate(kernel, address.path);
  seen.site = lookup.site;
  seen.language = authentication.account?.language ?? null;
  seen.nearest = () => nearestOf(lookup, authentication.caller, address.base);
  if (!lookup.resolved) return redirectToPresent(kernel, request, address, authentication.caller);
  const service = dispatch(server, request.method, address, lookup, lookup.resolved);
  seen.service = service;
  const searchParams = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const call: RequestContext = {
    ...parseRenderOptions(searchParams),
    kernel,
    auth,
    authentication,
    db: kernel.db,
    // Requests that write work with the site as it is stored.
    site: isReading(request) ? siteOfReader(lookup.site, request, authentication) : lookup.site,
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
    clientGone: () => request.end().signal,
    body: {},
    stream: request.body,
    services: server.services,
    noCache: () => cached.bypass(),
    repeatsQuery: () => cached.useWholeTarget(),
  };
  requireWithinLimits(service, call);
  await authorise(service, call);
  if (service.method !== 'GET') {
    if (isConditional(request)) {
      const etag = () => currentTag(server, address, lookup.site, call);
      await requirePreconditions(request, { etag, modified: call.resolved.object.modified });
    }
    // While a body is received, however slowly, others may have the place.
    places.leave();
    const body = places.receive(request, service.streams !== undefined);
    call.stream = body;
    call.body = await requestBody(service, { ...request, body }, call);
    // Whoever reads the body while it works keeps the place of one that receives.
    if (service.streams === undefined) await places.take(serviceClass(service, address));
  } else if (service.waitsFor) await places.waitFor(service.waitsFor);
  const response = await service.run(call);
  server.onResponse?.(service, response);
  if (authentication.isPreview) return keptNowhere(response);
  const { footprint, unwatched } = made;
  if (service.cacheable && unwatched.length > 0 && cached.isKept) {
    cached.bypass();
    await server.onUnwatched?.(service, unwatched);
  }
  const isForEverybody = cached.isForEverybody && authentication.caller.id === null;
  const facts = { site: lookup.site, service, response, footprint, isForEverybody };
  const outside = await outsideOf(server, facts, { cached, begun });
  return service.cacheable && response.status === 200
    ? cached.set(response, { authentication, site: lookup.site, footprint, outside })
    : cached.withOutside(withLanguageVary(service, response), outside);
}

/** What caches outside are told of a response. What took too long to make is not for them this time. */
async function outsideOf(
  { kernel }: Server,
  facts: OutsideFacts,
  { cached, begun }: { cached: RequestCache; begun: number },
): Promise<Outside> {
  const caching = kernel.slots.find(OUTSIDE_CACHING);
  if (!caching || facts.service.method !== 'GET' || !isOutsideOn(kernel, facts.site))
    return { headers: undefined, lasts: 0 };
  const headers = await caching.headersOf(facts);
  const lasts = headers && facts.isForEverybody ? await cached.lastingOf(facts.footprint) : 0;
  return { headers, lasts: performance.now() - begun > MAX_MAKING_MS ? 0 : lasts };
}

/** The response of a preview: nobody keeps it or passes its address on, and search engines do not list it. */
const keptNowhere = (response: ServiceResponse): ServiceResponse => ({
  ...response,
  headers: {
    ...response.headers,
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  },
});

/** The entity tag that GET of the same address has for the caller; undefined when there is none, or nothing to read. */
async function currentTag(
  { services }: Server,
  address: RequestAddress,
  site: Site,
  call: RequestContext,
): Promise<string | undefined> {
  const { resolved } = call;
  const service = services.find('GET', address.service, placeOf(site, resolved), address.rest);
  if (!service?.cacheable) return undefined;
  const reading = {
    ...call,
    site: siteOfReader(site, call, call.authentication),
    params: addressParams(service.rest, address.rest),
  };
  try {
    await authorise(service, reading);
    const response = await service.run(reading);
    return response.status === 200 ? entityTagOf(response) : undefined;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

function nearestOf({ site, nodes }: LookupResult, caller: Caller, base: string): string | null {
  const chain = nodes.map((node) => securityNode(site, node));
  const at = nodes.findIndex((_node, i) => can(VIEW, caller, chain.slice(i), site.roleMap));
  const nearest = nodes[at];
  return nearest ? urlOf(base, nearest.path) : null;
}

/** The site with titles in the language of the reader. */
const siteOfReader = (site: Site, request: Pick<WireRequest, 'headers'>, { account }: Authentication): Site =>
  localizedSite(site, readerLanguage(site, header(request, 'accept-language'), account?.language));

/** What decides on the services that content has. */
const placeOf = (site: Site, { object }: ResolvedNode): { site: boolean; folderish: boolean } => ({
  site: isRoot(object),
  folderish: site.types.get(object.type)?.folderish ?? false,
});

/** Adds `Vary: Accept-Language` to JSON responses of GET: their titles are in the language of the reader. */
const withLanguageVary = (service: Service, response: ServiceResponse): ServiceResponse =>
  service.method === 'GET' &&
  response.body !== undefined &&
  !String(response.headers?.Vary ?? '').includes('Accept-Language')
    ? {
        ...response,
        headers: { ...response.headers, Vary: ['Accept-Language', response.headers?.Vary ?? []].flat().join(', ') },
      }
    : response;

/** The response of a service that needs nothing of the site, for a client without credentials. */
function earlyResponse(
  { kernel, services }: Server,
  request: WireRequest,
  address: RequestAddress,
): Promise<ServiceResponse> | undefined {
  if (!isReading(request)) return undefined;
  if (address.path !== '/' || header(request, 'authorization') !== undefined || header(request, 'cookie') !== undefined)
    return undefined;
  const service = services.find('GET', address.service, { site: true, folderish: true }, address.rest);
  return service?.answerEarly?.(kernel, address.base);
}

/** The parts of the address of a request. */
function traverse(kernel: Kernel, request: WireRequest): RequestAddress {
  return requestAddress(request.target, {
    scheme: request.scheme,
    host: request.host,
    publicUrl: kernel.config.publicUrl,
    trusted: request.fromTrustedProxy,
  });
}

/** The requested service. Throws NotFound when there is none, MethodNotAllowed when it has other methods only. */
function dispatch(
  { services }: Server,
  method: string,
  address: RequestAddress,
  lookup: LookupResult,
  resolved: ResolvedNode,
): Service {
  const context = placeOf(lookup.site, resolved);
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

/** Throws Forbidden when the credentials of the request are not good for the service or for its address. */
function requireWithinLimits(service: Service, { authentication, resolved }: RequestContext): void {
  const { limits, inPerson } = authentication;
  if (service.inPerson && !inPerson)
    throw new Forbidden('This takes somebody who has logged in: a token that was given to a program is not enough.');
  if (limits?.methods && !limits.methods.includes(service.method))
    throw new Forbidden(`The token is not good for ${service.method}: only for ${limits.methods.join(', ')}.`);
  if (limits?.services && !limits.services.includes(service.name))
    throw new Forbidden(`The token is good for ${limits.services.join(', ')} only.`);
  if (limits?.paths && !limits.paths.some((path) => isAtOrBelow(resolved.object.path, path)))
    throw new Forbidden('The token is not good for this address: it was made for other parts of the site.');
}

/** Throws Unauthorized or Forbidden unless the caller may use the API here and has the permission of the service. */
async function authorise(service: Service, call: RequestContext): Promise<void> {
  const { site, caller, resolved } = call;
  if (!service.withoutApiPermission && !has(site, caller, resolved, USE_API)) reject(caller);
  const allowed = service.checkPermission
    ? await service.checkPermission(call)
    : service.permission === null || has(site, caller, resolved, service.permission);
  if (!allowed) reject(caller);
}
