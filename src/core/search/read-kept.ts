import type { Footprint } from '../../database/footprint.ts';
import type { KeptTotals, Mark } from '../cache/kept-totals.ts';

/** Where a batch begins to be read. */
export type Start = {
  /** The number of all rows, where it is known: then they may be read from their end. */
  total?: number | undefined;
  /** A row before the batch. */
  mark?: Mark | undefined;
  /** That all rows are read that the batch may consist of: fewer were found than there are on a shorter way. */
  isWhole?: boolean;
};

/** A row of a batch; one without an `oid` stands for none. `lacking` has no value to sort by, so that nothing can begin there. */
type BatchRow = { oid: number | null; total?: number | null; lacking?: boolean };

/** A batch of a list with many rows. */
type BatchOfMany<R> = {
  /** The key of the list and its caller, and that of its order. */
  key: string;
  order: string;
  /** Whether single rows can be found again in this order. */
  isMarked: boolean;
  start: number;
  size: number;
  /** Most rows there are, however many fit. */
  limit?: number | undefined;
  /** Rows of a list that is worth keeping. */
  least: number;
  /** What the list is made of; without it, of anything. */
  footprint?: Footprint;
  /** Reads the rows with one statement. Without `total`, which each row then has, it counts them as well. */
  read(from: Start): Promise<R[]>;
};

/**
 * Reads a batch of a list that was known to have many rows, with their number: counted, or known at present. Undefined when
 * nothing was known, or when there are few by now.
 */
export async function readKept<R extends BatchRow>(
  totals: KeptTotals,
  { key, order, isMarked, start, size, limit, least, footprint, read }: BatchOfMany<R>,
): Promise<{ rows: R[]; total: number } | undefined> {
  const known = await totals.find(key, order, start);
  if (known === undefined) return undefined;
  const mark = isMarked ? known.mark : undefined;
  const { isWhole } = known;
  let { total } = known;
  let rows = await read({ total, mark, isWhole });
  if (total !== undefined) {
    const expected = Math.min(size, Math.max(0, Math.min(total, limit ?? total) - start));
    // Objects without a value stand behind a mark that has one. And whoever has written meanwhile may have moved the rows.
    const isShort = rows.filter(({ oid }) => oid !== null).length !== expected;
    if (isShort) rows = await read({ total, isWhole: true });
    if (isShort && !isWhole) totals.readWhole(key, order);
    if (!(await totals.isPresent(known.generation, footprint))) {
      total = undefined;
      rows = await read({});
    }
  }
  total ??= rows[0]?.total ?? 0;
  if (total < least) {
    totals.forget(key);
    return undefined;
  }
  const marks = [...new Set([0, rows.length - 1])].flatMap((at) => {
    const row = rows[at];
    return !row || row.oid === null || row.lacking ? [] : [{ place: start + at, oid: row.oid }];
  });
  totals.keep(key, { generation: known.generation, total, order, marks: isMarked ? marks : [], footprint });
  return { rows, total };
}
