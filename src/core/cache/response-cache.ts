import type { CacheTags } from '../../database/cache-tags.ts';
import { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';
import { TaggedCache } from './tagged-cache.ts';

/** The language of responses of the site, by the header `Accept-Language` of the request. */
export type LanguageOf = (acceptLanguage: string | undefined) => string;

/** The conditions under which a response is valid. */
type Circumstances = {
  version: number;
  until: number;
  acceptLanguage: string | undefined;
  languageOf: LanguageOf;
  tags: CacheTags;
};

const keyIn = (language: string, request: string): string => `${language}\n${request}`;

/**
 * Responses to reading requests, each valid until one of its tags changes: a cached response is the same as a response from the database at the time
 * of the request. Keys contain everything that a response depends on, including the caller (docs/caching-inside.md).
 */
export class ResponseCache<R extends { response: { bytes: Buffer } }> {
  readonly #changes: ChangeFeed;
  readonly #cached: TaggedCache<{ cached: R; until: number }>;
  /** Callers count hits and misses, because a request may look twice, or for responses that are never cached. */
  readonly counts: CacheCounts;
  /** The function that finds a language, with the number of clearings when it was set: a change of the settings of languages clears everything. */
  #language: { of: LanguageOf; clearings: number } | undefined;

  /** `capacity` in bytes; 0 switches the cache off. */
  constructor(changes: ChangeFeed, capacity: number, counts = new CacheCounts()) {
    this.#changes = changes;
    this.counts = counts;
    this.#cached = new TaggedCache(changes, capacity, counts);
  }

  /** True when anything is cached at all. */
  get isOn(): boolean {
    return this.#cached.isOn;
  }

  /** The current version of the site. Take it before anything is loaded for the response. */
  get version(): number {
    return this.#changes.version;
  }

  /** The version now, confirmed by a poll. */
  confirm(): Promise<number> {
    return this.#changes.current();
  }

  /**
   * Milliseconds for which a response of a version stays valid without changes from now on; 0 when one of its tags has changed already. Polls for
   * changes.
   */
  async lastingOf(version: number, tags: CacheTags): Promise<number> {
    await this.#changes.current();
    return this.#changes.isValid(version, tags) ? this.#changes.lasts : 0;
  }

  /** Milliseconds for which a response from `get` stays valid without changes. */
  get lasts(): number {
    return this.#changes.lasts;
  }

  /** The valid response under a key for a reader; undefined otherwise. Runs a statement only when there is an entry. */
  async get(request: string, acceptLanguage: string | undefined): Promise<R | undefined> {
    const language = this.#language;
    let key = this.#keyFor(request, acceptLanguage);
    if (!this.#cached.has(key)) return undefined;
    await this.#cached.confirm();
    // Meanwhile another request may have stored responses of a site with other languages.
    if (this.#language !== language) key = this.#keyFor(request, acceptLanguage);
    const entry = this.#cached.find(key)?.value;
    if (!entry) return undefined;
    if (entry.until > Date.now()) return entry.cached;
    this.#cached.delete(key);
    return undefined;
  }

  /**
   * Stores a response of a version, unless one of its tags has changed since or the response is too large. `until`
   * is the time in milliseconds since 1970 at which the token of the caller expires; `languageOf` belongs to the site of the response.
   */
  set(request: string, cached: R, { version, until, acceptLanguage, languageOf, tags }: Circumstances): void {
    const key = keyIn(languageOf(acceptLanguage), request);
    const size = cached.response.bytes.length;
    if (this.#cached.set(key, { cached, until }, { version, tags, size }))
      this.#language = { of: languageOf, clearings: this.#cached.clearings };
  }

  #keyFor(request: string, acceptLanguage: string | undefined): string {
    const language = this.#language;
    const languageOf = language?.clearings === this.#cached.clearings ? language.of : undefined;
    return keyIn(languageOf?.(acceptLanguage) ?? '', request);
  }
}
