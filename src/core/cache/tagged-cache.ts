import { LRUCache } from 'lru-cache';
import type { CacheTags } from '../../database/cache-tags.ts';
import { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';
import { TagIndex } from './tag-index.ts';

type Entry<V> = { value: V; size: number; tags: CacheTags };

/** Estimated bytes of an entry, without its value and its key. */
const ENTRY_OVERHEAD = 1000;
/** Estimated bytes for each object or container in the tags of a value. */
const TAG_BYTES = 150;
/** The share of the capacity that one value may take. */
const MAX_SHARE = 1 / 8;

/** The tags of a value, the version in which it was made, and its estimated size in bytes. */
export type Making = { version: number; tags: CacheTags; size: number };

/**
 * Values made of the site, each valid until one of its tags changes. The least recently used are evicted first
 * (docs/caching-inside.md).
 */
export class TaggedCache<V> {
  readonly #changes: ChangeFeed;
  readonly #capacity: number;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #tags = new TagIndex();
  readonly #counts: CacheCounts;
  #version = -1;
  #clearings = 0;

  /** `capacity` in bytes; 0 caches nothing. */
  constructor(changes: ChangeFeed, capacity: number, counts = new CacheCounts()) {
    this.#changes = changes;
    this.#counts = counts;
    this.#capacity = capacity;
    // The library does not allow a bound of 0; with a capacity of 0, `set` stores nothing.
    this.#entries = new LRUCache({
      maxSize: Math.max(1, capacity),
      sizeCalculation: ({ size }) => size,
      dispose: ({ tags }, key, reason) => {
        this.#tags.remove(key, tags);
        if (reason === 'evict') counts.evicted += 1;
      },
    });
    counts.size = () => ({ entries: this.#entries.size, bytes: this.#entries.calculatedSize });
  }

  /** True when anything is cached at all. */
  get isOn(): boolean {
    return this.#capacity > 0;
  }

  /** The version of the last poll: reads from now on are at least as new. No SQL. */
  get version(): number {
    return this.#changes.version;
  }

  /** The number of times that everything was invalidated. */
  get clearings(): number {
    return this.#clearings;
  }

  /** Looks for a value under a key, which may be invalid by now. No SQL. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Invalidates the values that have changed until now: values that `find` returns afterwards are as new as this call. */
  async confirm(): Promise<void> {
    this.#invalidate(await this.#changes.current());
  }

  /** The value under a key with its tags, valid by the last poll. No SQL. */
  find(key: string): Pick<Entry<V>, 'value' | 'tags'> | undefined {
    this.#invalidate(this.version);
    return this.#entries.get(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * Stores a value of a version. The version must be taken before anything is read for the value. Returns false when one of its tags has changed
   * since, or the value is too large.
   */
  set(key: string, value: V, { version, tags, size: bytes }: Making): boolean {
    const made = tags === undefined ? 0 : tags.objects.size + tags.containers.size;
    const size = bytes + 2 * key.length + ENTRY_OVERHEAD + made * TAG_BYTES;
    if (size > this.#capacity * MAX_SHARE) return false;
    if (!this.#changes.isValid(version, tags)) return false;
    this.#invalidate(this.version);
    this.#entries.set(key, { value, size, tags });
    // A value that is too large for the free space is not stored.
    if (!this.#entries.has(key)) return false;
    this.#tags.add(key, tags);
    return true;
  }

  #invalidate(version: number): void {
    if (version === this.#version) return;
    const change = this.#changes.changesSince(this.#version);
    this.#version = version;
    if (change === 'anything') {
      this.#counts.invalidated += this.#entries.size;
      this.#entries.clear();
      this.#clearings += 1;
    } else for (const key of this.#tags.touchedBy(change)) if (this.#entries.delete(key)) this.#counts.invalidated += 1;
  }
}
