import type { Queryable } from '../../../database/database.ts';
import { firstRow } from '../../../database/rows.ts';
import { AT_OR_BELOW } from '../../search/statements/fragments.ts';

/** An old address, with its target: a present path, or an external address. */
export type RedirectRow = { path: string; target: string | null; targetUrl: string | null; manual: boolean };

/**
 * Stores the old addresses at or below `from` of all objects that have moved to or below `to`. Old addresses that content uses again are removed;
 * other old addresses at `to` stay.
 */
export async function rememberMove(db: Queryable, from: string, to: string): Promise<void> {
  await forgetUsedAddresses(db, to);
  await db.query({
    name: 'remember-move',
    deferred: true,
    text: `insert into redirect (path, target) select $1 || substr(path, length($2) + 1), oid from content where ${AT_OR_BELOW('path', '$2')}
      on conflict (path) do update set target = excluded.target, target_url = null, manual = false, created = now()`,
    values: [from, to],
  });
}

/**
 * Removes the old addresses at or below `path` that content uses again. The paths of both tables are intersected: the planner expects few below an
 * address that is new, and its joins then take the product of both, or read all content.
 */
export async function forgetUsedAddresses(db: Queryable, path: string): Promise<void> {
  await db.query({
    name: 'forget-used-addresses',
    deferred: true,
    text: `delete from redirect where path in (select path from redirect where ${AT_OR_BELOW('path', '$1')}
      intersect select path from content where ${AT_OR_BELOW('path', '$1')})`,
    values: [path],
  });
}

/**
 * Removes old addresses at these paths, because new objects use them. The paths are selected: as a list of known length they would have the statement
 * planned anew each time, which takes longer than to run it.
 */
export async function forgetRedirects(db: Queryable, paths: readonly string[]): Promise<void> {
  await db.query({
    name: 'forget-redirects',
    text: 'delete from redirect where path = any((select $1::text[])::text[])',
    values: [paths],
    deferred: true,
  });
}

/** Removes all old addresses at and below a path. */
export async function forgetRedirectsBelow(db: Queryable, path: string): Promise<void> {
  await db.query({
    name: 'forget-redirects-below',
    text: `delete from redirect where ${AT_OR_BELOW('path', '$1')}`,
    values: [path],
  });
}

/**
 * Removes old addresses at or below `to` that content uses again, and old addresses of `oids`. Redirects the addresses at or below `from`, where the
 * content was before its deletion.
 */
export async function restoreRedirects(
  db: Queryable,
  { from, to, oids }: { from: string; to: string; oids: readonly number[] },
): Promise<void> {
  await db.query({
    name: 'restore-used-addresses',
    text: `delete from redirect r using content c where r.path = c.path and (${AT_OR_BELOW('c.path', '$1::text')} or r.target = any($2::bigint[]))`,
    values: [to, oids],
  });
  if (from === to) return;
  await db.query({
    name: 'restore-old-addresses',
    text: `insert into redirect (path, target)
      select $1 || substr(c.path, length($2) + 1), c.oid from content c
      where ${AT_OR_BELOW('c.path', '$2::text')} and not exists (select 1 from content p where p.path = $1 || substr(c.path, length($2) + 1))
      on conflict do nothing`,
    values: [from, to],
  });
}

/** A new old address. Its target is an object, or any other address as `targetUrl`. */
export type NewRedirect = {
  path: string;
  target: number | null;
  targetUrl: string | null;
  manual: boolean;
  created: Date;
};

/** Inserts old addresses. Returns the inserted ones, without paths that are already old addresses; with `unused` also without paths of content. */
export async function insertRedirects(
  db: Queryable,
  redirects: readonly NewRedirect[],
  { unused = false }: { unused?: boolean } = {},
): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'insert-redirects',
    text: `insert into redirect (path, target, target_url, manual, created)
      select n.* from unnest($1::text[], $2::bigint[], $3::text[], $4::boolean[], $5::timestamptz[]) n(path, target, target_url, manual, created)
      where not ($6::boolean and exists (select 1 from content c where c.path = n.path))
      on conflict do nothing returning path`,
    values: [
      redirects.map(({ path }) => path),
      redirects.map(({ target }) => target),
      redirects.map(({ targetUrl }) => targetUrl),
      redirects.map(({ manual }) => manual),
      redirects.map(({ created }) => created),
      unused,
    ],
  });
  return new Set(rows.map(({ path }) => path));
}

const STORED = 'path, target, target_url as "targetUrl", manual, created';

/** Removes old addresses; with a `target` only addresses that lead to it. Returns the removed addresses. */
export const removeRedirects = (
  db: Queryable,
  paths: readonly string[],
  target: number | null,
): Promise<NewRedirect[]> =>
  db.query<NewRedirect>({
    name: 'remove-redirects',
    text: `delete from redirect where path = any($1) and ($2::bigint is null or target = $2) returning ${STORED}`,
    values: [paths, target],
  });

/** The old addresses among these paths, which are locked until the transaction ends. */
export const lockRedirects = (tx: Queryable, paths: readonly string[]): Promise<NewRedirect[]> =>
  tx.query<NewRedirect>({
    name: 'lock-redirects',
    text: `select ${STORED} from redirect where path = any($1) order by path for update`,
    values: [paths],
  });

/** The redirect of the longest of `paths` that is an old address. An address that content has now is not redirected. */
export const findRedirect = (db: Queryable, paths: string[]): Promise<RedirectRow | undefined> =>
  firstRow<RedirectRow>(db, {
    name: 'find-redirect',
    text: `select r.path, c.path as target, r.target_url as "targetUrl", r.manual from redirect r left join content c on c.oid = r.target
      where r.path = any($1) and not exists (select 1 from content used where used.path = r.path)
      order by length(r.path) desc limit 1`,
    values: [paths],
  });
