import type { Queryable } from '../../../database/database.ts';

/** The channel of all notifications of the queue between processes: the name of a kind, with a detail after a space. */
export const QUEUE_CHANNEL = 'canopy_queue';

/** Wakes the workers of a kind on all processes after the commit. */
export const WAKE = (kind: string): string => `pg_notify('${QUEUE_CHANNEL}', '${kind}')`;

/** Sends a detail, an expression of SQL, to the workers of a kind on all processes after the commit. */
export const SIGNAL = (kind: string, detail: string): string =>
  `pg_notify('${QUEUE_CHANNEL}', '${kind} ' || ${detail})`;

/**
 * Locks rows of a `select` until the end of the transaction, without those that another transaction has locked. With a `limit` of 1 it takes the next
 * piece of work, for a lease that an `update` writes or for a transaction; with a larger limit it takes a batch to prune, beside concurrent
 * transactions. `of` is the alias of the table if the `select` has several tables.
 */
export const UNCLAIMED = (
  select: string,
  { of, mode = 'update' }: { of?: string; mode?: 'update' | 'share' } = {},
): string => `${select} for ${mode}${of === undefined ? '' : ` of ${of}`} skip locked`;

/** The time after so many milliseconds from now. All times come from the database because the clocks of processes differ. */
export const IN_MS = (milliseconds: string): string =>
  `clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`;

/** Milliseconds until the first of the rows of a table is due; undefined without rows. */
export async function untilDue(
  db: Queryable,
  { name, from, values = [] }: { name: string; from: string; values?: unknown[] },
): Promise<number | undefined> {
  const [next] = await db.query<{ wait: number | null }>({
    name,
    reads: true,
    text: `select (extract(epoch from min(due) - clock_timestamp()) * 1000)::float8 as wait from ${from}`,
    values,
  });
  return next?.wait ?? undefined;
}
