import { LRUCache } from 'lru-cache';
import type { ServiceResponse } from '../services/service.ts';
import type { ChangeWatch } from '../storage/change-watch.ts';
import { type Footprint, isTouched } from '../storage/footprint.ts';
import { FootprintIndex } from './footprint-index.ts';
import type { OutsideHeaders } from './outside-caches.ts';

/** A whole response in memory, with what caches outside are told when it is sent. */
export type CachedResponse = ServiceResponse & { bytes: Buffer; outside?: OutsideHeaders | undefined };

/** The language of responses of the site, by the header `Accept-Language` of the request. */
export type LanguageOf = (acceptLanguage: string | undefined) => string;

/** What decides on how long a response may be kept. */
type Circumstances = {
  generation: number;
  until: number;
  acceptLanguage: string | undefined;
  languageOf: LanguageOf;
  footprint: Footprint;
};

type Entry = { response: CachedResponse; size: number; until: number; footprint: Footprint };

const keyIn = (language: string, request: string): string => `${language}\n${request}`;

/** Estimated size of an entry in bytes, without its response and its key. */
const ENTRY_OVERHEAD = 1000;
/** Estimated bytes that each object or container of a footprint takes. */
const FOOTPRINT_BYTES = 150;
/** The share of the capacity that one response may take. */
const MAX_SHARE = 1 / 8;

/**
 * Responses to reading requests, valid as long as nothing has changed in the site that they are made of: a client gets the
 * same from here as from the database at the time of its request. Keys contain everything that a response depends on,
 * including the caller. The least recently used responses are removed first (docs/decisions/0006-response-cache.md).
 */
export class ResponseCache {
  readonly #changes: ChangeWatch;
  readonly #capacity: number;
  readonly #entries: LRUCache<string, Entry>;
  readonly #made = new FootprintIndex();
  #generation = -1;
  #languageOf: LanguageOf | undefined;

  /** `capacity` in bytes; 0 switches the cache off. */
  constructor(changes: ChangeWatch, capacity: number) {
    this.#changes = changes;
    this.#capacity = capacity;
    // The library takes no bound of 0: `set` lets nothing in then.
    this.#entries = new LRUCache({
      maxSize: Math.max(1, capacity),
      sizeCalculation: ({ size }) => size,
      dispose: ({ footprint }, key) => this.#made.remove(key, footprint),
    });
  }

  /** The current generation of the site. Take it before anything is loaded for the response. */
  get generation(): number {
    return this.#changes.generation;
  }

  /** The generation of now. */
  look(): Promise<number> {
    return this.#changes.current();
  }

  /**
   * Milliseconds for which a response of a generation stays as it is, unless somebody changes something from now on: 0 when
   * something of its footprint has changed already. Looks for changes.
   */
  async lastingOf(generation: number, footprint: Footprint): Promise<number> {
    const now = await this.#changes.current();
    if (generation !== now && isTouched(footprint, this.#changes.changesSince(generation))) return 0;
    return this.#changes.lasts;
  }

  /** The same for a response that `get` has returned. */
  get lasts(): number {
    return this.#changes.lasts;
  }

  /**
   * The valid response under a key for a reader; undefined otherwise. Runs a statement only when there is an entry. The
   * language comes from the settings of the cached generation: when they change, all its responses are removed.
   */
  async get(request: string, acceptLanguage: string | undefined): Promise<CachedResponse | undefined> {
    if (!this.#entries.has(this.#keyFor(request, acceptLanguage))) return undefined;
    this.#follow(await this.#changes.current());
    // In the meantime another request may have stored responses of a site with other languages.
    const key = this.#keyFor(request, acceptLanguage);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > Date.now()) return entry.response;
    this.#entries.delete(key);
    return undefined;
  }

  /**
   * Stores a response of a generation, unless something of its footprint has changed since or the response is too large. `until`
   * is the time in milliseconds since 1970 at which the token of the caller expires; `languageOf` belongs to the site of the response.
   */
  set(
    request: string,
    response: CachedResponse,
    { generation, until, acceptLanguage, languageOf, footprint }: Circumstances,
  ): void {
    const key = keyIn(languageOf(acceptLanguage), request);
    const made = footprint === undefined ? 0 : footprint.objects.size + footprint.containers.size;
    const size = response.bytes.length + 2 * key.length + ENTRY_OVERHEAD + made * FOOTPRINT_BYTES;
    if (size > this.#capacity * MAX_SHARE) return;
    if (generation !== this.#changes.generation && isTouched(footprint, this.#changes.changesSince(generation))) return;
    this.#follow(this.#changes.generation);
    this.#languageOf = languageOf;
    this.#entries.set(key, { response, size, until, footprint });
    // A response that is too large for what is left is not taken.
    if (this.#entries.has(key)) this.#made.add(key, footprint);
  }

  #keyFor(request: string, acceptLanguage: string | undefined): string {
    return keyIn(this.#languageOf?.(acceptLanguage) ?? '', request);
  }

  #follow(generation: number): void {
    if (generation === this.#generation) return;
    const change = this.#changes.changesSince(this.#generation);
    this.#generation = generation;
    if (change === 'anything') {
      this.#entries.clear();
      this.#languageOf = undefined;
    } else for (const key of this.#made.touchedBy(change)) this.#entries.delete(key);
  }
}
