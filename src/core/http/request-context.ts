import { ClientError } from '../../lib/errors.ts';
import { readerLanguage } from '../configuration/panels/languages.ts';
import { localizedSite } from '../configuration/site/localized-site.ts';
import type { Site } from '../configuration/site/site.ts';
import type { LookupResult } from '../content/locate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Authentication } from '../people/authenticate.ts';
import type { AuthContext } from '../people/login.ts';
import { parseRenderOptions } from '../serializer/query-parameters.ts';
import { addressParams } from '../services/address-forms.ts';
import type { RequestContext, Service } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { entityTagOf } from './entity-tag.ts';
import { isConditional, requirePreconditions } from './preconditions.ts';
import type { RequestAddress } from './request-address.ts';
import { requestBody } from './request-body.ts';
import type { PartInWork, RequestInWork } from './request-layers.ts';
import { authorise, placeOf } from './requested-service.ts';
import { header, isReading, type WireRequest } from './wire-request.ts';
import { serviceClass } from './work.ts';

/** The site with titles in the language of the reader. */
const siteOfReader = (site: Site, request: Pick<WireRequest, 'headers'>, { account }: Authentication): Site =>
  localizedSite(site, readerLanguage(site, header(request, 'accept-language'), account?.language));

/** The subject of the request, and the means of its service. */
type Found = {
  kernel: Kernel;
  auth: AuthContext;
  services: ServiceRegistry;
  authentication: Authentication;
  lookup: LookupResult;
  resolved: ResolvedNode;
};

/** The context of a request for its service, with an empty body. */
export function contextOf(
  service: Service,
  { request, address, cached, made }: PartInWork,
  found: Found,
): RequestContext {
  const { kernel, auth, services, authentication, lookup, resolved } = found;
  const searchParams = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const { expand, expandOptions, metadataFields } = parseRenderOptions(searchParams);
  // Without spreads, which make such a large object several times as slow to make and to copy.
  return {
    expand,
    expandOptions,
    metadataFields,
    kernel,
    auth,
    services,
    authentication,
    lookup,
    resolved,
    db: kernel.db,
    // Requests that write work with the site as it is stored.
    site: isReading(request) ? siteOfReader(lookup.site, request, authentication) : lookup.site,
    caller: authentication.caller,
    base: address.base,
    rest: address.rest,
    params: addressParams(service.rest, address.rest),
    query: {},
    searchParams,
    headers: request.headers,
    clientAddress: request.clientAddress,
    trace: request.trace,
    clientGone: () => request.end().signal,
    body: {},
    stream: request.body,
    noCache: () => cached.bypass(),
    madeOf: made && ((tags) => made.add(tags)),
    repeatsQuery: () => cached.useWholeTarget(),
  };
}

/** Throws PreconditionFailed unless the conditions of a request that writes are met. */
export async function requireConditions(
  { request, address }: Pick<PartInWork, 'request' | 'address'>,
  context: RequestContext,
): Promise<void> {
  if (!isConditional(request)) return;
  const etag = () => currentTag(address, context);
  await requirePreconditions(request, { etag, modified: context.resolved.object.modified });
}

/**
 * Receives the body of a request that writes into the context, and waits for the place that its service takes. `observe` gets each piece of the body.
 */
export async function receive(
  service: Service,
  { request, address, places }: RequestInWork,
  context: RequestContext,
  observe?: (chunk: Buffer) => void,
): Promise<void> {
  if (service.method === 'GET') {
    if (service.waitsFor) await places.waitFor(service.waitsFor);
    return;
  }
  // While a body is received, other requests may have the place.
  places.leave();
  const body = places.receive(request, { canGoOn: service.streams !== undefined, observe });
  context.stream = body;
  context.body = await requestBody(service, { ...request, body }, context);
  // A service that reads the body while it works keeps its place for receiving.
  if (service.streams === undefined) await places.take(serviceClass(service, address));
}

/** The entity tag that GET of the same address has for the caller; undefined where GET has no tag or no response. */
async function currentTag(address: RequestAddress, context: RequestContext): Promise<string | undefined> {
  const { lookup, resolved, services } = context;
  const service = services.find('GET', address.service, placeOf(lookup.site, resolved), address.rest);
  if (!service?.cacheable) return undefined;
  const reading = {
    ...context,
    site: siteOfReader(lookup.site, context, context.authentication),
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
