import type { Queryable } from '../../../database/database.ts';

/** Rows of one table that a transaction has changed. */
export type ChangedTable = { table: string; inserted: number; updated: number; removed: number };

/** The tables with rows that the present transaction has changed, also in parts that were undone; without those of the change feed. */
export const changedTables = (tx: Queryable): Promise<ChangedTable[]> =>
  tx.query<ChangedTable>({
    text: `select relname::text as table, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_del::int as removed
      from pg_stat_xact_user_tables
      where schemaname = current_schema() and relname <> 'site_change' and n_tup_ins + n_tup_upd + n_tup_del > 0
      order by relname`,
  });

/** An old or another address of an object. */
export type Address = { path: string; oid: number };

/** The addresses that lead to some objects. */
export const addressesOf = (db: Queryable, oids: readonly number[]): Promise<Address[]> =>
  db.query<Address>({
    text: 'select path, target as oid from redirect where target = any($1::bigint[]) order by path',
    values: [oids],
  });
