import { contentSql, firstRow, hasRows, type Queryable } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { DoneObject, Selected } from './changes/operation.ts';

/**
 * The outcome of a change for one object. `target` is the new path of a moved object or of a copy; `type` and `reason` say why a change was rejected.
 */
export type Outcome = {
  outcome: 'changed' | 'unchanged' | 'refused';
  target: string | null;
  type: string | null;
  reason: string | null;
};

export const OUTCOMES = ['changed', 'unchanged', 'refused'] as const;

/** A stored change of many objects. */
export type StoredChange = { id: string; actor: string; data: JsonObject; created: Date };

const VIEWABLE = contentSql.viewed(
  'bulk-viewable',
  (rule) => `select c.uid, c.path from content c join catalog k using (oid)
    where (c.uid = any($1) or c.path = any($2)) and ${rule.viewable('$3')}`,
);

/** The objects with some UIDs and at some paths that the viewers may view, in no order. */
export const viewableObjects = (
  db: Queryable,
  { principals, rule }: contentSql.Viewers,
  { uids, paths }: { uids: readonly string[]; paths: readonly string[] },
): Promise<Selected[]> => db.query<Selected>({ ...VIEWABLE(rule), values: [uids, paths, principals] });

/** Removes some changes that were made before `before`; each new change removes more. */
const PRUNED =
  'delete from bulk_change where id in (select id from bulk_change where created < $5 order by created limit 20)';

/** The unfinished changes of a user. */
const UNFINISHED = `select from bulk_change b where b.actor = $2
  and exists (select from bulk_object o where o.bulk = b.id and o.outcome is null) limit $6`;

/** A row of a selection: an object, or a text that names none, with its outcome. */
export type NewObject = Selected & Partial<Outcome>;

/**
 * Stores a change with its objects, unless the user has `maxUnfinished` unfinished changes, and removes old changes. Returns whether it was stored.
 */
export async function insertBulkChange(
  tx: Queryable,
  { id, actor, data }: Omit<StoredChange, 'created'>,
  objects: readonly NewObject[],
  { before, maxUnfinished }: { before: Date; maxUnfinished: number },
): Promise<boolean> {
  return hasRows(tx, {
    name: 'bulk-insert',
    text: `with pruned as (${PRUNED}), entered as (
        insert into bulk_change (id, actor, data)
        select $1::uuid, $2, $3::jsonb where (select count(*) from (${UNFINISHED}) unfinished) < $6 returning id
      )
      insert into bulk_object (bulk, number, uid, path, outcome, type, reason)
      select entered.id, o.number, o.value->>'uid', o.value->>'path', o.value->>'outcome', o.value->>'type', o.value->>'reason'
      from entered, jsonb_array_elements($4::jsonb) with ordinality o(value, number) returning 1`,
    values: [id, actor, JSON.stringify(data), JSON.stringify(objects), before, maxUnfinished],
  });
}

/** A stored change; undefined for an unknown id, and for a change of another user. */
export const findBulkChange = (
  db: Queryable,
  id: string,
  actor: string | undefined,
): Promise<StoredChange | undefined> =>
  firstRow<StoredChange>(db, {
    name: 'bulk-find',
    text: 'select id, actor, data, created from bulk_change where id = $1::uuid and ($2::text is null or actor = $2)',
    values: [id, actor ?? null],
  });

/** An object of a stored change. */
export type StoredObject = Selected & { number: number };

/** The next objects that are still to be changed. */
export const pendingObjects = (db: Queryable, bulk: string, limit: number): Promise<StoredObject[]> =>
  db.query<StoredObject>({
    name: 'bulk-pending',
    text: 'select number, uid, path from bulk_object where bulk = $1::uuid and outcome is null order by number limit $2',
    values: [bulk, limit],
  });

