import type { Query } from './transport.ts';

/** Maximum number of objects whose tags are stored. */
const MAX_TAGS = 500;

type Seen = { etag: string; query: Query | undefined };

/** Stores the entity tags of loaded content, so that a change does not overwrite a newer state. */
export class EntityTags {
  readonly #seen = new Map<string, Seen>();

  /** Stores the tag of a response with its query, because the tag differs for another query. */
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

  /** Removes the tags of content that this client has changed, and of its containers and content below. */
  forget(path: string): void {
    for (const one of this.#seen.keys())
      if (one === path || one.startsWith(`${path}/`) || path.startsWith(one === '/' ? one : `${one}/`))
        this.#seen.delete(one);
  }

  clear(): void {
    this.#seen.clear();
  }
}
