import { claims, hasRows, type Queryable } from '#core';

/** Number of expired codes that are removed with each new code. */
const PRUNE_BATCH = 100;

/** The subject of a code: a form, and the address that it was mailed to, in lower case. */
export type CodePlace = { page: string; block: string; address: string };

/** Stores the hash of a new code, in the place of an older one. */
export async function storeCode(
  db: Queryable,
  { page, block, address }: CodePlace,
  { hash, expires }: { hash: string; expires: Date },
): Promise<void> {
  await db.query({
    name: 'store-email-code',
    text: `with old as (
        delete from email_code where ctid in (
          ${claims.UNCLAIMED(`select ctid from email_code where expires <= $6 and (page, block, address) <> ($1, $2, $3) limit ${PRUNE_BATCH}`)})
      )
      insert into email_code (page, block, address, code_hash, expires) values ($1, $2, $3, $4, $5)
      on conflict (page, block, address) do update set code_hash = excluded.code_hash, expires = excluded.expires, attempts = 0`,
    values: [page, block, address, hash, expires, new Date()],
  });
}

/** Counts an attempt, and returns the hash of the code; undefined when there is no code or no attempt left. */
export async function tryCode(
  db: Queryable,
  { page, block, address }: CodePlace,
  maxAttempts: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ hash: string }>({
    name: 'try-email-code',
    text: `update email_code set attempts = attempts + 1
      where page = $1 and block = $2 and address = $3 and expires > $4 and attempts < $5 returning code_hash as hash`,
    values: [page, block, address, new Date(), maxAttempts],
  });
  return row?.hash;
}

/** Takes back the count of an attempt, because the code was right. */
export async function forgiveAttempt(db: Queryable, { page, block, address }: CodePlace, hash: string): Promise<void> {
  await db.query({
    name: 'forgive-email-code',
    text: `update email_code set attempts = greatest(0, attempts - 1)
      where page = $1 and block = $2 and address = $3 and code_hash = $4`,
    values: [page, block, address, hash],
  });
}

/** Removes a used code. Returns whether it was still there. */
export const useCode = (db: Queryable, { page, block, address }: CodePlace, hash: string): Promise<boolean> =>
  hasRows(db, {
    name: 'use-email-code',
    text: `delete from email_code where page = $1 and block = $2 and address = $3 and code_hash = $4 and expires > $5
      returning 1`,
    values: [page, block, address, hash, new Date()],
  });
