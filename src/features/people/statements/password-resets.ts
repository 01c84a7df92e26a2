import { firstRow, type Queryable } from '#core';

/** The account of a token for a new password. `valid` is false once it has expired or the password was changed. */
export type PasswordReset = { id: string; login: string; email: string; valid: boolean };

/** Expired tokens deleted with each new one. */
const PRUNE_BATCH = 100;
/** A condition: the token of a new site is valid only while the site has no other account. */
const MAY_COUNT = 'not (r.only_account and exists (select from account other where other.id <> r.account))';
/** The retention of expired tokens, so that their users learn that the token has expired. */
const EXPIRED_RETENTION = '7 days';

/**
 * Stores the hash of a token that sets the password of an account. With `onlyAccount` the token is valid only while the site has no other account.
 */
export async function insertReset(
  db: Queryable,
  {
    tokenHash,
    account,
    created,
    expires,
    onlyAccount = false,
  }: { tokenHash: string; account: string; created: Date; expires: Date; onlyAccount?: boolean },
): Promise<void> {
  await db.query({
    text: `with old as (
        delete from password_reset where token_hash in (
          select token_hash from password_reset where expires < $3::timestamptz - interval '${EXPIRED_RETENTION}' limit ${PRUNE_BATCH})
      )
      insert into password_reset (token_hash, account, created, expires, only_account) values ($1, $2, $3, $4, $5)`,
    values: [tokenHash, account, created, expires, onlyAccount],
  });
}

/** Returns how many tokens an account got since a time, counting up to `limit`. */
export async function countResets(db: Queryable, account: string, since: Date, limit: number): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    name: 'people-count-resets',
    text: `select count(*)::int as n from (
        select from password_reset where account = $1 and created > $2 limit $3) recent`,
    values: [account, since, limit],
  });
  return row?.n ?? 0;
}

/** Returns the account of the token with this hash; undefined when no account has it. The token stays unused. */
export const findReset = (db: Queryable, tokenHash: string, now: Date): Promise<PasswordReset | undefined> =>
  firstRow<PasswordReset>(db, {
    name: 'people-find-reset',
    text: `select a.id, a.login, a.email, r.created > a.tokens_valid_from and r.expires > $2 and ${MAY_COUNT} as valid
      from password_reset r join account a on a.id = r.account where r.token_hash = $1`,
    values: [tokenHash, now],
  });

/**
 * Uses up a token and all others of its account. Returns the id of the account; undefined when the token is no longer valid. The account is locked,
 * so that only one of two simultaneous uses succeeds and the password cannot change meanwhile.
 */
export async function useReset(tx: Queryable, tokenHash: string, now: Date): Promise<string | undefined> {
  const rows = await tx.query<{ id: string }>({
    text: `with holder as (
        select a.id, a.tokens_valid_from from account a
        where a.id = (select account from password_reset where token_hash = $1) for no key update
      )
      delete from password_reset r using holder h
      where r.token_hash = $1 and r.created > h.tokens_valid_from and r.expires > $2 and ${MAY_COUNT} returning h.id`,
    values: [tokenHash, now],
  });
  const id = rows[0]?.id;
  if (id !== undefined) await tx.query({ text: 'delete from password_reset where account = $1', values: [id] });
  return id;
}

/**
 * Returns the accounts whose id, login name or (in upper or lower case) e-mail address is `name`. Accounts without an
 * address are left out.
 */
export async function matchedAccounts(db: Queryable, name: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'people-accounts-meant',
    text: `select id from account where (id = $1 or login = $1 or lower(email) = lower($1)) and email <> '' and disabled is null
      order by id limit $2`,
    values: [name, limit],
  });
  return rows.map(({ id }) => id);
}
