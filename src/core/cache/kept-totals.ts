import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CacheTags } from '../../database/cache-tags.ts';
import type { Queryable, Statement } from '../../database/database.ts';
import { Slot, type Slots } from '../../lib/slots.ts';
import { CacheCounts } from './cache-counts.ts';
import type { ChangeFeed } from './change-feed.ts';
import { KeptResults } from './kept-results.ts';
import { servesKept } from './kept-values.ts';
import { TaggedCache } from './tagged-cache.ts';
import type { UnwatchedTables } from './unwatched-tables.ts';

/** A row whose place among all rows of a list is known. */
export type Mark = { place: number; oid: number };

/** Maximum number of cached queries with many results, each with its caller. */
const MAX_QUERIES = 500;
/** Maximum bytes of all cached facts. */
const CAPACITY_BYTES = 4 * 1024 * 1024;
/** Estimated bytes of a mark, and of an order without its marks. */
const MARK_BYTES = 100;
const ORDER_BYTES = 500;
/** Maximum number of cached places in the results of one query in one order. */
const MAX_MARKS = 50;
/** Maximum number of orders of one query with cached places. */
const MAX_ORDERS = 10;

/** The known facts about the results of a query. */
type Facts = {
  total: number | undefined;
  marks: Map<string, Mark[]>;
  /** Orders in which a shorter way to a batch did not find all of its rows. */
  whole: Set<string>;
};

const sizeOf = ({ marks }: Facts): number =>
  [...marks.values()].reduce((bytes, some) => bytes + ORDER_BYTES + some.length * MARK_BYTES, 0);

/** The known facts about a query for a caller, valid at present. */
export type Known = {
  generation: number;
  total: number | undefined;
  mark: Mark | undefined;
  /** True when batches in this order should be read from all results at once. */
  isWhole: boolean;
};

/**
 * Totals of queries with many results, and the places of single results in their order, so that a batch need not count and skip all results again.
 * Facts are cached until one of their tags changes (docs/caching-inside.md). The fact that a query has many results is only an expectation, and may
 * be wrong. Keys have the whole query and the tokens of the caller.
 */
export class KeptTotals {
  readonly #changes: ChangeFeed;
  readonly #unwatched: UnwatchedTables;
  readonly #expected = new LRUCache<string, true>({ max: MAX_QUERIES });
  readonly #facts: TaggedCache<Facts>;
  readonly #counts: CacheCounts;
  /** The keys of statements that are used again. */
  readonly #keys = new WeakMap<Statement, string>();
  /** The numbers of all results of queries, under the same keys. */
  readonly results: KeptResults;

  constructor(
    changes: ChangeFeed,
    unwatched: UnwatchedTables,
    counts = { totals: new CacheCounts(), results: new CacheCounts() },
  ) {
    this.#changes = changes;
    this.#counts = counts.totals;
    this.results = new KeptResults(changes, counts.results);
    this.#unwatched = unwatched;
    this.#facts = new TaggedCache(changes, CAPACITY_BYTES, counts.totals);
  }

  /** The key of the query that a statement counts; undefined for a statement that names a table whose changes are not noted. */
  keyOf(statement: Statement): string | undefined {
    if (this.#unwatched.namedBy(statement).length > 0) return undefined;
    const known = this.#keys.get(statement);
    if (known !== undefined) return known;
    const key = createHash('sha256')
      .update(JSON.stringify([statement.text, statement.values]))
      .digest('base64');
    this.#keys.set(statement, key);
    return key;
  }

  /** The version of the last poll. Take it before reading the rows to cache. */
  get generation(): number {
    return this.#changes.version;
  }

  /** Says if no tag of `footprint`, or without it nothing at all, has changed since a version. Polls for changes. */
  async isPresent(generation: number, footprint?: CacheTags): Promise<boolean> {
    await this.#changes.current();
    return this.#changes.isValid(generation, footprint);
  }

  /**
   * The present facts about a query, with the last known place before `start` in an order; undefined for a query without cached facts. Without
   * `total` and `mark` when one of the tags has changed.
   */
  async find(key: string, order: string, start: number): Promise<Known | undefined> {
    if (!this.#expected.get(key)) return undefined;
    await this.#facts.confirm();
    const generation = this.#facts.version;
    const facts = this.#facts.find(key)?.value;
    if (facts) this.#counts.hits += 1;
    else this.#counts.misses += 1;
    const before = facts?.marks.get(order)?.filter(({ place }) => place <= start) ?? [];
    const mark = before.reduce<Mark | undefined>((a, b) => (a === undefined || b.place > a.place ? b : a), undefined);
    return { generation, total: facts?.total, mark, isWhole: facts?.whole.has(order) ?? false };
  }

  /** Stores facts that were read in a version, unless one of their tags has changed since. */
  keep(key: string, { generation, total, order, marks, footprint }: Kept): void {
    this.#expected.set(key, true);
    if (!this.#changes.isValid(generation, footprint)) return;
    const facts = this.#facts.find(key)?.value ?? { total, marks: new Map(), whole: new Set() };
    facts.total ??= total;
    const known = facts.marks.get(order) ?? [];
    const added = marks.filter(({ place }) => !known.some((mark: Mark) => mark.place === place));
    if (facts.marks.has(order) || facts.marks.size < MAX_ORDERS)
      facts.marks.set(order, [...known, ...added].slice(-MAX_MARKS));
    this.#facts.set(key, facts, { version: generation, tags: footprint, size: sizeOf(facts) });
  }

  /** Notes that a shorter way to a batch in an order did not find all of its rows. */
  readWhole(key: string, order: string): void {
    const whole = this.#facts.find(key)?.value.whole;
    if (whole && whole.size < MAX_ORDERS) whole.add(order);
  }

  /** Says if a query is expected to have many results. */
  isExpected(key: string): boolean {
    return this.#expected.get(key) ?? false;
  }

  /** Notes that a list has many rows, without other facts. */
  expect(key: string): void {
    this.#expected.set(key, true);
  }

  /** Removes a query that now has few results. */
  forget(key: string): void {
    this.#expected.delete(key);
    this.#facts.delete(key);
    this.results.forget(key);
  }
}

/** Facts about the results of a query, with the version and the tags that they were read with. */
type Kept = {
  generation: number;
  total: number | undefined;
  order: string;
  marks: readonly Mark[];
  footprint?: CacheTags;
};

/** The cached totals of the process. */
export const KEPT_TOTALS = new Slot<KeptTotals>('totals of searches');

/** The totals for requests to a database; undefined where kept values do not serve them. */
export const totalsFor = (slots: Slots, db: Queryable): KeptTotals | undefined =>
  servesKept(slots, db) ? slots.find(KEPT_TOTALS) : undefined;
