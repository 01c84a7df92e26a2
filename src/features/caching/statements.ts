import { contentSql, type Queryable, singleText } from '#core';
import { PURGES } from './purges.ts';

/** Seconds after which the changes since the last poll count as unknown: less than the time for which changes are stored. */
const TRUSTED_SECONDS = 240;
/** Seconds after which a poll is recorded although nothing has changed. */
const NOTED_SECONDS = 60;

/** The caches with more than `limit` waiting purges. */
export async function findOverfull(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ proxy: string }>({
    name: 'find-overfull-caches',
    text: `select topic as proxy from queue_item where kind = '${PURGES.name}' group by topic having count(*) > $1`,
    values: [limit],
  });
  return rows.map(({ proxy }) => proxy);
}

/** The number of purges that wait for one cache, the time of the oldest, and the error of failed attempts. */
export type WaitingCache = { proxy: string; waiting: number; since: Date; attempts: number; error: string | null };

/** The waiting purges of each cache that have not been sent yet, or have failed. */
export const listWaiting = (db: Queryable): Promise<WaitingCache[]> =>
  db.query<WaitingCache>({
    name: 'list-waiting-purges',
    text: `select topic as proxy, count(*)::int as waiting, min(created) as since, max(attempts)::int as attempts, max(error) as error
      from queue_item where kind = '${PURGES.name}' and (data->>'round' = '1' or error is not null) group by topic order by topic`,
  });

/** The end of the last poll: its snapshot, with the marks for a usable snapshot and for a poll to record again. */
type Cursor = { snapshot: string; isTrusted: boolean; isOld: boolean };

/** The cursor, which is locked while a process polls. */
export const CURSOR = singleText<Cursor>({
  ...{ table: 'cache_purge_cursor', text: 'snapshot', stored: 'looked' },
  columns: `snapshot, looked > now() - interval '${TRUSTED_SECONDS} seconds' as "isTrusted",
    looked < now() - interval '${NOTED_SECONDS} seconds' as "isOld"`,
});

/** The paths of some objects. */
export async function pathsOf(db: Queryable, oids: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ path: string }>({
    name: 'paths-of-changed',
    text: 'select path from content where oid = any($1) order by path',
    values: [oids],
  });
  return rows.map(({ path }) => path);
}

/** The objects at some paths. */
export async function oidsAt(db: Queryable, paths: readonly string[]): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    name: 'oids-at-purged',
    text: 'select oid from content where path = any($1)',
    values: [paths],
  });
  return rows.map(({ oid }) => oid);
}

/** The paths at or below a path, at most `limit`. */
export async function pathsBelow(db: Queryable, path: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ path: string }>({
    name: 'paths-below-changed',
    text: `select path from content where ${contentSql.AT_OR_BELOW('path', '$1::text')} order by path limit $2`,
    values: [path, limit],
  });
  return rows.map((row) => row.path);
}

/** The encrypted token for caches; undefined without one. */
export async function findToken(db: Queryable, id: string): Promise<string | undefined> {
  const text = 'select secret from cache_purge_token where id = $1';
  return (await db.query<{ secret: string }>({ text, values: [id] }))[0]?.secret;
}

export async function storeToken(db: Queryable, id: string, secret: string): Promise<void> {
  await db.query({
    text: `insert into cache_purge_token (id, secret) values ($1, $2)
      on conflict (id) do update set secret = excluded.secret`,
    values: [id, secret],
  });
}

/** Returns whether there was a token. */
export async function removeToken(db: Queryable, id: string): Promise<boolean> {
  const text = 'delete from cache_purge_token where id = $1 returning id';
  return (await db.query({ text, values: [id] })).length > 0;
}
