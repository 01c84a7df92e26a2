import type { Queryable } from '../../../storage/database.ts';
import type { StoredStep } from '../steps.ts';

/** A transaction in a list. */
export type TransactionRow = {
  id: number;
  at: Date;
  actor: string;
  description: string;
  path: string;
  size: number;
  undoneBy: number | null;
};

/** A page of the transactions, the newest first. */
export const listTransactions = (
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<TransactionRow[]> =>
  db.query<TransactionRow>({
    name: 'list-transactions',
    text: `select id, at, actor, description, path, size, undone_by as "undoneBy" from site_transaction
      order by id desc limit $1 offset $2`,
    values: [limit, offset],
  });

/** A transaction that is to be undone. */
export type StoredTransaction = {
  id: number;
  at: Date;
  undoneBy: number | null;
  incomplete: boolean;
  steps: StoredStep[];
};

/** Locks the transactions with these numbers: nobody else can undo them meanwhile. Returns how many steps they have together. */
export async function lockTransactions(db: Queryable, ids: readonly number[]): Promise<number> {
  await db.query({
    name: 'lock-transactions',
    text: 'select 1 from site_transaction where id = any($1::bigint[]) order by id desc for update',
    values: [ids],
  });
  const [row] = await db.query<{ steps: number }>({
    name: 'count-transaction-steps',
    text: 'select count(*)::int as steps from site_transaction_step where transaction = any($1::bigint[])',
    values: [ids],
  });
  return row?.steps ?? 0;
}

/** The transactions with these numbers, the newest first, each with its steps. */
export const loadTransactions = (db: Queryable, ids: readonly number[]): Promise<StoredTransaction[]> =>
  db.query<StoredTransaction>({
    name: 'load-transactions',
    text: `select id, at, undone_by as "undoneBy", incomplete, coalesce((
        select jsonb_agg(jsonb_build_object('action', s.action, 'content', s.content, 'path', s.path, 'version', s.version, 'data', s.data)
          order by s.number)
        from site_transaction_step s where s.transaction = t.id), '[]') as steps
      from site_transaction t where id = any($1::bigint[]) order by id desc`,
    values: [ids],
  });

/** Removes up to `limit` transactions from before `before`, the oldest first. Returns their number. */
export async function pruneTransactionRows(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'prune-transactions',
    text: `delete from site_transaction where id in
        (select id from site_transaction where at < $1 order by at limit $2 for update skip locked) returning id`,
    values: [before, limit],
  });
  return rows.length;
}
