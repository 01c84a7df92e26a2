import { claims, contentSql, type Queryable } from '#core';
import { ALWAYS_UNDOABLE, type StoredStep } from '../steps.ts';
import type { FinalStep } from '../undo/final.ts';

/** A transaction in a list. */
export type TransactionRow = {
  id: number;
  at: Date;
  actor: string;
  description: string;
  path: string;
  size: number;
  undoneBy: number | null;
  incomplete: boolean;
  /** The last step that cannot be undone; null if all can. */
  final: FinalStep | null;
};

/** A filter of transactions; an undefined member does not limit them. */
export type TransactionFilter = {
  username: string | undefined;
  /** Narrows to changes of content that was at or below this path at that time. */
  path: string | undefined;
};

/** True if the transaction of the step `s` has a step of one of the actions with the same object. */
const ALSO = (actions: string) =>
  `exists (select from site_transaction_step o where o.transaction = s.transaction and o.content = s.content and o.action in ${actions})`;

/**
 * The last step of the transaction `t` that cannot be undone any more, as JSON. Steps of content that the transaction has created do not count,
 * because an undo removes the content; deleted content has its versions in the recycle bin.
 */
const FINAL_STEP = `select jsonb_build_object('action', s.action, 'path', s.path) as step from site_transaction_step s
  where s.transaction = t.id and case s.action
      when 'edited' then s.version is null and not ${ALSO(`('deleted')`)}
      when 'deleted' then not exists (select from recycled r where r.deleted = t.at and r.oid = s.content)
      when 'checkedIn' then not exists (
        select from site_transaction_step o where o.transaction = s.transaction and o.action <> 'checkedIn')
      when 'ordered' then s.data->'moves' = 'null'
      when 'aliased' then s.data->'redirects' = 'null'
      else not s.action = any('{${ALWAYS_UNDOABLE.join()}}')
    end and not ${ALSO(`('created', 'copied', 'restored')`)}
  order by s.number desc limit 1`;

/** A page of the transactions, the newest first. */
export function listTransactions(
  db: Queryable,
  { username, path }: TransactionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<TransactionRow[]> {
  const values: unknown[] = [limit, offset];
  const conditions = ['true'];
  if (username !== undefined) conditions.push(`actor = $${values.push(username)}`);
  if (path !== undefined)
    conditions.push(`id in (select s.transaction from site_transaction_step s
        where ${contentSql.AT_OR_BELOW('s.path', `$${values.push(path)}::text collate "C"`)})`);
  return db.query<TransactionRow>({
    text: `select t.*, (${FINAL_STEP}) as final from (
        select id, at, actor, description, path, size, undone_by as "undoneBy", incomplete from site_transaction
        where ${conditions.join(' and ')} order by id desc limit $1 offset $2
      ) t order by id desc`,
    values,
  });
}

/** A transaction to be undone. */
export type StoredTransaction = {
  id: number;
  at: Date;
  undoneBy: number | null;
  incomplete: boolean;
  steps: StoredStep[];
};

/** Locks the transactions with these numbers, so that no other request undoes them meanwhile. Returns the number of their steps. */
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

/** Removes up to `limit` transactions that are older than `before`, the oldest first. Returns their number. */
export async function pruneTransactionRows(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'prune-transactions',
    text: `delete from site_transaction where id in
        (${claims.UNCLAIMED('select id from site_transaction where at < $1 order by at limit $2')}) returning id`,
    values: [before, limit],
  });
  return rows.length;
}
