import type { CacheTags } from '../../database/cache-tags.ts';
import { Slot } from '../../lib/slots.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { Service } from '../services/service.ts';
import type { RequestLayer } from './request-layers.ts';
import { isReading } from './wire-request.ts';

/** The facts about a response to GET by which a feature says how caches outside of the server may keep it. */
export type OutsideFacts = {
  site: Site;
  service: Service;
  response: ServiceResponse;
  /**
   * True if everybody without credentials gets the same response at this address: the request had no credentials, and the service used only the
   * address and stored data.
   */
  isForEverybody: boolean;
  tags: CacheTags;
};

/** The moment at which a response is sent. */
export type SendingMoment = {
  /** Milliseconds for which the response stays the same without any change of the site. */
  lasts: number;
  /** True if it goes to a proxy of the site, as far as the server can see. */
  toProxy: boolean;
};

/** Headers that a response gets when it is sent, also from memory. They replace headers of the same name. */
export type OutsideHeaders = (moment: SendingMoment) => Record<string, string>;

/** The feature that speaks with caches outside. */
export type OutsideCaching = {
  /** Says if the site has headers for caches outside. Called for each response to GET. */
  isOn(site: Site): boolean;
  /** The headers of a response; undefined for none. */
  headersOf(facts: OutsideFacts): Promise<OutsideHeaders | undefined>;
  /** Loads a function that names the keys of the responses that a change of objects and of lists of children may have altered. */
  keys(): Promise<(change: { objects: ReadonlySet<number>; containers: ReadonlySet<number> }) => string[]>;
};

/** Filled by the feature that speaks with caches outside. */
export const OUTSIDE_CACHING = new Slot<OutsideCaching>('caches outside');

/** The headers for caches outside of a response to GET; undefined for none. */
export async function outsideHeadersOf(
  { slots }: Pick<Kernel, 'slots'>,
  facts: OutsideFacts,
): Promise<OutsideHeaders | undefined> {
  const isTold = facts.service.method === 'GET' && isOutsideOn({ slots }, facts.site);
  return isTold ? slots.find(OUTSIDE_CACHING)?.headersOf(facts) : undefined;
}

/** Says if a site has headers for caches outside; false for an unknown site. */
export const isOutsideOn = ({ slots }: Pick<Kernel, 'slots'>, site: Site | undefined): boolean =>
  site !== undefined && slots.find(OUTSIDE_CACHING)?.isOn(site) === true;

/**
 * Milliseconds that the making of a response for caches outside may take. Each change is sent to these caches twice, the second time after a longer
 * wait: a response that was made before the change has reached them by then.
 */
export const MAX_MAKING_MS = 1000;

/** A response with the headers for caches outside. */
export const withOutsideHeaders = (
  response: ServiceResponse,
  outside: OutsideHeaders | undefined,
  moment: SendingMoment,
): ServiceResponse => (outside ? { ...response, headers: { ...response.headers, ...outside(moment) } } : response);

/**
 * Confirms the version before making a response that caches outside may keep. All changes before the request then count as older than the response,
 * also when a replica was read.
 */
export const confirmForOutside =
  (kernel: Kernel): RequestLayer =>
  (perform) =>
  async (work) => {
    if (isReading(work.request) && isOutsideOn(kernel, kernel.sites.last)) await work.cached.confirm();
    return perform(work);
  };

/**
 * Cache-Control of a response that only the client may keep, and must check before each use. Some caches read `no-cache` alone as a
 * permission.
 */
export const FOR_NOBODY_ELSE = 'private, no-cache';

/** Gives a response to a reading request a Cache-Control header: without one, some caches keep errors and redirects for minutes. */
export const withCacheControl = (response: ServiceResponse): ServiceResponse =>
  response.headers?.['Cache-Control'] === undefined
    ? { ...response, headers: { ...response.headers, 'Cache-Control': FOR_NOBODY_ELSE } }
    : response;
