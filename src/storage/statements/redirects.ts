import type { Queryable } from '../database.ts';
import { AT_OR_BELOW } from './content-columns.ts';

/** An old address: the path now, or an address outside. */
export type RedirectRow = { path: string; target: string | null; targetUrl: string | null; manual: boolean };

/**
 * Remembers the old address of everything that now lies at or below `to` and lay at or below
 * `from`; an address in use again is no old address any more.
 */
export async function rememberMove(db: Queryable, from: string, to: string): Promise<void> {
  await db.query({
    name: 'forget-used',
    text: `delete from redirect where ${AT_OR_BELOW('path', '$1')}`,
    values: [to],
  });
  await db.query({
    name: 'remember-move',
    text: `insert into redirect (path, target) select $1 || substr(path, length($2) + 1), oid from content where ${AT_OR_BELOW('path', '$2')}
      on conflict (path) do update set target = excluded.target, target_url = null, manual = false, created = now()`,
    values: [from, to],
  });
}

/** A new object takes its address: an old one of the same path ends. */
export async function forgetRedirect(db: Queryable, path: string): Promise<void> {
  await db.query({ name: 'forget-redirect', text: 'delete from redirect where path = $1', values: [path] });
}

/** The redirect of the longest of `paths` that is an old address. */
export async function findRedirect(db: Queryable, paths: string[]): Promise<RedirectRow | undefined> {
  const rows = await db.query<RedirectRow>({
    name: 'find-redirect',
    text: `select r.path, c.path as target, r.target_url as "targetUrl", r.manual from redirect r left join content c on c.oid = r.target
      where r.path = any($1) order by length(r.path) desc limit 1`,
    values: [paths],
  });
  return rows[0];
}

/** Adds a redirect that a person or an import made; an existing one of the same path is replaced. */
export async function addRedirect(
  db: Queryable,
  { path, target, targetUrl }: { path: string; target: number | null; targetUrl: string | null },
): Promise<void> {
  await db.query({
    name: 'add-redirect',
    text: `insert into redirect (path, target, target_url, manual) values ($1, $2, $3, true)
      on conflict (path) do update set target = excluded.target, target_url = excluded.target_url, manual = true, created = now()`,
    values: [path, target, targetUrl],
  });
}