/** Locks the objects that are still to be changed: another job of the same change waits for the locks, and then skips these objects. */
export const lockPending = (tx: Queryable, bulk: string, numbers: readonly number[]): Promise<StoredObject[]> =>
  tx.query<StoredObject>({
    name: 'bulk-lock-pending',
    text: `select number, uid, path from bulk_object
      where bulk = $1::uuid and number = any($2) and outcome is null order by number for update`,
    values: [bulk, numbers],
  });

/** The objects of a change that are done and were not rejected. */
export const doneObjects = (tx: Queryable, bulk: string): Promise<DoneObject[]> =>
  tx.query<DoneObject>({
    name: 'bulk-done',
    text: `select path, target, outcome from bulk_object where bulk = $1::uuid and outcome in ('changed', 'unchanged') order by number`,
    values: [bulk],
  });

/** Stores the outcomes of objects. */
export async function storeOutcomes(
  tx: Queryable,
  bulk: string,
  outcomes: readonly (Outcome & { number: number })[],
): Promise<void> {
  await tx.query({
    name: 'bulk-store-outcomes',
    text: `update bulk_object b set outcome = o.outcome, target = o.target, type = o.type, reason = o.reason
      from jsonb_to_recordset($2::jsonb) o(number int, outcome text, target text, type text, reason text)
      where b.bulk = $1::uuid and b.number = o.number`,
    values: [bulk, JSON.stringify(outcomes)],
  });
}

/** Notes the number of the present site_transaction for objects that it has changed. */
export async function storeTransaction(
  tx: Queryable,
  bulk: string,
  numbers: readonly number[],
  transaction: number,
): Promise<void> {
  await tx.query({
    name: 'bulk-store-transaction',
    text: 'update bulk_object set transaction = $3 where bulk = $1::uuid and number = any($2)',
    values: [bulk, numbers, transaction],
  });
}

/** Numbers of objects by their outcome; `transactions` are the numbers of the transactions that changed objects, in their order. */
export type Counts = {
  changed: number;
  unchanged: number;
  refused: number;
  pending: number;
  transactions: number[];
};

/** Counts the objects of a change. */
export async function countOutcomes(db: Queryable, bulk: string): Promise<Counts> {
  const row = await firstRow<Counts>(db, {
    name: 'bulk-counts',
    text: `select count(*) filter (where outcome = 'changed')::int as changed,
        count(*) filter (where outcome = 'unchanged')::int as unchanged,
        count(*) filter (where outcome = 'refused')::int as refused,
        count(*) filter (where outcome is null)::int as pending,
        coalesce(array_agg(distinct transaction order by transaction) filter (where transaction is not null), '{}') as transactions
      from bulk_object where bulk = $1::uuid`,
    values: [bulk],
  });
  if (!row) throw new Error('A count has no row');
  return { ...row, transactions: row.transactions.map(Number) };
}

/** An object in the report of a change. */
export type ReportedObject = Selected & { outcome: string | null } & Pick<Outcome, 'target' | 'type' | 'reason'> & {
    total: number;
  };

/** A part of the report of a change: all objects, or the objects with one outcome. */
export const reportedObjects = (
  db: Queryable,
  bulk: string,
  { outcome, start, size }: { outcome: string | undefined; start: number; size: number },
): Promise<ReportedObject[]> =>
  db.query<ReportedObject>({
    name: 'bulk-report',
    text: `select uid, path, outcome, target, type, reason, (count(*) over ())::int as total from bulk_object
      where bulk = $1::uuid and ($2::text is null or coalesce(outcome, 'pending') = $2) order by number offset $3 limit $4`,
    values: [bulk, outcome ?? null, start, size],
  });

/** The UIDs and paths of all objects of a change. */
export const allObjects = (db: Queryable, bulk: string): Promise<Selected[]> =>
  db.query<Selected>({
    name: 'bulk-all',
    text: `select uid, path from bulk_object where bulk = $1::uuid and uid <> '' order by number`,
    values: [bulk],
  });
