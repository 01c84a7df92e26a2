import { accountRows, hasRows, type Queryable } from '#core';

/** The stored codes of an account. */
export type Totp = { secret: string; confirmed: Date | null; recoveryLeft: number };

/** The name of this factor in accounts. */
export const TOTP = 'totp';

/** The codes of an account; undefined when the account has not set up this factor. */
export async function findTotp(db: Queryable, account: string): Promise<Totp | undefined> {
  const text = `select secret, confirmed, cardinality(recovery) as "recoveryLeft" from totp where account = $1`;
  return (await db.query<Totp>({ text, values: [account] }))[0];
}

/** Stores a new secret until it is confirmed. Returns false when the account has a confirmed secret, which stays. */
export const proposeSecret = (db: Queryable, account: string, secret: string): Promise<boolean> =>
  hasRows(db, {
    text: `insert into totp as t (account, secret) values ($1, $2)
      on conflict (account) do update set secret = excluded.secret, last_step = 0 where t.confirmed is null
      returning account`,
    values: [account, secret],
  });

/** Confirms the proposed secret, so that it becomes valid. Returns false when the secret was replaced, or is confirmed already. */
export const confirmSecret = (
  tx: Queryable,
  account: string,
  { secret, step, recovery, at }: { secret: string; step: number; recovery: readonly string[]; at: Date },
): Promise<boolean> =>
  hasRows(tx, {
    text: `with confirmed as (
        update totp set confirmed = $3, last_step = $4, recovery = $5
        where account = $1 and secret = $2 and confirmed is null returning account
      )
      ${accountRows.SET_SECOND_FACTOR(TOTP, 'id in (select account from confirmed)')} returning id`,
    values: [account, secret, at, step, recovery],
  });

/** Uses up the code of a time step. Returns false when this or a later code was used. */
export async function useStep(db: Queryable, account: string, step: number): Promise<boolean> {
  const text = 'update totp set last_step = $2 where account = $1 and last_step < $2 returning account';
  return (await db.query({ text, values: [account, step] })).length > 0;
}

/** Uses up a recovery code by its hash. Returns false when it is unknown, or was used before. */
export const useRecoveryCode = (db: Queryable, account: string, hash: string): Promise<boolean> =>
  hasRows(db, {
    text: `update totp set recovery = array_remove(recovery, $2)
      where account = $1 and confirmed is not null and $2 = any(recovery) returning account`,
    values: [account, hash],
  });

/** Replaces the recovery codes of an account. */
export async function replaceRecoveryCodes(db: Queryable, account: string, hashes: readonly string[]): Promise<void> {
  const text = 'update totp set recovery = $2 where account = $1 and confirmed is not null';
  await db.query({ text, values: [account, hashes] });
}

/** Removes the second factor of an account. Returns whether there was one. */
export const removeTotp = (db: Queryable, account: string): Promise<boolean> =>
  hasRows(db, {
    text: `with cleared as (${accountRows.SET_SECOND_FACTOR(null, `id = $1 and second_factor = '${TOTP}'`)})
      delete from totp where account = $1 returning account`,
    values: [account],
  });
