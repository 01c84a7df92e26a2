import type { Queryable } from '../../../database/database.ts';

/** Responses that one statement removes. */
const PRUNE_BATCH = 500;

/** A stored response: the digest of its request, the bytes of the request body, and the response as JSON. */
export type KeptRow = { fingerprint: string; bytes: number; response: string };

/** A response by its id; undefined if none was stored since `since`. */
export async function findKept(db: Queryable, id: string, since: Date): Promise<KeptRow | undefined> {
  const [row] = await db.query<KeptRow>({
    name: 'find-kept-response',
    text: 'select fingerprint, bytes, response from kept_response where id = $1 and created > $2',
    values: [id, since],
    reads: true,
  });
  return row;
}

/** Claims an id until the end of the transaction. Returns false when another transaction has claimed the id, or has stored a response for it. */
export async function claimKey(tx: Queryable, id: string, since: Date): Promise<boolean> {
  const [row] = await tx.query<{ free: boolean }>({
    name: 'claim-idempotency-key',
    text: `select pg_try_advisory_xact_lock(hashtextextended($1, 72))
        and not exists (select from kept_response where id = $1 and created > $2) as free`,
    values: [id, since],
  });
  return row?.free === true;
}

/** Stores a response. Returns false when another transaction has just stored one since `since`. */
export async function insertKept(
  db: Queryable,
  { id, fingerprint, bytes, response }: KeptRow & { id: string },
  since: Date,
): Promise<boolean> {
  const rows = await db.query({
    name: 'insert-kept-response',
    text: `insert into kept_response (id, fingerprint, bytes, response)
      values ($1, $2, $3, $4)
      on conflict (id) do update set fingerprint = excluded.fingerprint, bytes = excluded.bytes,
        response = excluded.response, created = excluded.created where kept_response.created <= $5
      returning 1`,
    values: [id, fingerprint, bytes, response, since],
  });
  return rows.length > 0;
}

/** Removes responses that were stored until `before`. Returns true when more of them may be left. */
export async function pruneKept(db: Queryable, before: Date): Promise<boolean> {
  const rows = await db.query({
    name: 'prune-kept-responses',
    text: `delete from kept_response where id in (
        select id from kept_response where created <= $1 order by created limit ${PRUNE_BATCH}) returning 1`,
    values: [before],
  });
  return rows.length === PRUNE_BATCH;
}
