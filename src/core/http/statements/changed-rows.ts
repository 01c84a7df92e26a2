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

/** The changes between two counts, of the tables that have some. */
export function changedBetween(before: readonly ChangedTable[], now: readonly ChangedTable[]): ChangedTable[] {
  const old = new Map(before.map((one) => [one.table, one]));
  return now.flatMap(({ table, inserted, updated, removed }) => {
    const known = old.get(table) ?? { inserted: 0, updated: 0, removed: 0 };
    const change = {
      ...{ table, inserted: inserted - known.inserted },
      ...{ updated: updated - known.updated, removed: removed - known.removed },
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
