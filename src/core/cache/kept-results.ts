import { LRUCache } from 'lru-cache';
import { corrected, type NumberSet, numberSetOf } from '../../lib/number-sets.ts';
import type { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';

/** The numbers of all results of a query for a caller, by the value that they are grouped by. */
export type Groups = ReadonlyMap<string, NumberSet>;

/** A result with the value of its group; a result with several values comes with each of them. */
type Member = { oid: number; value: string };

/** Reads the results of one query for one caller. A result may depend only on the rows of its own object. */
export type ResultsSource = {
  /** All results, by their values; undefined for too many. */
  read(): Promise<Iterable<readonly [value: string, oids: readonly number[]]> | undefined>;
  /** Those of the results that are among some objects. */
  among(oids: readonly number[]): Promise<readonly Member[]>;
};

/** The results of a query, at least as new as a version. They are those of this version if nothing has changed since. */
export type PresentResults = { version: number; groups: Groups };

/** Maximum number of queries whose results are kept, and of their bytes. */
const MAX_QUERIES = 300;
const CAPACITY_BYTES = 16 * 1024 * 1024;
/** Maximum number of kept results of one query, counted in each of their groups, and of the groups. */
export const MAX_MEMBERS = 250_000;
const MAX_GROUPS = 2000;
/**
 * Maximum number of changed objects that are looked at again, and its part of the results where that is more; with more, all results are read anew.
 * To look at an object takes several times as long as to read a result.
 */
const MAX_CHANGED = 300;
const MAX_CHANGED_PART = 1 / 20;
/** Estimated bytes of an entry, and of a group without its value and its numbers. */
const ENTRY_BYTES = 1000;
const GROUP_BYTES = 200;

const sizeOf = ({ groups }: PresentResults): number =>
  [...groups].reduce((sum, [value, oids]) => sum + GROUP_BYTES + 2 * value.length + oids.byteLength, ENTRY_BYTES);

const mostChanged = (groups: Groups): number =>
  Math.max(MAX_CHANGED, MAX_CHANGED_PART * [...groups.values()].reduce((sum, { length }) => sum + length, 0));

/** Some results in groups; undefined for too many. */
function groupsOf(read: Iterable<readonly [string, readonly number[]]>): Groups | undefined {
  const groups = new Map<string, NumberSet>();
  let members = 0;
  for (const [value, oids] of read) {
    const set = numberSetOf(oids);
    members += oids.length;
    if (set === undefined || members > MAX_MEMBERS || groups.size === MAX_GROUPS) return undefined;
    groups.set(value, set);
  }
  return groups;
}

/** Groups after some objects, ascending, were looked at again, of which `members` are results. */
function correctedGroups(groups: Groups, asked: readonly number[], members: readonly Member[]): Groups {
  const found = new Map<string, Set<number>>();
  for (const { oid, value } of members) {
    const oids = found.get(value);
    if (oids) oids.add(oid);
    else found.set(value, new Set([oid]));
  }
  const result = new Map<string, NumberSet>();
  const nothing = new Set<number>();
  const values = new Set([...groups.keys(), ...found.keys()]);
  for (const value of values) {
    const oids = corrected(groups.get(value) ?? new Uint32Array(), asked, found.get(value) ?? nothing);
    if (oids.length > 0) result.set(value, oids);
  }
  return result;
}

/**
 * The results of queries with many results, by their numbers. After a change only the changed objects are asked about, so that a count survives
 * changes (docs/decisions/0024-counts-survive-changes.md). Keys have the whole query and the tokens of the caller.
 */
export class KeptResults {
  readonly #changes: ChangeFeed;
  readonly counts: CacheCounts;
  readonly #kept: LRUCache<string, PresentResults>;
  /** Queries with too many results. */
  readonly #excluded = new LRUCache<string, true>({ max: MAX_QUERIES });

  constructor(changes: ChangeFeed, counts: CacheCounts) {
    this.#changes = changes;
    this.counts = counts;
    this.#kept = new LRUCache({
      ...{ max: MAX_QUERIES, maxSize: CAPACITY_BYTES, sizeCalculation: sizeOf },
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') counts.evicted += 1;
      },
    });
    counts.size = () => ({ entries: this.#kept.size, bytes: this.#kept.calculatedSize });
  }

  /** The present results of a query: kept ones, corrected by a statement about what has changed since, or read. Undefined for too many. */
  async present(key: string, source: ResultsSource): Promise<PresentResults | undefined> {
    if (this.#excluded.get(key)) return undefined;
    await this.#changes.current();
    const { version } = this.#changes;
    const kept = this.#kept.get(key);
    if (kept?.version === version) {
      this.counts.hits += 1;
      return kept;
    }
    const groups = (kept && (await this.#corrected(kept, source))) ?? (await this.#read(source));
    if (groups === undefined) {
      this.#kept.delete(key);
      this.#excluded.set(key, true);
      return undefined;
    }
    const results = { version, groups };
    // Another request may have stored newer results meanwhile.
    if ((this.#kept.peek(key)?.version ?? -1) <= version) this.#kept.set(key, results);
    return results;
  }

  /** Removes the results of a query. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  /** Kept results after the objects that have changed since were looked at again; undefined if too much has changed. */
  async #corrected({ version, groups }: PresentResults, source: ResultsSource): Promise<Groups | undefined> {
    const change = this.#changes.changesSince(version);
    if (change === 'anything' || change.objects.size > mostChanged(groups)) {
      this.counts.invalidated += 1;
      return undefined;
    }
    this.counts.hits += 1;
    const asked = [...change.objects].sort((a, b) => a - b);
    return asked.length === 0 ? groups : correctedGroups(groups, asked, await source.among(asked));
  }

  async #read(source: ResultsSource): Promise<Groups | undefined> {
    this.counts.misses += 1;
    const read = await source.read();
    return read && groupsOf(read);
  }
}
