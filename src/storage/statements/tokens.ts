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

/** Forgets a token; returns whether it was kept until now. */
export async function forgetToken(db: Queryable, id: string): Promise<boolean> {
  return (await db.query({ text: 'delete from issued_token where id = $1 returning id', values: [id] })).length > 0;
}

/** Processes that listen here reload their keyring: the keys have changed. */
export const KEYRING_CHANNEL = 'keyring';

/** A secret that tokens are signed with. */
export type SigningKeyRow = { id: string; secret: string };

/** All keys, the newest first. */
export function loadKeys(db: Queryable): Promise<SigningKeyRow[]> {
  return db.query({ text: 'select id, secret from signing_key order by created desc, id desc' });
}

/** Makes the static key and the first one of the ring where they are missing; of two processes one does it. */
export async function createMissingKeys(db: Queryable, first: SigningKeyRow, fixed: SigningKeyRow): Promise<void> {
  await db.query({
    text: `insert into signing_key (id, secret)
      select $1::text, $2::text where not exists (select from signing_key where id <> $3)
      union all select $3::text, $4::text
      on conflict (id) do nothing`,
    values: [first.id, first.secret, fixed.id, fixed.secret],
  });
}

/** What decides about tokens, as of one statement: the ids of all keys, the newest first, and the version of the configuration. */
export type TokenVersions = { keys: string; configuration: string };

/** The columns of `TokenVersions`, for statements that are run anyway. */
export const TOKEN_VERSIONS = `(select coalesce(string_agg(id, ' ' order by created desc, id desc), '') from signing_key) as keys,
  coalesce((select value from site_state where name = 'configuration'), '0') as configuration`;

/** The present keys and configuration. */
export async function loadTokenVersions(db: Queryable): Promise<TokenVersions> {
  const [row] = await db.query<TokenVersions>({ name: 'token-versions', text: `select ${TOKEN_VERSIONS}` });
  if (!row) throw new Error('The database did not tell its keys');
  return row;
}

/** Adds a key, which is the newest from now on, and tells the other processes. */
export async function addKey(db: Queryable, { id, secret }: SigningKeyRow): Promise<void> {
  await db.query({
    text: `with added as (
        insert into signing_key (id, secret, created) values ($1, $2, clock_timestamp()) returning id
      )
      select pg_notify($3, '') from added`,
    values: [id, secret, KEYRING_CHANNEL],
  });
}

/** Removes keys that were made before `olderThan`, but neither the newest one nor that with the id `kept`. */
export async function removeKeys(db: Queryable, kept: string, olderThan: Date): Promise<void> {
  await db.query({
    text: `with removed as (
        delete from signing_key where id <> $1 and created < $2
          and id <> (select id from signing_key where id <> $1 order by created desc, id desc limit 1)
        returning id
      )
      select pg_notify($3, '') from (select from removed limit 1) one`,
    values: [kept, olderThan, KEYRING_CHANNEL],
  });
}
