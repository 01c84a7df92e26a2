import type { Queryable } from '../database.ts';

/** The tags of what someone with `principals` may view, in their order; `limit` of them at most. */
export async function searchSubjects(db: Queryable, principals: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.query<{ subject: string }>({
    name: 'search-subjects',
    text: `select distinct subject from catalog k, unnest(k.subjects) subject where k.allowed && $1::text[]
      order by subject limit $2`,
    values: [principals, limit],
  });
  return rows.map(({ subject }) => subject);
}
