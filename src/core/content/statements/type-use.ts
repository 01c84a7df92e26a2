import type { Queryable } from '../../../database/database.ts';

/** How many objects there are of each type; types without any are left out. Reads the whole index of types. */
export const countTypes = (db: Queryable): Promise<{ type: string; count: number }[]> =>
  db.query({ name: 'count-types', text: 'select type, count(*) from content group by type order by type' });

/** How many objects of a type there are in the tree and in the recycle bin. */
export type TypeUse = { content: number; recycled: number };

/** The use of each of these types, in their order; types without any are left out. */
export const typesInUse = (db: Queryable, types: readonly string[]): Promise<(TypeUse & { type: string })[]> =>
  db.query({
    name: 'types-in-use',
    text: `select type, count(*) filter (where not in_bin) as content, count(*) filter (where in_bin) as recycled from (
        select type, false as in_bin from content where type = any($1)
        union all select data->>'type', true from recycled_object where data->>'type' = any($1)
      ) used group by type order by type`,
    values: [types],
  });

/** The use of one type. */
export async function typeUse(db: Queryable, type: string): Promise<TypeUse> {
  const [use] = await typesInUse(db, [type]);
  return use ?? { content: 0, recycled: 0 };
}

/** Says if an object of the type contains another one. */
export async function typeHasChildren(db: Queryable, type: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>({
    name: 'type-has-children',
    text: `select exists (select from content c join content child on child.parent = c.oid where c.type = $1) as found`,
    values: [type],
  });
  return row?.found ?? false;
}
