import { type Footprint, isTouched } from '../../database/footprint.ts';
import type { ChangeWatch } from './change-watch.ts';
import { KeptValues } from './kept-values.ts';

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

const keyIn = (language: string, request: string): string => `${language}\n${request}`;

/**
 * Responses to reading requests, valid as long as nothing has changed in the site that they are made of: a client gets the
 * same from here as from the database at the time of its request. Keys contain everything that a response depends on,
 * including the caller (docs/decisions/0006-response-cache.md).
 */
export class ResponseCache<R extends { bytes: Buffer }> {
  readonly #changes: ChangeWatch;
  readonly #kept: KeptValues<{ response: R; until: number }>;
  /** How a language is found, and as of which clearing: the settings of languages are part of what clears everything. */
  #language: { of: LanguageOf; clearings: number } | undefined;

  /** `capacity` in bytes; 0 switches the cache off. */
  constructor(changes: ChangeWatch, capacity: number) {
    this.#changes = changes;
    this.#kept = new KeptValues(changes, capacity);
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

  /** The valid response under a key for a reader; undefined otherwise. Runs a statement only when there is an entry. */
  async get(request: string, acceptLanguage: string | undefined): Promise<R | undefined> {
    if (!this.#kept.has(this.#keyFor(request, acceptLanguage))) return undefined;
    await this.#kept.confirm();
    // In the meantime another request may have stored responses of a site with other languages.
    const key = this.#keyFor(request, acceptLanguage);
    const entry = this.#kept.find(key)?.value;
    if (!entry) return undefined;
    if (entry.until > Date.now()) return entry.response;
    this.#kept.delete(key);
    return undefined;
  }

  /**
   * Stores a response of a generation, unless something of its footprint has changed since or the response is too large. `until`
   * is the time in milliseconds since 1970 at which the token of the caller expires; `languageOf` belongs to the site of the response.
   */
  set(request: string, response: R, { generation, until, acceptLanguage, languageOf, footprint }: Circumstances): void {
    const key = keyIn(languageOf(acceptLanguage), request);
    const size = response.bytes.length;
    if (this.#kept.set(key, { response, until }, { generation, footprint, size }))
      this.#language = { of: languageOf, clearings: this.#kept.clearings };
  }

  #keyFor(request: string, acceptLanguage: string | undefined): string {
    const language = this.#language;
    const languageOf = language?.clearings === this.#kept.clearings ? language.of : undefined;
    return keyIn(languageOf?.(acceptLanguage) ?? '', request);
  }
}
