import type { TagCollector } from '../../database/cache-tags.ts';
import type { Statement } from '../../database/database.ts';
import { etagMatches } from '../../lib/http/http-headers.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { readerLanguage } from '../configuration/panels/languages.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Authentication } from '../people/authenticate.ts';
import { type CredentialHeaders, parseCredentials } from '../people/credentials.ts';
import type { AuthContext } from '../people/login.ts';
import { isRenderOption, withoutSuffix } from '../serializer/query-parameters.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { Service } from '../services/service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { type WholeResponse, withETag } from './entity-tag.ts';
import { MAX_MAKING_MS, type OutsideHeaders, outsideHeadersOf, withOutsideHeaders } from './outside-caches.ts';
import type { RequestAddress } from './request-address.ts';
import { type Reader, readerOf, type SeenSite } from './seen-site.ts';
import { type AskedAddress, type AskedAddresses, askedAddress } from './warm-up/asked-addresses.ts';
import { hasParameter, header, isReading, type WireRequest } from './wire-request.ts';

/** A response in memory, with its headers for caches outside, its reader, and its address if everybody may ask for it. */
type CachedResponse = {
  response: WholeResponse;
  outside?: OutsideHeaders | undefined;
  reader: Reader;
  asked?: AskedAddress | undefined;
};

/** The means to cache responses: one for each process. */
export type CachingParts = {
  kernel: Kernel;
  auth: AuthContext;
  services: ServiceRegistry;
  cache: ResponseCache<CachedResponse>;
  /** Counts what visitors ask for; undefined where nothing is counted. */
  asked?: AskedAddresses | undefined;
  /** Parameters of the query whose requests get no cached response: they authenticate, or ask for the site as it would be. */
  uncachedParameters: readonly string[];
  /**
   * Gets the statements that keep the response of a cacheable service out of the cache, because they read tables whose changes no trigger notes.
   * Tests fail for such statements.
   */
  onUnwatched?: ((service: Service, statements: readonly Statement[]) => Promise<void>) | undefined;
};

/** How a response was made. */
type Making = { service: Service; site: Site; authentication: Authentication; made: TagCollector };

/** The headers of a response for caches outside, and the milliseconds for which it lasts. */
type Outside = { headers: OutsideHeaders | undefined; lasts: number };

/** The response, or 304 without a body when the client has the same already (RFC 9110, 13.1.2). */
function orNotModified(response: ServiceResponse, ifNoneMatch: string | undefined): ServiceResponse {
  if (!etagMatches(ifNoneMatch, String(response.headers?.ETag))) return response;
  // It would be the length of a body that is not sent.
  const { 'Content-Length': length, ...headers } = response.headers ?? {};
  return { status: 304, headers };
}

/**
 * The session token of a reading request, empty without credentials. Undefined for requests whose responses are not
 * cached: those that may write, and those with a password, because passwords must not become keys of the cache.
 */
function tokenOf({ method, authorization, cookie }: CredentialHeaders): string | undefined {
  if (!isReading({ method })) return undefined;
  if (authorization === undefined && cookie === undefined) return '';
  const credentials = parseCredentials({ method, authorization, cookie });
  if (credentials?.kind === 'basic') return undefined;
  return credentials?.token ?? '';
}

/**
 * A request target with only the parameters that count: `known` parameters, also with a suffix of Zope (`:list`), and parameters of representations.
 */
function withKnownParameters(target: string, known: ReadonlySet<string>): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target;
  const counts = (parameter: string): boolean => {
    const [name = ''] = new URLSearchParams(parameter).keys();
    const plain = withoutSuffix(name);
    return known.has(name) || known.has(plain) || isRenderOption(plain);
  };
  const query = target
    .slice(mark + 1)
    .split('&')
    .filter(counts)
    .join('&');
  return query === '' ? target.slice(0, mark) : `${target.slice(0, mark)}?${query}`;
}

