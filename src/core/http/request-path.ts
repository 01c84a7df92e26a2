import { TagCollector } from '../../database/cache-tags.ts';
import { traced } from '../../database/forward.ts';
import { BadRequest, Unauthorized } from '../../lib/errors.ts';
import { logMark } from '../../lib/process/trace.ts';
import { type LookupResult, locate } from '../content/locate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Authentication, authenticate, type RequestWithProof } from '../people/authenticate.ts';
import type { AuthContext } from '../people/login.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { RequestContext, Service } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { aloneReason } from '../services/shared-writes.ts';
import type { SitePreview } from '../services/site-preview.ts';
import type { Arrivals } from './arrivals.ts';
import { runDry } from './dry-run/run-dry.ts';
import { scratchBlobs } from './dry-run/scratch-blobs.ts';
import { wantsDryRun } from './dry-run/wanted.ts';
import { authenticateWithLookup } from './early-lookup.ts';
import { idempotencyKeyOf, KEY_HEADER } from './idempotency/key.ts';
import type { KeyedWrite, KeyedWrites } from './idempotency/keyed-writes.ts';
import { inOneTransaction, MAX_HELD_MS, MAX_SHARED_MS } from './one-transaction.ts';
import { performPart } from './perform-part.ts';
import { requireWellFormed } from './preconditions.ts';
import { previewOf, previewSite, requirePreviewed } from './preview-site.ts';
import { redirectTo, redirectToPresent } from './redirects.ts';
import { type RequestAddress, requestAddress } from './request-address.ts';
import { requestBlobs } from './request-blobs.ts';
import { type CachingParts, RequestCache } from './request-cache.ts';
import { contextOf, receive, requireConditions } from './request-context.ts';
import type { Perform, RequestInWork } from './request-layers.ts';
import { askFor } from './request-part.ts';
import { authorise, dispatch, requireWithinLimits } from './requested-service.ts';
import { readerOf, type SeenSite, seenAt } from './seen-site.ts';
import { header, isReading, parameterOf, type WireRequest } from './wire-request.ts';
import { firstClass, isSearch, type Work } from './work.ts';

/** The means of the work of requests: one for each process. */
export type Workplace = {
  kernel: Kernel;
  auth: AuthContext;
  services: ServiceRegistry;
  keyedWrites: KeyedWrites;
  /** Ways to show the site as it would be, which features bring. */
  previews: readonly SitePreview[];
  /** Sees every response of a service: tests compare them with what is declared. */
  onResponse?: ((service: Service, response: ServiceResponse) => void) | undefined;
};

/** The means of the request path: one for each process. */
export type Server = Workplace &
  CachingParts & {
    work: Work;
    arrivals: Arrivals;
    /** `perform` within its layers. */
    perform: Perform;
  };

/** Milliseconds that the work of a reading request may take, once it has its place. */
const READ_LIMIT_MS = 30_000;

const tooExpensive = (): BadRequest =>
  new BadRequest(
    'This takes too long. Ask for less: fewer results at once (b_size), or a narrower search.',
    'TooExpensive',
  );

/** Handles one request: address, cache, a place, then the work. Throws the errors of `lib/errors.ts`, and the reason of work that ended early. */
export async function handle(server: Server, request: WireRequest, seen: SeenSite): Promise<ServiceResponse> {
  const { kernel } = server;
  const address = traverse(kernel, request);
  seen.serviceName = address.service;
  if (address.collapsed !== undefined) return redirectTo(request, address.base + address.collapsed);
  requireWellFormed(request);
  const cached = new RequestCache(server, request, address);
  const early = (await cached.get()) ?? earlyResponse(server, request, address);
  if (early) {
    if (kernel.sites.last) seen.site = kernel.sites.last;
    Object.assign(seen, cached.found);
    return early;
  }
  const end = request.end();
  const places = await server.work.placesFor(request, address, end);
  try {
    // The health check must report overload, so it is never rejected for overload.
    if (address.service !== '@health') await places.take(firstClass(address, request));
    if (isReading(request)) end.limit(READ_LIMIT_MS, tooExpensive);
    const { db } = kernel;
    const made = new TagCollector();
    return await server.perform({ request, address, cached, places, seen, source: db, db, made });
  } finally {
    end.done();
    places.close();
  }
}

/** Does the work of a request that has a place: caller, object, service, permission, body, and the response of the service. */
export async function perform(workplace: Workplace, work: RequestInWork): Promise<ServiceResponse> {
  const { request, address, places, source, db, seen } = work;
  const blobs = requestBlobs(workplace.kernel.blobs, () => places.waitFor('files'));
  const { trace } = request;
  const kernel: Kernel = { ...workplace.kernel, db, blobs, log: workplace.kernel.log.child(logMark(trace)) };
  const auth = { ...workplace.auth, db: traced(source, trace) };
  const reads = isReading(request) || isSearch(address);
  const credentials = credentialsOf(request, address);
  // A write with a key looks nothing up before it has the key. Reads take what they look up from memory.
  const { authentication, lookup } =
    reads || header(request, KEY_HEADER) !== undefined
      ? { authentication: await authenticate(auth, credentials), lookup: undefined }
      : await authenticateWithLookup({ kernel, auth }, credentials);
  places.identify(authentication.account?.caller.id ?? null);
  const means = { kernel, auth, authentication, lookup };
  const preview = await previewOf(workplace.previews, kernel, request, auth.now);
  if (preview !== undefined) {
    const previewed = { ...means, authentication: { ...authentication, isPreview: true as const } };
    if (preview === null) return respond(workplace, work, previewed);
    return previewSite({ ...means, services: workplace.services }, work, {
      preview,
      respond: (within) => respond(workplace, work, { ...previewed, lookup: undefined, ...within }, 'preview'),
    });
  }
  if (reads) return respond(workplace, work, means);
  // A dry run can be sent again without a key.
  if (wantsDryRun(request)) return respond(workplace, work, means, 'dry');
  const key = idempotencyKeyOf(request, authentication);
  if (key === undefined) return respond(workplace, work, means);
  // The stored response is returned before any lookup: the write itself may have moved or changed the object.
  seen.reader = readerOf(authentication.caller);
  const body = () => {
    places.leave();
    return places.receive(request, {});
  };
  return workplace.keyedWrites.once({ key, request, db, receive: body }, (write) =>
    respond(workplace, work, means, write),
  );
}

