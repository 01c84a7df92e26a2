import { createHash } from 'node:crypto';
import type { Footprint } from '../../database/footprint.ts';
import { jsonText } from '../../lib/frozen-json.ts';
import { etagMatches } from '../../lib/http/http-headers.ts';
import { readerLanguage } from '../configuration/panels/languages.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Authentication } from '../people/authenticate.ts';
import { type CredentialHeaders, parseCredentials } from '../people/credentials.ts';
import { isRenderOption, withoutSuffix } from '../serializer/query-parameters.ts';
import type { ServiceResponse } from '../services/service.ts';
import { type OutsideHeaders, withOutsideHeaders } from './outside-caches.ts';
import type { RequestAddress } from './request-address.ts';
import type { CachedResponse, ResponseCache } from './response-cache.ts';
import { header, isReading, parameterOf, type WireRequest } from './wire-request.ts';

/** The entity tag of a response of these bytes. */
const tagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url')}"`;

const bytesOf = ({ bytes, body }: ServiceResponse): Buffer => bytes ?? Buffer.from(jsonText(body));

/** The entity tag that a response to a reading request would have. */
export const entityTagOf = (response: ServiceResponse): string => tagOf(bytesOf(response));

/** A response as bytes, with an ETag and the headers that caches need. `varied` are further headers that authenticate. */
function withETag(response: ServiceResponse, isAnonymous: boolean, varied: readonly string[]): CachedResponse {
  const { status, headers, contentType = 'application/json' } = response;
  const bytes = bytesOf(response);
  return {
    status,
    bytes,
    contentType,
    headers: {
      'Cache-Control': isAnonymous ? 'no-cache' : 'private, no-cache',
      Vary: ['Authorization', 'Cookie', 'Accept-Language', ...varied].join(', '),
      ...headers,
      ETag: tagOf(bytes),
    },
  };
}

/** The response, or 304 without a body when the client has the same already (RFC 9110, 13.1.2). */
function orNotModified(response: ServiceResponse, ifNoneMatch: string | undefined): ServiceResponse {
  const { headers } = response;
  return etagMatches(ifNoneMatch, String(headers?.ETag)) ? { status: 304, headers: headers ?? {} } : response;
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

/** What caches outside are told of a response now; nothing without headers. */
export type Outside = { headers: OutsideHeaders | undefined; lasts: number };

/**
 * A request target with those parameters only that count: `known` ones, also with a suffix of Zope (`:list`), and those of
 * representations.
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

/**
 * The access of one request to the response cache. It is created before anything is loaded for the request. Besides the
 * site, a response depends on the address, the base of its links, the caller and the language.
 */
export class RequestCache {
  readonly #cache: ResponseCache;
  readonly #token: string | undefined;
  /** The key of the request with all of its parameters, and that with those only that count. */
  readonly #wholeKey: string;
  readonly #key: string;
  readonly #uncached: readonly string[];
  readonly #ifNoneMatch: string | undefined;
  readonly #acceptLanguage: string | undefined;
  readonly #toProxy: boolean;
  #generation: number;
  #isCacheable = true;
  #repeatsQuery = false;

  /**
   * Requests with one of the headers `uncached` or of the parameters authenticate in a way that the cache does not know. `known`
   * are the parameters that count, undefined where all do.
   */
  constructor(
    cache: ResponseCache,
    request: WireRequest,
    {
      base,
      uncached,
      parameters,
      known,
      toProxy,
    }: Pick<RequestAddress, 'base'> & {
      uncached: readonly string[];
      parameters: readonly string[];
      known: ReadonlySet<string> | undefined;
      toProxy: boolean;
    },
  ) {
    const { method, target } = request;
    this.#cache = cache;
    this.#generation = cache.generation;
    this.#uncached = uncached;
    this.#toProxy = toProxy;
    this.#token =
      uncached.some((name) => header(request, name) !== undefined) ||
      parameters.some((name) => parameterOf(request, name) !== undefined)
        ? undefined
        : tokenOf({ method, authorization: header(request, 'authorization'), cookie: header(request, 'cookie') });
    // Without this header, users get responses in the language that they have chosen.
    const own = request.headers['accept-language'] === undefined ? 'own' : '';
    const keyOf = (address: string): string => `${this.#token}\n${own}\n${base}\n${address}`;
    this.#wholeKey = keyOf(target);
    this.#key = known === undefined ? this.#wholeKey : keyOf(withKnownParameters(target, known));
    this.#ifNoneMatch = header(request, 'if-none-match');
    this.#acceptLanguage = header(request, 'accept-language');
  }

  /** The cached response, if there is one that is still valid. */
  async get(): Promise<ServiceResponse | undefined> {
    if (this.#token === undefined) return undefined;
    const cached =
      (await this.#cache.get(this.#key, this.#acceptLanguage)) ??
      (this.#wholeKey === this.#key ? undefined : await this.#cache.get(this.#wholeKey, this.#acceptLanguage));
    this.#generation = this.#cache.generation;
    if (!cached) return undefined;
    const { outside, ...response } = cached;
    return this.#sent(response, outside, this.#cache.lasts);
  }

  /** Takes the generation of now for that of the request: before anything is loaded for it, and only then. */
  async look(): Promise<void> {
    this.#generation = await this.#cache.look();
  }

  /** Keeps the response of this request out of the cache, because it depends on more than the cache can know. */
  bypass(): void {
    this.#isCacheable = false;
  }

  /** Says that the response repeats the whole query of the request. */
  useWholeTarget(): void {
    this.#repeatsQuery = true;
  }

  /** Whether the response of this request may be kept. */
  get isKept(): boolean {
    return this.#token !== undefined && this.#isCacheable;
  }

  /** Whether everybody without credentials gets the response of this request. */
  get isForEverybody(): boolean {
    return this.#token === '' && this.#isCacheable;
  }

  /** Milliseconds for which a response with this footprint stays as it is, unless somebody changes something from now on. */
  lastingOf(footprint: Footprint): Promise<number> {
    return this.#cache.lastingOf(this.#generation, footprint);
  }

  /** A response that is not cached, with what caches outside are told. */
  withOutside(response: ServiceResponse, { headers, lasts }: Outside): ServiceResponse {
    return withOutsideHeaders(response, headers, { lasts, toProxy: this.#toProxy });
  }

  #sent(response: ServiceResponse, headers: OutsideHeaders | undefined, lasts: number): ServiceResponse {
    return orNotModified(this.withOutside(response, { headers, lasts }), this.#ifNoneMatch);
  }

  /** Stores a response in the cache if that is possible, and returns the response for this client, which may be a 304. */
  set(
    response: ServiceResponse,
    {
      authentication: { caller, until },
      site,
      footprint,
      outside,
    }: { authentication: Authentication; site: Site; footprint: Footprint; outside: Outside },
  ): ServiceResponse {
    const isAnonymous = caller.id === null;
    const whole = withETag(response, isAnonymous, this.#uncached);
    // Responses to invalid tokens are not cached, because anybody can invent any number of them.
    if (this.isKept && isAnonymous === (this.#token === ''))
      this.#cache.set(
        this.#repeatsQuery ? this.#wholeKey : this.#key,
        { ...whole, outside: outside.headers },
        {
          ...{ generation: this.#generation, footprint },
          acceptLanguage: this.#acceptLanguage,
          languageOf: (acceptLanguage) => readerLanguage(site, acceptLanguage),
          until,
        },
      );
    return this.#sent(whole, outside.headers, outside.lasts);
  }
}
