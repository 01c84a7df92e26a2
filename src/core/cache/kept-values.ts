import { LRUCache } from 'lru-cache';
import type { ChangedTags } from '../../database/cache-tags.ts';
import type { Queryable } from '../../database/database.ts';
import { REPLICAS } from '../../database/replicas.ts';
import { isShared } from '../../database/shared-transaction.ts';
import type { Slots } from '../../lib/slots.ts';
import type { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';

/** The changed objects and containers of a span, where they are known. */
export type KnownChange = Exclude<ChangedTags, 'anything'>;

/** Reads one value, and corrects it after a change. */
export type ValueSource<V> = {
  /** The whole value; undefined for one that is too large. */
  read(): Promise<V | undefined>;
  /** The value after a change; undefined if it must be read anew. The rows that it asks for may be newer than the change. */
  corrected(value: V, change: KnownChange): Promise<V | undefined>;
  /** Says if a new value is worth a look at what has changed; every one is unless given. Used by `whole`. */
  isKept?(value: V): boolean;
};

/** A value, at least as new as a version. It is that of this version if nothing has changed since. */
export type PresentValue<V> = { version: number; value: V };

/** A present value, and true if it was just corrected: then the objects that were asked about may be newer than the others. */
type Present<V> = PresentValue<V> & { isMixed?: boolean };

/** The bounds of kept values: their number, their bytes, and the estimated bytes of a value. */
type Bounds<V> = { entries: number; bytes: number; sizeOf: (value: V) => number };

/** Maximum number of attempts to know a value of one moment while others change the site. */
const MAX_ATTEMPTS = 3;

/**
 * Values of the site that survive changes: after a change only the changed objects are asked about, so that the next request need not read all of
 * the value anew (docs/decisions/0024-counts-survive-changes.md). Keys have everything that a value depends on beside the content, such as the tokens
 * of the caller.
 */
export class KeptValues<V> {
  readonly #changes: ChangeFeed;
  readonly counts: CacheCounts;
  readonly #kept: LRUCache<string, PresentValue<V>>;
  /** Keys of values that are too large. */
  readonly #excluded: LRUCache<string, true>;

  constructor(changes: ChangeFeed, counts: CacheCounts, { entries, bytes, sizeOf }: Bounds<V>) {
    this.#changes = changes;
    this.counts = counts;
    this.#excluded = new LRUCache({ max: entries });
    this.#kept = new LRUCache({
      ...{ max: entries, maxSize: bytes, sizeCalculation: ({ value }, key) => sizeOf(value) + 2 * key.length },
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') counts.evicted += 1;
      },
    });
    counts.size = () => ({ entries: this.#kept.size, bytes: this.#kept.calculatedSize });
  }

  /** The present value under a key: the kept one, corrected by what has changed since, or a new one. Undefined for one that is too large. */
  async present(key: string, source: ValueSource<V>): Promise<Present<V> | undefined> {
    if (this.#excluded.get(key)) return undefined;
    await this.#changes.current();
    const { version } = this.#changes;
    const kept = this.#kept.get(key);
    if (kept?.version === version) {
      this.counts.hits += 1;
      return kept;
    }
    const corrected = kept && (await this.#corrected(kept, source));
    const present = this.#keep(key, version, corrected ?? (await this.#read(source)));
    return present && { ...present, isMixed: corrected !== undefined && corrected !== kept?.value };
  }

  /** The value of one moment at present or later; undefined for one that is too large, and if the site changes too often. */
  async whole(key: string, source: ValueSource<V>): Promise<V | undefined> {
    if (!this.#kept.has(key)) {
      // A value that is read now is as new as the last poll, or newer: nothing need be polled.
      const { version } = this.#changes;
      const value = this.#excluded.get(key) ? undefined : await source.read();
      if (value === undefined || source.isKept?.(value) === false) return value;
      this.counts.misses += 1;
      return this.#keep(key, version, value)?.value;
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const present = await this.present(key, source);
      // A corrected value is found again if nothing has changed until after it was corrected.
      if (!present?.isMixed) return present?.value;
    }
    return undefined;
  }

  /**
   * Works with the value of one moment: `work` is done again if something has changed before its end. Undefined for a value that is too large, for
   * undefined from `work`, and if the site changes too often.
   */
  async ofOneMoment<T>(
    key: string,
    source: ValueSource<V>,
    work: (present: PresentValue<V>) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const present = await this.present(key, source);
      const done = present && (await work(present));
      if (present === undefined || done === undefined) return undefined;
      if ((await this.#changes.current()) === present.version) return done;
    }
    return undefined;
  }

  /** Removes the value under a key. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  #keep(key: string, version: number, value: V | undefined): PresentValue<V> | undefined {
    if (value === undefined) {
      this.#kept.delete(key);
      this.#excluded.set(key, true);
      return undefined;
    }
    const present = { version, value };
    // Another request may have stored a newer value meanwhile.
    if ((this.#kept.peek(key)?.version ?? -1) <= version) this.#kept.set(key, present);
    return present;
  }

  /** A kept value after what has changed since; undefined if it must be read anew. */
  async #corrected({ version, value }: PresentValue<V>, source: ValueSource<V>): Promise<V | undefined> {
    const change = this.#changes.changesSince(version);
    const corrected = change === 'anything' ? undefined : await source.corrected(value, change);
    if (corrected === undefined) this.counts.invalidated += 1;
    else this.counts.hits += 1;
    return corrected;
  }

  async #read(source: ValueSource<V>): Promise<V | undefined> {
    this.counts.misses += 1;
    return source.read();
  }
}

/**
 * Says if kept values serve requests to a database. They do not in a transaction, also a transaction in the form of a database
 * (`sharingTransaction`), because it sees its own writes, and not with replicas, because their rows may not be of the version that the primary was
 * polled for.
 */
export const servesKept = (slots: Slots, db: Queryable): boolean =>
  'transaction' in db && !isShared(db) && slots.find(REPLICAS) === undefined;
