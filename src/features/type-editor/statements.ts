import type { Queryable } from '#core';

/** Counts the objects of each type; types without any are left out. Reads the whole index of types. */
export const countTypes = (db: Queryable): Promise<{ type: string; count: number }[]> =>
  db.query({ name: 'count-types', text: 'select type, count(*) from content group by type order by type' });

/** Says if an object of the type contains another object. */
export async function typeHasChildren(db: Queryable, type: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>({
    name: 'type-has-children',
    text: `select exists (select from content c join content child on child.parent = c.oid where c.type = $1) as found`,
    values: [type],
  });
  return row?.found ?? false;
}
