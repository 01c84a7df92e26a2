import type { Authentication } from '../auth/authenticate.ts';
import { type CredentialHeaders, readCredentials } from '../auth/credentials.ts';
import type { ServiceResponse } from '../services/service.ts';
import { readerLanguage } from '../site/panels/languages.ts';
import type { Site } from '../site/site.ts';
import { tagged, unlessKnown } from './conditional.ts';
import type { RequestAddress } from './request-address.ts';
import type { WireRequest } from './request-path.ts';
import type { ResponseCache } from './response-cache.ts';

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/**
 * The session token of a reading request, empty for nobody's. Undefined for what is not kept: answers to requests that
 * may write, and to passwords, which stay out of the memory.
 */
function tokenOf({ method, authorization, cookie }: CredentialHeaders): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (authorization === undefined && cookie === undefined) return '';
  const credentials = readCredentials({ method, authorization, cookie });
  if (credentials?.kind === 'basic') return undefined;
  return credentials?.token ?? '';
}

/**
 * What one request takes from the memory of answers and leaves there. Make it before anything is read for the request. An
 * answer depends, beside the site, on the address with the base of all its links, on who asks, and in which language.
 */
export class RequestMemory {
  readonly #cache: ResponseCache;
  readonly #token: string | undefined;
  readonly #key: string;
  readonly #ifNoneMatch: string | undefined;
  readonly #acceptLanguage: string | undefined;
  #generation: number;
  #isLasting = true;

  constructor(cache: ResponseCache, { method, target, headers }: WireRequest, { base }: RequestAddress) {
    this.#cache = cache;
    this.#generation = cache.generation;
    this.#token = tokenOf({ method, authorization: one(headers.authorization), cookie: one(headers.cookie) });
    this.#key = `${this.#token}\n${base}\n${target}`;
    this.#ifNoneMatch = one(headers['if-none-match']);
    this.#acceptLanguage = one(headers['accept-language']);
  }

  /** The answer, if it is known and right at this moment. */
  async recall(): Promise<ServiceResponse | undefined> {
    if (this.#token === undefined) return undefined;
    const kept = await this.#cache.find(this.#key, this.#acceptLanguage);
    this.#generation = this.#cache.generation;
    return kept && unlessKnown(kept, this.#ifNoneMatch);
  }

  /** The answer depends on more than the memory can know of. */
  forgo(): void {
    this.#isLasting = false;
  }

  /** Keeps an answer for the next one who asks the same, and makes of it what this client has asked for. */
  keep(response: ServiceResponse, { caller, token }: Authentication, site: Site): ServiceResponse {
    const isAnonymous = caller.id === null;
    const whole = tagged(response, isAnonymous);
    // What somebody with a worthless token is answered is not kept: anybody can make up any number of them.
    if (this.#token !== undefined && this.#isLasting && isAnonymous === (this.#token === ''))
      this.#cache.keep(this.#key, whole, {
        generation: this.#generation,
        acceptLanguage: this.#acceptLanguage,
        languageOf: (acceptLanguage) => readerLanguage(site, acceptLanguage),
        until: token?.exp ? token.exp * 1000 : Number.POSITIVE_INFINITY,
      });
    return unlessKnown(whole, this.#ifNoneMatch);
  }
}
