import type { ServiceResponse } from '../services/service.ts';
import type { ChangeWatch } from '../storage/change-watch.ts';

/** An answer in memory, whole. */
export type CachedResponse = ServiceResponse & { bytes: Buffer };

/** The language that the site of a generation answers a reader in, by the header `Accept-Language`. */
export type LanguageOf = (acceptLanguage: string | undefined) => string;

type Entry = { response: CachedResponse; size: number; until: number };

const keyIn = (language: string, request: string): string => `${language}\n${request}`;

/** What an entry takes beside its bytes and its key, about. */
const OVERHEAD = 1000;
/** The share of the memory that one answer may take. */
const LARGEST = 1 / 8;

/**
 * Answers to reading requests, as long as nothing at all has changed in the site: what a client gets from here is what it
 * would have got from the database at the time of its request. Keys name everything that an answer depends on, who asks
 * included. The answers that were asked for longest ago make room for new ones.
 */
export class ResponseCache {
  readonly #changes: ChangeWatch;
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  #generation = -1;
  #languageOf: LanguageOf | undefined;
  #size = 0;

  /** `capacity` in bytes; 0 keeps nothing. */
  constructor(changes: ChangeWatch, capacity: number) {
    this.#changes = changes;
    this.#capacity = capacity;
  }

  /** The generation that what is read from now on belongs to. Ask for it before anything is read. */
  get generation(): number {
    return this.#changes.generation;
  }

  /**
   * The answer under a key for a reader, when it is right now; undefined otherwise. Asks the database only when there is one. The
   * language is that of the site which the answers were made of: when it is another one, they are gone, too.
   */
  async find(request: string, acceptLanguage: string | undefined): Promise<CachedResponse | undefined> {
    if (!this.#entries.has(this.#keyFor(request, acceptLanguage))) return undefined;
    this.#follow(await this.#changes.current());
    // Meanwhile another request may have brought a new site, which speaks other languages.
    const key = this.#keyFor(request, acceptLanguage);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#remove(key, entry);
    if (entry.until <= Date.now()) return undefined;
    this.#add(key, entry);
    return entry.response;
  }

  /**
   * Keeps an answer that was read in a generation, unless that is over or the answer is too large. `until` is the
   * time in milliseconds since 1970 from which the caller has to show other credentials; `languageOf` is that of the site
   * that was read.
   */
  keep(
    request: string,
    response: CachedResponse,
    {
      generation,
      until,
      acceptLanguage,
      languageOf,
    }: { generation: number; until: number; acceptLanguage: string | undefined; languageOf: LanguageOf },
  ): void {
    const key = keyIn(languageOf(acceptLanguage), request);
    const size = response.bytes.length + 2 * key.length + OVERHEAD;
    if (generation !== this.#changes.generation || size > this.#capacity * LARGEST) return;
    this.#follow(generation);
    this.#languageOf = languageOf;
    const old = this.#entries.get(key);
    if (old) this.#remove(key, old);
    this.#add(key, { response, size, until });
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#capacity) break;
      this.#remove(oldest, entry);
    }
  }

  #keyFor(request: string, acceptLanguage: string | undefined): string {
    return keyIn(this.#languageOf?.(acceptLanguage) ?? '', request);
  }

  #follow(generation: number): void {
    if (generation === this.#generation) return;
    this.#entries.clear();
    this.#size = 0;
    this.#languageOf = undefined;
    this.#generation = generation;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