/** The means of a request whose caller is known, and the lookup of its path where that has begun. */
type Means = {
  kernel: Kernel;
  auth: AuthContext;
  authentication: Authentication;
  lookup?: Promise<LookupResult> | undefined;
};

/**
 * Looks up the object and the service of a request, and has the service respond. The response of a keyed `write` is kept; a `dry` one
 * is not done. A `preview` reads what will be rolled back.
 */
async function respond(
  workplace: Workplace,
  work: RequestInWork,
  { kernel, auth, authentication, lookup: begun }: Means,
  write?: KeyedWrite | 'dry' | 'preview',
): Promise<ServiceResponse> {
  const { request, address, cached, seen, made } = work;
  const { services } = workplace;
  const lookup = await (begun ?? locate(kernel, address.path));
  const { site, resolved } = lookup;
  Object.assign(seen, seenAt(lookup, authentication, address.base));
  if (!resolved) return redirectToPresent(kernel, request, address, authentication.caller);
  const service = dispatch(services, request.method, address, { site, resolved });
  seen.service = service;
  if (service.cacheable) seen.cache = 'miss';
  const context = contextOf(service, work, { kernel, auth, services, authentication, lookup, resolved });
  requireWithinLimits(service, context);
  await authorise(service, context);
  if (write === 'preview') requirePreviewed(service);
  if (write === 'dry') {
    const { response, report } = await rehearseWrite(service, work, context);
    workplace.onResponse?.(service, response);
    return cached.set(report, { service, site, authentication, made });
  }
  const response = await (write === undefined || write === 'preview'
    ? run(service, work, context)
    : runKeyed(write, service, work, context));
  workplace.onResponse?.(service, response);
  return cached.set(response, { service, site, authentication, made });
}

/** Receives the body of a request and runs its service. */
async function run(service: Service, work: RequestInWork, context: RequestContext): Promise<ServiceResponse> {
  if (service.method !== 'GET') await requireConditions(work, context);
  await receive(service, work, context);
  if (service.together) return inOneTransaction(context, MAX_SHARED_MS, (shared) => runWithin(service, work, shared));
  if (service.asks) return service.run({ ...context, ask: askFor(work, context) });
  return service.run(context);
}

/** Runs a service in a given transaction. */
function runWithin(service: Service, work: RequestInWork, shared: RequestContext): Promise<ServiceResponse> {
  if (!service.together) return service.run(shared);
  return service.run({
    ...shared,
    performPart: (part, { within = shared, ...options } = {}) => performPart(work, within, part, options),
  });
}

/** Receives the body of a write, does the write and undoes it. Its files are removed as well. */
async function rehearseWrite(service: Service, work: RequestInWork, context: RequestContext) {
  const reason = aloneReason(service);
  if (reason !== undefined) throw new BadRequest(`A dry run is not possible here. ${reason}`);
  // The limits for visitors would not count the request, because its record is rolled back as well.
  if (context.caller.id === null) throw new Unauthorized('Log in to try a write with dry_run.');
  const { blobs, close } = scratchBlobs(context.kernel.blobs);
  const dry: RequestContext = { ...context, kernel: { ...context.kernel, blobs }, isRehearsed: true };
  try {
    await receive(service, work, dry);
    return await runDry(dry, async (shared) => {
      await requireConditions(work, shared);
      return runWithin(service, work, shared);
    });
  } finally {
    await close();
  }
}

/** Receives the body of a write with a key, and runs its service in the transaction that stores its response. */
async function runKeyed(
  write: KeyedWrite,
  service: Service,
  work: RequestInWork,
  context: RequestContext,
): Promise<ServiceResponse> {
  const reason = aloneReason(service);
  if (reason !== undefined) throw new BadRequest(`An ${KEY_HEADER} is not possible here. ${reason}`);
  const { db } = context.kernel;
  await receive(service, work, context, (chunk) => write.digest.add(chunk));
  work.seen.onRefusal = (response) => write.keepRefusal(db, response);
  return inOneTransaction(context, service.together ? MAX_SHARED_MS : MAX_HELD_MS, async (shared, tx) => {
    await write.claim(tx);
    await requireConditions(work, shared);
    const response = await runWithin(service, work, shared);
    await write.keep(tx, response);
    return response;
  });
}

/** The parts of a request that may authenticate its caller. */
const credentialsOf = (
  request: WireRequest,
  { path, service }: RequestAddress,
): RequestWithProof & { path: string } => ({
  method: request.method,
  authorization: header(request, 'authorization'),
  cookie: header(request, 'cookie'),
  address: request.clientAddress,
  path,
  service,
  parameter: (name) => parameterOf(request, name),
  header: (name) => header(request, name),
});

/** The response of a service that needs no data of the site, for a client without credentials. */
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
