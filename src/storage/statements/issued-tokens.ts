import type { Queryable } from '../database.ts';

/** Rows that one new token takes away, if they are expired. */
const PRUNE_BATCH = 1000;

/** A token that is kept: its id (`jti`), whose it is, and when it expires (null: never). */
export type IssuedToken = { id: string; account: string; expires: Date | null };

/** Keeps a token's id; takes away a batch of those that have expired before `now`, so that the table stays small. */
export async function keepToken(db: Queryable, { id, account, expires }: IssuedToken, now: Date): Promise<void> {
  await db.query({
    text: `with expired as (
        delete from issued_token where id in (select id from issued_token where expires < $4 limit ${PRUNE_BATCH})
      )
      insert into issued_token (id, account, expires) values ($1, $2, $3)`,
    values: [id, account, expires, now],
  });
}

/** Whether the token of an account is kept. */
export async function isTokenKept(db: Queryable, id: string, account: string): Promise<boolean> {
  const text = 'select id from issued_token where id = $1 and account = $2';
  return (await db.query({ name: 'issued-token', text, values: [id, account] })).length > 0;
}

/** Forgets a token; answers whether it was kept until now. */
export async function forgetToken(db: Queryable, id: string): Promise<boolean> {
  return (await db.query({ text: 'delete from issued_token where id = $1 returning id', values: [id] })).length > 0;
}
