import type { Queryable } from '../../../database/database.ts';

/** Rows of one table that a transaction has changed. */
export type ChangedTable = { table: string; inserted: number; updated: number; removed: number };

/**
 * Counts the rows of tables that this connection has changed, also in parts of transactions that were undone; without those of the change
 * feed. The database counts the transactions before as well, until it passes their counts on: two counts in one transaction differ by its
 * own changes.
 */
export const countChangedRows = (tx: Queryable): Promise<ChangedTable[]> =>
  tx.query<ChangedTable>({
    text: `select relname::text as table, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_del::int as removed
      from pg_stat_xact_user_tables
      where schemaname = current_schema() and relname <> 'site_change' and n_tup_ins + n_tup_upd + n_tup_del > 0
      order by relname`,
  });

/** The changes of a count beyond those of others, such as an earlier count, of the tables that have some. */
export function changedBeyond(others: readonly ChangedTable[], now: readonly ChangedTable[]): ChangedTable[] {
  const sumOf = (table: string, kind: 'inserted' | 'updated' | 'removed'): number =>
    others.reduce((sum, other) => (other.table === table ? sum + other[kind] : sum), 0);
  return now.flatMap(({ table, ...counts }) => {
    const change = {
      ...{ table, inserted: counts.inserted - sumOf(table, 'inserted') },
      ...{ updated: counts.updated - sumOf(table, 'updated'), removed: counts.removed - sumOf(table, 'removed') },
    };
    return change.inserted + change.updated + change.removed > 0 ? [change] : [];
  });
}

/** An old or another address of an object. */
export type Address = { path: string; oid: number };

/** The addresses that lead to some objects. */
export const addressesOf = (db: Queryable, oids: readonly number[]): Promise<Address[]> =>
  db.query<Address>({
    text: 'select path, target as oid from redirect where target = any($1::bigint[]) order by path',
    values: [oids],
  });
