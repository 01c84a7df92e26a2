import type { Queryable } from '../database.ts';

/** The present paths of objects by their UIDs, as far as they exist. */
export async function pathsOfUids(db: Queryable, uids: string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ uid: string; path: string }>({
    name: 'paths-of-uids',
    text: 'select uid, path from content where uid = any($1)',
    values: [uids],
  });
  return new Map(rows.map(({ uid, path }) => [uid, path]));
}
