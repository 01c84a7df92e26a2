import type { Queryable } from '../database.ts';

/** How many objects there are of each type; types without any are left out. Reads the whole index of types. */
export const countTypes = (db: Queryable): Promise<{ type: string; count: number }[]> =>
  db.query({ name: 'count-types', text: 'select type, count(*) from content group by type order by type' });

/** How many objects of a type there are in the tree and in the recycle bin. */
export async function typeUse(db: Queryable, type: string): Promise<{ content: number; recycled: number }> {
  const [row] = await db.query<{ content: number; recycled: number }>({
    name: 'type-use',
    text: `select (select count(*) from content where type = $1) as content,
      (select count(*) from recycled_object where data->>'type' = $1) as recycled`,
    values: [type],
  });
  return row ?? { content: 0, recycled: 0 };
}

/** Whether an object of the type contains another one. */
export async function typeHasChildren(db: Queryable, type: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>({
    name: 'type-has-children',
    text: `select exists (select from content c join content child on child.parent = c.oid where c.type = $1) as found`,
    values: [type],
  });
  return row?.found ?? false;
}
