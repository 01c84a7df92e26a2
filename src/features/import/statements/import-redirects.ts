import type { Queryable } from '../../../storage/database.ts';

/** An old address that an export names: `target` is an object, or `targetUrl` any other address. */
export type NewRedirect = { path: string; target: number | null; targetUrl: string | null };

/** Adds old addresses. Answers those that were free: neither content nor another old address has the path. */
export async function insertRedirects(db: Queryable, redirects: readonly NewRedirect[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>({
    name: 'insert-redirects',
    text: `insert into redirect (path, target, target_url, manual)
      select n.path, n.target, n.target_url, true from unnest($1::text[], $2::bigint[], $3::text[]) n(path, target, target_url)
      where not exists (select 1 from content c where c.path = n.path)
      on conflict do nothing returning path`,
    values: [
      redirects.map(({ path }) => path),
      redirects.map(({ target }) => target),
      redirects.map(({ targetUrl }) => targetUrl),
    ],
  });
  return new Set(rows.map(({ path }) => path));
}
