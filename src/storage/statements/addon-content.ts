import type { Queryable } from '../database.ts';

/** How many objects there are of each of these types, in the tree and in the recycle bin; types without any are left out. */
export const countByType = (db: Queryable, types: readonly string[]): Promise<{ type: string; count: number }[]> =>
  db.query({
    name: 'count-by-type',
    text: `select type, count(*) from (
        select type from content where type = any($1)
        union all select data->>'type' from recycled_object where data->>'type' = any($1)
      ) used group by type order by type`,
    values: [types],
  });
