import { type audit, firstRow, type journal, type Transaction } from '#core';
import { entriesJson, INSERT_ENTRIES } from '../../audit-log/statements/insert.ts';
import { notesJson } from '../../changes/merge-notes.ts';
import { ANNOUNCE, announceBatches } from '../../changes/statements/announce.ts';

/** A transaction before its commit. */
type NewTransaction = {
  actor: string;
  clientAddress: string | undefined;
  description: string;
  steps: readonly journal.Step[];
  /** Number of further steps, which are not stored. */
  more: number;
  undoes: readonly number[];
  /** Types whose objects have versions. */
  types: readonly string[];
  /** Its entries in the audit log. */
  entries: readonly audit.Entry[];
  /** Its notes for the feed of changes. */
  changes: readonly journal.ChangeNote[];
  /** Says if dates of publication hide content. */
  isDated: boolean;
};

/**
 * The steps as the JSON that `STEPS` takes. `later` of an edit is the number of versions of its object that later steps have made: its own version is
 * the newest version minus this number.
 */
function asJson(steps: readonly journal.Step[]): string {
  const made = new Map<number | null, number>();
  const rows = steps.toReversed().map(({ action, content, path, data }) => {
    const later = made.get(content) ?? 0;
    if (action === 'edited') made.set(content, later + data.versions);
    return { action, content, path: path ?? null, data, later };
  });
  return JSON.stringify(rows.reverse());
}

/** The number of the object of a step. */
const CONTENT = `(s.value->>'content')::bigint`;

/**
 * The rows of the steps in the JSON of `steps`. Their objects are looked up one by one: the planner expects a hundred steps, and would scan all
 * content for so many. The types stand in a subselect, so that a change of their number does not require a new plan.
 */
const STEPS = ({ transaction, steps, types }: { transaction: string; steps: string; types: string }) =>
  `insert into site_transaction_step (transaction, number, action, content, path, version, data)
    select ${transaction}, s.number, s.value->>'action', ${CONTENT},
      coalesce(s.value->>'path', (select path from content where oid = ${CONTENT}), ''),
      case when s.value->>'action' = 'edited' and (
          select c.type = any((select ${types}::text[])::text[]) and c.fields->'versioning_enabled' is distinct from 'false' from content c where c.oid = ${CONTENT}
        ) then (select max(v.number) from version v where v.content = ${CONTENT}) - (s.value->>'later')::int end, s.value->'data'
    from jsonb_array_elements(${steps}::jsonb) with ordinality s(value, number)`;

/** The path of the first step. */
const FIRST_PATH = `coalesce($4::jsonb->0->>'path', (select path from content where oid = ($4::jsonb->0->>'content')::bigint), '')`;

/** Marks the given transactions as undone, and the transactions that they had undone as effective again. */
const UNDOING = `marked as (
    update site_transaction t set undone_by = e.id from entered e where t.id = any($11::bigint[])
  ), effective_again as (
    update site_transaction t set undone_by = null where t.undone_by = any($11::bigint[]) and not t.id = any($11::bigint[])
  ),`;

/** Few transactions undo others, so others get a statement without this cost. */
const insertion = (undoes: readonly number[]): { name: string; text: string } => ({
  name: undoes.length > 0 ? 'record-undoing-transaction' : 'record-transaction',
  text: `with entered as (
    insert into site_transaction (actor, client_address, description, path, size, incomplete, undoes)
    values ($1, $2, $3, ${FIRST_PATH}, $5, $6, ${undoes.length > 0 ? '$11::bigint[]' : `'{}'`}) returning id
  ), ${undoes.length > 0 ? UNDOING : ''} steps as (
    ${STEPS({ transaction: '(select id from entered)', steps: '$4', types: '$7' })}
  ), audited as (
    ${INSERT_ENTRIES({ actor: '$1', address: '$2', entries: '$8' })}
  )
  select from entered, ${ANNOUNCE({ notes: '$9', dated: '$10' })}`,
});

/**
 * Stores a transaction with its steps, its entries of the audit log and its events for the feed of changes in one statement, which is sent with the
 * commit, and marks the transactions that it undoes. Very many events have statements of their own.
 */
export async function insertTransaction(tx: Transaction, transaction: NewTransaction): Promise<void> {
  const steps = asJson(transaction.steps);
  const [changes, ...moreChanges] = notesJson(transaction.changes);
  await tx.query({
    ...insertion(transaction.undoes),
    deferred: true,
    values: [
      transaction.actor,
      transaction.clientAddress ?? null,
      transaction.description,
      steps,
      Buffer.byteLength(steps),
      transaction.more > 0,
      transaction.types,
      entriesJson(transaction.entries),
      changes,
      transaction.isDated,
      ...(transaction.undoes.length > 0 ? [transaction.undoes] : []),
    ],
  });
  await announceBatches(tx, moreChanges, transaction.isDated);
}

/** The number of the row that a transaction has inserted last. */
export async function lastTransaction(tx: Transaction): Promise<number> {
  const row = await firstRow<{ id: number }>(tx, {
    name: 'last-recorded-transaction',
    text: `select currval(pg_get_serial_sequence('site_transaction', 'id')) as id`,
  });
  if (!row) throw new Error('A transaction that was recorded has no number');
  return Number(row.id);
}
