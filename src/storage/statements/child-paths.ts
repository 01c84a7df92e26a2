import type { Queryable } from '../database.ts';

/** Paths of everything below `path`, containers before their children. */
export async function childPaths(db: Queryable, path: string): Promise<string[]> {
  const rows = await db.query<{ path: string }>({
    name: 'child-paths',
    text: `select path from content where path <> $1 and ($1 = '/' or path > $1 || '/' and path < $1 || '0') order by path`,
    values: [path],
  });
  return rows.map((row) => row.path);
}
