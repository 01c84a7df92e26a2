import { corrected, type NumberSet, numberSetOf } from '../../lib/number-sets.ts';
import type { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';
import { KeptValues, type ValueSource } from './kept-values.ts';

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

const sizeOf = (groups: Groups): number =>
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

/** The means to keep the results of a query in their groups. */
export const inGroups = ({ read, among }: ResultsSource): ValueSource<Groups> => ({
  async read() {
    const results = await read();
    return results && groupsOf(results);
  },
  async corrected(groups, { objects }) {
    if (objects.size > mostChanged(groups)) return undefined;
    const asked = [...objects].sort((a, b) => a - b);
    return asked.length === 0 ? groups : correctedGroups(groups, asked, await among(asked));
  },
});

/**
 * The results of queries with many results, by their numbers, so that a count survives changes. Keys have the whole query and the tokens of the
 * caller.
 */
export class KeptResults extends KeptValues<Groups> {
  constructor(changes: ChangeFeed, counts: CacheCounts) {
    super(changes, counts, { entries: MAX_QUERIES, bytes: CAPACITY_BYTES, sizeOf });
  }
}
