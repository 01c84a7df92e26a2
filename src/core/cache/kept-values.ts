import { LRUCache } from 'lru-cache';
import { type Footprint, isTouched } from '../../database/footprint.ts';
import type { ChangeWatch } from './change-watch.ts';
import { FootprintIndex } from './footprint-index.ts';

type Entry<V> = { value: V; size: number; footprint: Footprint };

/** Estimated bytes of an entry, without its value and its key. */
const ENTRY_OVERHEAD = 1000;
/** Estimated bytes that each object or container of a footprint takes. */
const FOOTPRINT_BYTES = 150;
/** The share of the capacity that one value may take. */
const MAX_SHARE = 1 / 8;

/** What a value was made of, when, and its estimated size in bytes. */
export type Making = { generation: number; footprint: Footprint; size: number };

/**
 * Values that were made of the site, valid as long as nothing has changed that they are made of. The least recently used are
 * removed first (docs/decisions/0006-response-cache.md).
 */
export class KeptValues<V> {
  readonly #changes: ChangeWatch;
  readonly #capacity: number;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #made = new FootprintIndex();
  #generation = -1;
  #clearings = 0;

  /** `capacity` in bytes; 0 keeps nothing. */
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

  /** Whether anything may be kept at all. */
  get isOn(): boolean {
    return this.#capacity > 0;
  }

  /** The generation that was seen last: what is read from now on is at least as new. No SQL. */
  get generation(): number {
    return this.#changes.generation;
  }

  /** How often everything was removed because anything may have changed. */
  get clearings(): number {
    return this.#clearings;
  }

  /** Whether there is something under a key, which may be outdated. No SQL. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Removes what has changed until now: what `find` returns afterwards is as it was at some time after the call. */
  async confirm(): Promise<void> {
    this.#follow(await this.#changes.current());
  }

  /** What is under a key with its footprint, as of the last confirmation by anybody. No SQL. */
  find(key: string): Pick<Entry<V>, 'value' | 'footprint'> | undefined {
    return this.#entries.get(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * Keeps a value that was made in a generation, which was taken before anything was read for it. Returns false when
   * something of its footprint has changed since, or it is too large.
   */
  set(key: string, value: V, { generation, footprint, size: bytes }: Making): boolean {
    const made = footprint === undefined ? 0 : footprint.objects.size + footprint.containers.size;
    const size = bytes + 2 * key.length + ENTRY_OVERHEAD + made * FOOTPRINT_BYTES;
    if (size > this.#capacity * MAX_SHARE) return false;
    if (generation !== this.generation && isTouched(footprint, this.#changes.changesSince(generation))) return false;
    this.#follow(this.generation);
    this.#entries.set(key, { value, size, footprint });
    // A value that is too large for what is left is not taken.
    if (!this.#entries.has(key)) return false;
    this.#made.add(key, footprint);
    return true;
  }

  #follow(generation: number): void {
    if (generation === this.#generation) return;
    const change = this.#changes.changesSince(this.#generation);
    this.#generation = generation;
    if (change === 'anything') {
      this.#entries.clear();
      this.#clearings += 1;
    } else for (const key of this.#made.touchedBy(change)) this.#entries.delete(key);
  }
}
