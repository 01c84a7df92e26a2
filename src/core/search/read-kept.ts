import type { CacheTags } from '../../database/cache-tags.ts';
import type { KeptTotals, Known, Mark } from '../cache/kept-totals.ts';

/** The start of a batch. */
export type Start = {
  /** The total, if known; then the rows may be read from their end. */
  total?: number | undefined;
  /** A row before the batch. */
  mark?: Mark | undefined;
  /** True to read all rows of the list, after a shorter way has found too few. */
  isWhole?: boolean;
};

/**
 * A row of a batch; a row without an `oid` stands for an empty batch. A row with `lacking` has no value to sort by, so reading cannot begin there.
 */
type BatchRow = { oid: number | null; total?: number | null; lacking?: boolean };

/** A batch of a list with many rows. */
type BatchOfMany<R> = {
  /** The key of the list and its caller, and the key of its order. */
  key: string;
  order: string;
  /** True if single rows can be found again in this order. */
  isMarked: boolean;
  start: number;
  size: number;
  /** Maximum number of rows in all batches. */
  limit?: number | undefined;
  /** Minimum number of rows of a list whose facts are cached. */
  least: number;
  /** The tags of the list; without tags, any change may change the list. */
  footprint?: CacheTags;
  /** Finds the present total again after a change without a count; false if that is impossible. */
  correct?(): Promise<boolean>;
  /** Reads the rows with one statement. Without `total` it also counts all rows, and each row has `total`. */
  read(from: Start): Promise<R[]>;
};

/** Rows of a batch, with the total. */
type Read<R> = { rows: R[]; total: number };

/** Reads a batch of a list whose known facts are outdated, and counts the rows. */
async function readCounted<R extends BatchRow>(read: BatchOfMany<R>['read'], from: Start): Promise<Read<R>> {
  const rows = await read(from);
  return { rows, total: rows[0]?.total ?? 0 };
}

/** Reads a batch of a list whose total is known. Undefined after a concurrent write. */
async function readKnown<R extends BatchRow>(
  totals: KeptTotals,
  { key, order, start, size, limit, footprint, read }: BatchOfMany<R>,
  { generation, isWhole }: Known,
  { total, mark }: { total: number; mark: Mark | undefined },
): Promise<Read<R> | undefined> {
  const expected = Math.min(size, Math.max(0, Math.min(total, limit ?? total) - start));
  let rows = await read({ total, mark, isWhole });
  // The way from a mark misses objects without a value, and a walk may end before it has found all rows.
  if (rows.filter(({ oid }) => oid !== null).length !== expected) {
    rows = await read({ total, isWhole: true });
    if (!isWhole) totals.readWhole(key, order);
  }
  return (await totals.isPresent(generation, footprint)) ? { rows, total } : undefined;
}

/**
 * Maximum number of corrections of a total because others have changed the site while the rows were read. A count takes far longer than a
 * correction, and where requests wait for it, more is changed until the next one has read its rows.
 */
const MAX_CORRECTIONS = 3;

/** Reads a batch with what is known about the list; undefined when no fact is known. */
async function readPresent<R extends BatchRow>(
  totals: KeptTotals,
  batch: BatchOfMany<R>,
): Promise<{ known: Known; read: Read<R> } | undefined> {
  for (let left = MAX_CORRECTIONS; ; left -= 1) {
    const known = await totals.find(batch.key, batch.order, batch.start);
    if (known === undefined) return undefined;
    const { total, isWhole } = known;
    const mark = batch.isMarked ? known.mark : undefined;
    const read = total === undefined ? undefined : await readKnown(totals, batch, known, { total, mark });
    if (read) return { known, read };
    if (left > 0 && (await batch.correct?.())) continue;
    return { known, read: await readCounted(batch.read, total === undefined ? { mark, isWhole } : {}) };
  }
}

/**
 * Reads a batch of a list that is known to have many rows, with the total, from memory, corrected or counted. Undefined when no fact is known, or when
 * the list now has few rows.
 */
export async function readKept<R extends BatchRow>(
  totals: KeptTotals,
  batch: BatchOfMany<R>,
): Promise<Read<R> | undefined> {
  const { key, order, isMarked, start, least, footprint } = batch;
  const present = await readPresent(totals, batch);
  if (present === undefined) return undefined;
  const { generation } = present.known;
  const { rows, total } = present.read;
  if (total < least) {
    totals.forget(key);
    return undefined;
  }
  totals.keep(key, {
    generation,
    total,
    order,
    marks: isMarked ? marksOf(rows, start) : [],
    footprint,
  });
  return { rows, total };
}

/** The places of the first and the last row of a batch, from which later batches can begin. Reading cannot begin at a row without a value. */
const marksOf = (rows: readonly BatchRow[], start: number): Mark[] =>
  [...new Set([0, rows.length - 1])].flatMap((at) => {
    const row = rows[at];
    return !row || row.oid === null || row.lacking ? [] : [{ place: start + at, oid: row.oid }];
  });
