import type { Transaction } from '../../../storage/database.ts';
import type { AuditEntry } from '../../audit-log/entry.ts';
import { entriesJson, INSERT_ENTRIES } from '../../audit-log/statements/insert.ts';
import type { Step } from '../steps.ts';

/** A transaction that is about to be committed. */
type NewTransaction = {
  actor: string;
  clientAddress: string | undefined;
  description: string;
  steps: readonly Step[];
  /** Steps that are not kept. */
  more: number;
  undoes: readonly number[];
  /** Types whose objects have versions. */
  types: readonly string[];
  /** What the audit log has of it. */
  entries: readonly AuditEntry[];
};

const asJson = (steps: readonly Step[]): string =>
  JSON.stringify(steps.map(({ action, content, path, data }) => ({ action, content, path: path ?? null, data })));

/** The number of the transaction that was stored last by this one: it is stored once only. */
const STORED = `currval(pg_get_serial_sequence('site_transaction', 'id'))`;

/** The rows of the steps in the JSON of `steps`, numbered from `first` on. */
const STEPS = (transaction: string, steps: string, first: string, types: string) =>
  `insert into site_transaction_step (transaction, number, action, content, path, version, data)
    select ${transaction}, ${first} + s.number, s.value->>'action', (s.value->>'content')::bigint, coalesce(s.value->>'path', c.path, ''),
      case when s.value->>'action' = 'edited' and c.type = any(${types}::text[]) and c.fields->'versioning_enabled' is distinct from 'false'
        then (select max(v.number) from version v where v.content = c.oid) end, s.value->'data'
    from jsonb_array_elements(${steps}::jsonb) with ordinality s(value, number)
      left join content c on c.oid = (s.value->>'content')::bigint`;

/** The path of the first step. */
const FIRST_PATH = `coalesce($4::jsonb->0->>'path', (select path from content where oid = ($4::jsonb->0->>'content')::bigint), '')`;

const INSERT = `with entered as (
    insert into site_transaction (actor, client_address, description, path, size, undoes, incomplete)
    values ($1, $2, $3, ${FIRST_PATH}, $5, $6::bigint[], $7) returning id
  ), marked as (
    update site_transaction t set undone_by = e.id from entered e where t.id = any($6::bigint[])
  ), effective_again as (
    update site_transaction t set undone_by = null where $6::bigint[] <> '{}' and t.undone_by = any($6::bigint[]) and not t.id = any($6::bigint[])
  ), steps as (
    ${STEPS('(select id from entered)', '$4', '0', '$8')}
  ), audited as (
    ${INSERT_ENTRIES({ actor: '$1', address: '$2', entries: '$9' })}
  )
  select from entered`;

/**
 * Stores a transaction with its steps and its entries of the audit log in one statement, which goes with the commit, and marks those
 * that it undoes.
 */
export async function insertTransaction(tx: Transaction, transaction: NewTransaction): Promise<void> {
  const steps = asJson(transaction.steps);
  await tx.query({
    name: 'record-transaction',
    deferred: true,
    text: INSERT,
    values: [
      transaction.actor,
      transaction.clientAddress ?? null,
      transaction.description,
      steps,
      Buffer.byteLength(steps),
      transaction.undoes,
      transaction.more > 0,
      transaction.types,
      entriesJson(transaction.entries),
    ],
  });
}

/** Adds steps that came after the transaction was stored, in the same transaction. */
export async function addSteps(
  tx: Transaction,
  { first, steps, types }: { first: number; steps: readonly Step[]; types: readonly string[] },
): Promise<void> {
  await tx.query({
    name: 'record-steps',
    deferred: true,
    text: STEPS(STORED, '$1', '$2::int', '$3'),
    values: [asJson(steps), first, types],
  });
}
