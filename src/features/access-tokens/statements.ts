import { type callers, contentSql, type Queryable } from '#core';

/** A token as it is stored, with its limits. Null means all methods, the whole site, or for ever. */
export type StoredToken = {
  id: string;
  account: string;
  name: string;
  methods: string[] | null;
  /** UIDs of content. */
  subtrees: string[] | null;
  /** The scopes of an agent; null for another program. */
  scopes: callers.AgentScope[] | null;
  /** True if writes of an agent may be public at once. */
  publishes: boolean;
  created: Date;
  expires: Date | null;
};

/** A token as it is listed, with its last use. */
export type ListedToken = StoredToken & { used: Date | null; network: string | null };

const COLUMNS = 't.id, t.account, t.name, t.methods, t.subtrees, t.scopes, t.publishes, t.created, t.expires';
const WITH_USE = `${COLUMNS}, u.used, u.network from access_token t left join access_token_use u on u.token = t.id`;

/**
 * Stores a token unless its user has `most` already; returns whether it did. Concurrent calls for a user wait for each other. Removes the expired
 * tokens of the user.
 */
export async function insertToken(
  tx: Queryable,
  { id, account, name, hash, methods, subtrees, scopes, created, expires }: StoredToken & { hash: string },
  most: number,
): Promise<boolean> {
  await tx.query({ text: 'select from account where id = $1 for no key update', values: [account] });
  await tx.query({ text: 'delete from access_token where account = $1 and expires < $2', values: [account, created] });
  const rows = await tx.query({
    text: `insert into access_token (id, account, name, hash, methods, subtrees, created, expires, scopes)
      select $1::text, $2::text, $3::text, $4::text, $5::text[], $6::text[], $7::timestamptz, $8::timestamptz, $10::text[]
      where (select count(*) from access_token where account = $2) < $9 returning id`,
    values: [id, account, name, hash, methods, subtrees, created, expires, most, scopes],
  });
  return rows.length > 0;
}

/** A batch of the tokens of a user, the newest first, with the number of all. */
export async function listAccessTokens(
  db: Queryable,
  account: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: ListedToken[]; total: number }> {
  const [count] = await db.query<{ total: string }>({
    text: 'select count(*) as total from access_token where account = $1',
    values: [account],
  });
  const items = await db.query<ListedToken>({
    text: `select ${WITH_USE} where t.account = $1 order by t.created desc, t.id limit $2 offset $3`,
    values: [account, limit, offset],
  });
  return { items, total: Number(count?.total ?? 0) };
}

/** The token of a user with an id. */
export async function findAccessToken(db: Queryable, account: string, id: string): Promise<ListedToken | undefined> {
  const text = `select ${WITH_USE} where t.account = $1 and t.id = $2`;
  return (await db.query<ListedToken>({ text, values: [account, id] }))[0];
}

/** Removes a token of a user, or all of them without `id`. Returns the number of removed tokens. */
export async function deleteTokens(db: Queryable, account: string, id: string | null): Promise<number> {
  const text = 'delete from access_token where account = $1 and ($2::text is null or id = $2) returning id';
  return (await db.query({ text, values: [account, id] })).length;
}

/** Sets if writes of an agent with a token may be public at once. Returns false when the user has no such token of an agent. */
export async function setPublishes(
  tx: Queryable,
  { account, id, publishes }: { account: string; id: string; publishes: boolean },
): Promise<boolean> {
  const rows = await tx.query({
    text: 'update access_token set publishes = $3 where account = $1 and id = $2 and scopes is not null returning id',
    values: [account, id, publishes],
  });
  return rows.length > 0;
}

/** The data that a request with a token needs: `paths` are the present places of its subtrees. */
export type PresentedToken = Omit<StoredToken, 'subtrees' | 'created'> & {
  paths: string[] | null;
  used: Date | null;
};

/** The token with this hash, unless it has expired at `now`. One statement. */
export async function tokenByHash(db: Queryable, hash: string, now: Date): Promise<PresentedToken | undefined> {
  const [row] = await db.query<PresentedToken>({
    reads: true,
    name: 'access-token-by-hash',
    text: `select t.id, t.account, t.name, t.methods, t.scopes, t.publishes, t.expires, u.used,
        case when t.subtrees is not null then array(select c.path from content c where c.uid = any(t.subtrees)) end as paths
      from access_token t left join access_token_use u on u.token = t.id
      where t.hash = $1 and (t.expires is null or t.expires > $2)`,
    values: [hash, now],
  });
  return row;
}

/** Notes a use, unless a use after `before` is noted. Nothing is noted for a token that was revoked meanwhile. */
export async function noteUse(
  db: Queryable,
  { token, used, network, before }: { token: string; used: Date; network: string; before: Date },
): Promise<void> {
  await db.query({
    text: `insert into access_token_use as u (token, used, network)
      select id, $2, $3 from access_token where id = $1 for key share
      on conflict (token) do update set used = excluded.used, network = excluded.network where u.used < $4`,
    values: [token, used, network, before],
  });
}

/** The path of content that visitors may view, at whatever dates: one of the objects `alone`, or at or below one of `whole`. */
export async function publicAmong(
  tx: Queryable,
  { alone, whole }: { alone: readonly number[]; whole: readonly number[] },
): Promise<string | undefined> {
  const [row] = await tx.query<{ path: string }>({
    text: `select c.path from content c join catalog k using (oid)
      where k.allowed && array['role:Anonymous'] and (c.oid = any($1::bigint[])
        or exists (select from content t where t.oid = any($2::bigint[]) and ${contentSql.AT_OR_BELOW('c.path', 't.path')}))
      limit 1`,
    values: [alone, whole],
  });
  return row?.path;
}
