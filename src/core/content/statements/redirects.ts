import type { Queryable } from '../../../database/database.ts';
import { AT_OR_BELOW } from '../../search/statements/fragments.ts';

/** An old address: the path now, or an address outside. */
export type RedirectRow = { path: string; target: string | null; targetUrl: string | null; manual: boolean };

/**
 * Remembers the old address of everything that now lies at or below `to` and lay at or below `from`. An address in use
 * again is no old address any more; those of what was there earlier, and is not now, stay.
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

/** Ends the old addresses at or below `path` that content has again. */
export async function forgetUsedAddresses(db: Queryable, path: string): Promise<void> {
  await db.query({
    name: 'forget-used-addresses',
    deferred: true,
    text: `delete from redirect r using content c where c.path = r.path and ${AT_OR_BELOW('r.path', '$1')}`,
    values: [path],
  });
}

/** A new object takes its address: an old one of the same path ends. */
export async function forgetRedirect(db: Queryable, path: string): Promise<void> {
  await db.query({
    name: 'forget-redirect',
    text: 'delete from redirect where path = $1',
    values: [path],
    deferred: true,
  });
}

/** The redirect of the longest of `paths` that is an old address. An address that content uses now is not an old one. */
export async function findRedirect(db: Queryable, paths: string[]): Promise<RedirectRow | undefined> {
  const rows = await db.query<RedirectRow>({
    name: 'find-redirect',
    text: `select r.path, c.path as target, r.target_url as "targetUrl", r.manual from redirect r left join content c on c.oid = r.target
      where r.path = any($1) and not exists (select 1 from content used where used.path = r.path)
      order by length(r.path) desc limit 1`,
    values: [paths],
  });
  return rows[0];
}
