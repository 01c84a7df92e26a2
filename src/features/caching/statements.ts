import { AT_OR_BELOW, type Queryable } from '#core';

/** What a cache is to forget: what has these tags, or lies at these addresses. */
export type Purge = { tags: readonly string[]; paths: readonly string[] };

/** A purge that this process has taken. */
export type TakenPurge = {
  id: number;
  proxy: string;
  tags: string[];
  paths: string[];
  round: number;
  attempts: number;
};

/** Seconds after which what has changed since the last look is not known any more: less than changes are remembered. */
const TRUSTED_SECONDS = 240;
/** Seconds after which a look is noted although nothing has changed. */
const NOTED_SECONDS = 60;

/** Queues purges for each of some caches, to be sent at once. */
export async function queuePurges(db: Queryable, proxies: readonly string[], purges: readonly Purge[]): Promise<void> {
  if (purges.length === 0) return;
  await db.query({
    name: 'queue-cache-purges',
    text: `insert into cache_purge (proxy, tags, paths, due)
      select proxy, array(select jsonb_array_elements_text(p->'tags')), array(select jsonb_array_elements_text(p->'paths')), now()
      from unnest($1::text[]) proxy, jsonb_array_elements($2::jsonb) p`,
    values: [proxies, JSON.stringify(purges)],
  });
}

/** The caches that more purges wait for than they will ever be told of. */
export async function findOverfull(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ proxy: string }>({
    name: 'find-overfull-caches',
    text: 'select proxy from cache_purge group by proxy having count(*) > $1',
    values: [limit],
  });
  return rows.map(({ proxy }) => proxy);
}

/** Removes what waits for some caches. */
export async function removePurgesFor(db: Queryable, proxies: readonly string[]): Promise<void> {
  await db.query({
    name: 'remove-purges-for',
    text: 'delete from cache_purge where proxy = any($1)',
    values: [proxies],
  });
}

/** Removes what waits for caches that the site does not tell of changes any more. */
export async function removePurgesForOthers(db: Queryable, proxies: readonly string[]): Promise<void> {
  await db.query({
    name: 'remove-purges-for-others',
    text: 'delete from cache_purge where proxy <> all($1)',
    values: [proxies],
  });
}

/** Takes the next purge that is due and keeps others from it for some seconds; undefined when there is none. */
export async function takePurge(db: Queryable, leaseSeconds: number): Promise<TakenPurge | undefined> {
  const [taken] = await db.query<TakenPurge>({
    name: 'take-cache-purge',
    text: `update cache_purge set attempts = attempts + 1, due = now() + make_interval(secs => $1::float8)
      where id = (select id from cache_purge where due <= now() order by due, id limit 1 for update skip locked)
      returning id, proxy, tags, paths, round, attempts`,
    values: [leaseSeconds],
  });
  return taken;
}

/** Milliseconds until the next purge is due; undefined when none waits. */
export async function untilNextPurge(db: Queryable): Promise<number | undefined> {
  const [next] = await db.query<{ wait: number }>({
    name: 'next-cache-purge',
    reads: true,
    text: 'select (extract(epoch from due - now()) * 1000)::float8 as wait from cache_purge order by due, id limit 1',
  });
  return next?.wait;
}

/** Has a purge sent a second time, so many seconds after the first. */
export async function repeatPurge(db: Queryable, id: number, seconds: number): Promise<void> {
  await db.query({
    name: 'repeat-cache-purge',
    text: `update cache_purge set round = 2, attempts = 0, error = null, due = now() + make_interval(secs => $2::float8) where id = $1`,
    values: [id, seconds],
  });
}

export async function removePurge(db: Queryable, id: number): Promise<void> {
  await db.query({ name: 'remove-cache-purge', text: 'delete from cache_purge where id = $1', values: [id] });
}

/** Has a purge that failed tried again in so many seconds. */
export async function postponePurge(db: Queryable, id: number, seconds: number, error: string): Promise<void> {
  await db.query({
    name: 'postpone-cache-purge',
    text: `update cache_purge set due = now() + make_interval(secs => $2::float8), error = $3 where id = $1`,
    values: [id, seconds, error],
  });
}

/** What waits for one cache: how much, since when, and what it said to the last attempts that failed. */
export type WaitingCache = { proxy: string; waiting: number; since: Date; attempts: number; error: string | null };

/** What waits for each cache and has not been sent once, or fails. */
export const listWaiting = (db: Queryable): Promise<WaitingCache[]> =>
  db.query<WaitingCache>({
    name: 'list-waiting-purges',
    text: `select proxy, count(*)::int as waiting, min(created) as since, max(attempts)::int as attempts, max(error) as error
      from cache_purge where round = 1 or error is not null group by proxy order by proxy`,
  });

/** Where the last look has ended: its snapshot, whether that is still of use, and whether the look is to be noted anew. */
export type Cursor = { snapshot: string; isTrusted: boolean; isOld: boolean };

const CURSOR = `snapshot, looked > now() - interval '${TRUSTED_SECONDS} seconds' as "isTrusted",
  looked < now() - interval '${NOTED_SECONDS} seconds' as "isOld"`;

export async function findCursor(db: Queryable): Promise<Cursor | undefined> {
  const [cursor] = await db.query<Cursor>({
    name: 'find-purge-cursor',
    reads: true,
    text: `select ${CURSOR} from cache_purge_cursor`,
  });
  return cursor;
}

/** Keeps others from looking until the end of the transaction. Undefined when nobody has looked yet. */
export async function lockCursor(db: Queryable): Promise<Cursor | undefined> {
  const [cursor] = await db.query<Cursor>({
    name: 'lock-purge-cursor',
    text: `insert into cache_purge_cursor as c (snapshot, looked) values ('', 'epoch')
      on conflict (single) do update set snapshot = c.snapshot returning ${CURSOR}`,
  });
  return cursor && cursor.snapshot !== '' ? cursor : undefined;
}

export async function moveCursor(db: Queryable, snapshot: string): Promise<void> {
  await db.query({
    name: 'move-purge-cursor',
    text: 'update cache_purge_cursor set snapshot = $1, looked = now()',
    values: [snapshot],
  });
}

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

/** The paths at or below a path, as many as `limit`. */
export async function pathsBelow(db: Queryable, path: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ path: string }>({
    name: 'paths-below-changed',
    text: `select path from content where ${AT_OR_BELOW('path', '$1::text')} order by path limit $2`,
    values: [path, limit],
  });
  return rows.map((row) => row.path);
}

/** The encrypted token for caches; undefined when there is none. */
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
