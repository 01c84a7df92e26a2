import type { Queryable } from '../../../database/database.ts';

/** The number of objects of a type in the tree and in the recycle bin. */
export type TypeUse = { content: number; recycled: number };

/** The use of each of these types, in their order, without unused types. */
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
