import type { Queryable } from '../../../database/database.ts';

/** Maximum number of expired rows that one new token removes. */
const PRUNE_BATCH = 1000;

/** The client that requested a token: the network of its address, and its User-Agent. */
export type TokenOrigin = { network: string; agent: string };

/** A stored token: its id (`jti`), its account, its origin, and the times of its issue and of its expiry (null for never). */
export type IssuedToken = TokenOrigin & { id: string; account: string; issued: Date; expires: Date | null };

/** Stores a token's id, and removes a batch of tokens that have expired before `now`, so that the table stays small. */
export async function keepToken(db: Queryable, token: IssuedToken, now: Date): Promise<void> {
  const { id, account, issued, expires, network, agent } = token;
  await db.query({
    text: `with expired as (
        delete from issued_token where id in (select id from issued_token where expires < $4 limit ${PRUNE_BATCH})
      )
      insert into issued_token (id, account, expires, issued, network, agent) values ($1, $2, $3, $5, $6, $7)`,
    values: [id, account, expires, now, issued, network, agent],
  });
}

/** Says if the token of an account is stored. */
export async function isTokenKept(db: Queryable, id: string, account: string): Promise<boolean> {
  const text = 'select id from issued_token where id = $1 and account = $2';
  return (await db.query({ name: 'issued-token', text, values: [id, account], reads: true })).length > 0;
}

/**
 * Removes a stored token and returns its origin; undefined for a token that is not stored. With `account`, only a token of this account is removed.
 */
export async function forgetToken(db: Queryable, id: string, account?: string): Promise<TokenOrigin | undefined> {
  const text = `delete from issued_token where id = $1 and ($2::text is null or account = $2) returning network, agent`;
  return (await db.query<TokenOrigin>({ text, values: [id, account ?? null] }))[0];
}

/** A batch of the stored tokens of an account that are valid at `now`, the newest first, and their total. */
export async function listTokens(
  db: Queryable,
  account: string,
  { now, limit, offset }: { now: Date; limit: number; offset: number },
): Promise<{ items: IssuedToken[]; total: number }> {
  const counting = 'account = $1 and (expires is null or expires > $2)';
  const [count] = await db.query<{ total: string }>({
    text: `select count(*) as total from issued_token where ${counting}`,
    values: [account, now],
  });
  const items = await db.query<IssuedToken>({
    text: `select id, account, issued, expires, network, agent from issued_token where ${counting}
      order by issued desc, id limit $3 offset $4`,
    values: [account, now, limit, offset],
  });
  return { items, total: Number(count?.total ?? 0) };
}

/** Makes all tokens of an account from before `at` invalid, stored or not. */
export async function endTokens(db: Queryable, account: string, at: Date): Promise<void> {
  await db.query({
    text: `with ended as (
        update account set tokens_valid_from = greatest($2, tokens_valid_from + interval '1 ms') where id = $1)
      delete from issued_token where account = $1`,
    values: [account, at],
  });
}

/** The channel of notifications that the keys have changed; processes then reload their keyring. */
export const KEYRING_CHANNEL = 'keyring';

/** A secret that tokens are signed with. */
export type SigningKeyRow = { id: string; secret: string };

/** All keys, the newest first. */
export function loadKeys(db: Queryable): Promise<SigningKeyRow[]> {
  return db.query({ text: 'select id, secret from signing_key order by created desc, id desc', reads: true });
}

/** Makes the static key and the first key of the ring if they are missing; of two processes only one makes them. */
export async function createMissingKeys(db: Queryable, first: SigningKeyRow, fixed: SigningKeyRow): Promise<void> {
  await db.query({
    text: `insert into signing_key (id, secret)
      select $1::text, $2::text where not exists (select from signing_key where id <> $3)
      union all select $3::text, $4::text
      on conflict (id) do nothing`,
    values: [first.id, first.secret, fixed.id, fixed.secret],
  });
}

/** State that decides about tokens, read by one statement: the ids of all keys, the newest first, and the version of the configuration. */
export type TokenVersions = { keys: string; configuration: string };

/** The columns of `TokenVersions`, for statements that are run anyway. */
export const TOKEN_VERSIONS = `(select coalesce(string_agg(id, ' ' order by created desc, id desc), '') from signing_key) as keys,
  coalesce((select value from site_state where name = 'configuration'), '0') as configuration`;

/** The present keys and configuration. */
export async function loadTokenVersions(db: Queryable): Promise<TokenVersions> {
  const [row] = await db.query<TokenVersions>({
    name: 'token-versions',
    text: `select ${TOKEN_VERSIONS}`,
    reads: true,
  });
  if (!row) throw new Error('The database did not tell its keys');
  return row;
}

/** Adds a key, which is the newest from now on, and notifies the other processes. */
export async function addKey(db: Queryable, { id, secret }: SigningKeyRow): Promise<void> {
  await db.query({
    text: `with added as (
        insert into signing_key (id, secret, created) values ($1, $2, clock_timestamp()) returning id
      )
      select pg_notify($3, '') from added`,
    values: [id, secret, KEYRING_CHANNEL],
  });
}

/** Removes keys that were made before `olderThan`, except the newest key and the key with the id `kept`. */
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
