import type { Query } from './transport.ts';

/** The most objects whose tags are remembered. */
const MAX_TAGS = 500;

type Seen = { etag: string; query: Query | undefined };

/** Remembers which state of content was read, so that a change overwrites nothing newer. */
export class EntityTags {
  readonly #seen = new Map<string, Seen>();

  /** Remembers the tag of a response and the query that it belongs to: with another query the server has another one. */
  set(path: string, etag: string | null, query: Query | undefined): void {
    this.#seen.delete(path);
    if (etag === null || etag.startsWith('W/')) return;
    this.#seen.set(path, { etag, query });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_TAGS && oldest !== undefined) this.#seen.delete(oldest);
  }

  get(path: string): Seen | undefined {
    return this.#seen.get(path);
  }

  /** Leaves out the tags of content that this client has changed, and of what lies above and below it. */
  forget(path: string): void {
    for (const one of this.#seen.keys())
      if (one === path || one.startsWith(`${path}/`) || path.startsWith(one === '/' ? one : `${one}/`))
        this.#seen.delete(one);
  }

  clear(): void {
    this.#seen.clear();
  }
}
