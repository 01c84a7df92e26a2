import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Queryable, Statement } from '../../database/database.ts';
import { type Footprint, isTouched } from '../../database/footprint.ts';
import { REPLICAS } from '../../database/replicas.ts';
import { Slot, type Slots } from '../../lib/slots.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { UnwatchedTables } from './unwatched-tables.ts';

/** A row whose place among all rows of a list is known. */
export type Mark = { place: number; oid: number };

/** Queries with many results that are remembered, each with its caller. */
const MAX_KEPT = 500;
/** Places that are remembered of the results of one query in one order. */
const MAX_MARKS = 50;
/** Orders of one query whose places are remembered. */
const MAX_ORDERS = 10;

type Entry = {
  generation: number;
  total: number | undefined;
  marks: Map<string, Mark[]>;
  /** Orders in which a shorter way to a batch did not find all of it. */
  whole: Set<string>;
  footprint: Footprint;
};

/** What is known of a query for a caller: as long as nothing in the site changes. */
export type Known = {
  generation: number;
  total: number | undefined;
  mark: Mark | undefined;
  /** Whether batches in this order are better read from all results at once. */
  isWhole: boolean;
};

/**
 * How many results queries with many of them have, and where in their order single ones stand, so that each batch need not count
 * and pass over all of them again. What is told is true at present: nothing in the site has changed since it was found out, as
 * for cached responses (docs/decisions/0006-response-cache.md). Keys have the whole query and the tokens of the caller.
 */
export class KeptTotals {
  readonly #changes: ChangeWatch;
  readonly #unwatched: UnwatchedTables;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEPT });

  constructor(changes: ChangeWatch, unwatched: UnwatchedTables) {
    this.#changes = changes;
    this.#unwatched = unwatched;
  }

  /** The key of the query that a statement counts; undefined for one that names a table whose changes nothing notes. */
  keyOf({ text, values }: Statement): string | undefined {
    if (this.#unwatched.namedBy({ text }).length > 0) return undefined;
    return createHash('sha256')
      .update(JSON.stringify([text, values]))
      .digest('base64');
  }

  /** The present generation as it was seen last: take it before what is kept is read. */
  get generation(): number {
    return this.#changes.generation;
  }

  /** Whether nothing of a footprint, or nothing at all without one, has changed since a generation. */
  async isPresent(generation: number, footprint?: Footprint): Promise<boolean> {
    const present = await this.#changes.current();
    return present === generation || !isTouched(footprint, this.#changes.changesSince(generation));
  }

  /**
   * What is known of a query at present, with the last known place before `start` in an order; undefined for a query that was not
   * known to have many results. Without `total` and `mark` when something has changed since.
   */
  async find(key: string, order: string, start: number): Promise<Known | undefined> {
    if (!this.#entries.has(key)) return undefined;
    const generation = await this.#changes.current();
    const entry = this.#entries.get(key);
    if (!entry || (entry.generation !== generation && this.#isTouched(entry)))
      return { generation, total: undefined, mark: undefined, isWhole: false };
    entry.generation = generation;
    const before = entry.marks.get(order)?.filter(({ place }) => place <= start) ?? [];
    const mark = before.reduce<Mark | undefined>((a, b) => (a === undefined || b.place > a.place ? b : a), undefined);
    return { generation, total: entry.total, mark, isWhole: entry.whole.has(order) };
  }

  #isTouched({ generation, footprint }: Entry): boolean {
    return isTouched(footprint, this.#changes.changesSince(generation));
  }

  /** Keeps what was read in a generation. */
  keep(key: string, { generation, total, order, marks, footprint }: Kept): void {
    const present = this.#entries.get(key);
    const entry: Entry =
      present?.generation === generation
        ? present
        : { generation, total, marks: new Map(), whole: new Set(), footprint };
    entry.total ??= total;
    const known = entry.marks.get(order) ?? [];
    const added = marks.filter(({ place }) => !known.some((mark: Mark) => mark.place === place));
    if (entry.marks.has(order) || entry.marks.size < MAX_ORDERS)
      entry.marks.set(order, [...known, ...added].slice(-MAX_MARKS));
    this.#entries.set(key, entry);
  }

  /** Notes that a shorter way to a batch in an order did not find all of it. */
  readWhole(key: string, order: string): void {
    const whole = this.#entries.get(key)?.whole;
    if (whole && whole.size < MAX_ORDERS) whole.add(order);
  }

  /** Notes that a list has many rows, of which nothing else is known. */
  expect(key: string): void {
    this.keep(key, { generation: this.generation, total: undefined, order: '', marks: [] });
  }

  /** Forgets a query that has few results by now. */
  forget(key: string): void {
    this.#entries.delete(key);
  }
}

/** What is kept of the results of a query. */
type Kept = {
  generation: number;
  total: number | undefined;
  order: string;
  marks: readonly Mark[];
  footprint?: Footprint;
};

/** The totals that the process keeps. */
export const KEPT_TOTALS = new Slot<KeptTotals>('totals of searches');

/**
 * The totals for requests to a database. None in a transaction, which sees what it has written itself, and none where replicas
 * answer: what one of them has is not what the last look at the primary has found.
 */
export const totalsFor = (slots: Slots, db: Queryable): KeptTotals | undefined =>
  'transaction' in db && slots.find(REPLICAS) === undefined ? slots.find(KEPT_TOTALS) : undefined;