/** The response of a preview: caches must not store it, browsers must not send its address on, and search engines must not list it. */
const cachedNowhere = (response: ServiceResponse): ServiceResponse => ({
  ...response,
  headers: {
    ...response.headers,
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  },
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

/**
 * The access of one request to the response cache. It is created before anything is loaded for the request. Besides the
 * site, a response depends on the address, the base of its links, the caller and the language.
 */
export class RequestCache {
  readonly #parts: CachingParts;
  /** Undefined for requests with a kind of authentication that the cache does not support. */
  readonly #token: string | undefined;
  /** The key of the request with all of its parameters, and the key with only the parameters that count. */
  readonly #wholeKey: string;
  readonly #key: string;
  /** The request target with the parameters of `#key`. */
  readonly #target: string;
  readonly #base: string;
  readonly #ifNoneMatch: string | undefined;
  readonly #acceptLanguage: string | undefined;
  /** True when responses go to a proxy of the site, as far as the server can see. */
  readonly #toProxy: boolean;
  #version: number;
  #isCacheable = true;
  #repeatsQuery = false;
  /** The facts about a response that `get` has found. */
  found: Pick<SeenSite, 'cache' | 'reader'> = {};

  constructor(parts: CachingParts, request: WireRequest, { base, service }: RequestAddress) {
    const { auth, cache, services, kernel } = parts;
    const { method, target } = request;
    const headerOf = (name: string): string | undefined => header(request, name);
    const caching = services.cachingOf(service);
    const variant = caching?.variant ? caching.variant(headerOf) : '';
    this.#parts = parts;
    this.#version = cache.version;
    this.#toProxy = request.fromTrustedProxy || kernel.config.trustProxy === undefined;
    this.#token =
      variant === undefined ||
      auth.authenticatingHeaders.some((name) => headerOf(name) !== undefined) ||
      hasParameter(request, parts.uncachedParameters)
        ? undefined
        : tokenOf({ method, authorization: headerOf('authorization'), cookie: headerOf('cookie') });
    // Without this header, users get responses in the language that they have chosen.
    const own = request.headers['accept-language'] === undefined ? 'own' : '';
    const keyOf = (address: string): string => `${this.#token}\n${own}\n${variant}\n${base}\n${address}`;
    const known = isReading(request) ? caching?.parameters : undefined;
    this.#wholeKey = keyOf(target);
    this.#target = known === undefined ? target : withKnownParameters(target, known);
    this.#key = this.#target === target ? this.#wholeKey : keyOf(this.#target);
    this.#base = base;
    this.#ifNoneMatch = headerOf('if-none-match');
    this.#acceptLanguage = headerOf('accept-language');
  }

  /** The cached response, if there is one that is still valid. */
  async get(): Promise<ServiceResponse | undefined> {
    if (this.#token === undefined) return undefined;
    const { cache } = this.#parts;
    const cached =
      (await cache.get(this.#key, this.#acceptLanguage)) ??
      (this.#wholeKey === this.#key ? undefined : await cache.get(this.#wholeKey, this.#acceptLanguage));
    this.#version = cache.version;
    if (!cached) return undefined;
    const { response, outside, reader, asked } = cached;
    cache.counts.hits += 1;
    if (asked) this.#parts.asked?.count(asked);
    this.found = { cache: 'hit', reader };
    return this.#sent(response, { headers: outside, lasts: cache.lasts });
  }

  /** Makes the present version that of the request. Call it only before anything is loaded for the request. */
  async confirm(): Promise<void> {
    this.#version = await this.#parts.cache.confirm();
  }

  /** Keeps the response of this request out of the cache, because it depends on more than the key and the tags of the cache. */
  bypass(): void {
    this.#isCacheable = false;
  }

  /** Says that the response repeats the whole query of the request. */
  useWholeTarget(): void {
    this.#repeatsQuery = true;
  }

  /**
   * The response for this client, which may be a 304, with the headers for caches. It is cached here when its service allows that and
   * triggers note the changes of everything that it is made of.
   */
  async set(response: ServiceResponse, making: Making): Promise<ServiceResponse> {
    const { service, site, authentication, made } = making;
    if (authentication.isPreview) return cachedNowhere(response);
    if (service.cacheable && made.unwatched.length > 0 && this.#isCached) {
      this.bypass();
      await this.#parts.onUnwatched?.(service, made.unwatched);
    }
    const outside = await this.#outsideOf(response, making);
    if (!service.cacheable || response.status !== 200 || response.stream)
      return this.#withOutside(withLanguageVary(service, response), outside);
    if (this.#token !== undefined) this.#parts.cache.counts.misses += 1;
    const isAnonymous = authentication.caller.id === null;
    const whole = withETag(response, isAnonymous, this.#parts.auth.authenticatingHeaders);
    // Responses to invalid tokens are not cached, because anybody can invent any number of them.
    if (this.#parts.cache.isOn && this.#isCached && isAnonymous === (this.#token === '')) {
      // The warm-up asks for one variant only, without the headers of browsers.
      const asked = isAnonymous && service.variant === undefined ? this.#askedOf(site) : undefined;
      if (asked) this.#parts.asked?.count(asked);
      this.#store(
        { response: whole, outside: outside.headers, reader: readerOf(authentication.caller), asked },
        making,
      );
    }
    return this.#sent(whole, outside);
  }

  /** True when the response of this request may be cached. */
  get #isCached(): boolean {
    return this.#token !== undefined && this.#isCacheable;
  }

  #store(cached: CachedResponse, { site, authentication: { until }, made: { tags } }: Making): void {
    this.#parts.cache.set(this.#repeatsQuery ? this.#wholeKey : this.#key, cached, {
      version: this.#version,
      tags,
      acceptLanguage: this.#acceptLanguage,
      languageOf: (acceptLanguage) => readerLanguage(site, acceptLanguage),
      until,
    });
  }

  /** The address of this request in the counts of what visitors ask for. */
  #askedOf(site: Site): AskedAddress | undefined {
    const language = this.#acceptLanguage === undefined ? null : readerLanguage(site, this.#acceptLanguage);
    return askedAddress(this.#base, this.#target, language);
  }

  /** The message to caches outside about a response. A response that took too long to make lasts 0 milliseconds. */
  async #outsideOf(response: ServiceResponse, { service, site, authentication, made }: Making): Promise<Outside> {
    const { tags } = made;
    const isForEverybody = this.#token === '' && this.#isCacheable && authentication.caller.id === null;
    const headers = await outsideHeadersOf(this.#parts.kernel, { site, service, response, tags, isForEverybody });
    const lasts = headers && isForEverybody ? await this.#parts.cache.lastingOf(this.#version, tags) : 0;
    return { headers, lasts: performance.now() - made.begun > MAX_MAKING_MS ? 0 : lasts };
  }

  #withOutside(response: ServiceResponse, { headers, lasts }: Outside): ServiceResponse {
    return withOutsideHeaders(response, headers, { lasts, toProxy: this.#toProxy });
  }

  #sent(response: ServiceResponse, outside: Outside): ServiceResponse {
    return orNotModified(this.#withOutside(response, outside), this.#ifNoneMatch);
  }
}
