import type { Queryable } from '../database.ts';

/** The present path of an object. Throws when it is not there: the caller holds it. */
export async function pathOf(db: Queryable, oid: number): Promise<string> {
  const rows = await db.query<{ path: string }>({
    name: 'path-of',
    text: 'select path from content where oid = $1',
    values: [oid],
  });
  const [row] = rows;
  if (!row) throw new Error(`There is no content ${oid}`);
  return row.path;
}
