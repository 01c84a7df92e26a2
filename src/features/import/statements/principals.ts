import type { Queryable } from '#core';

/** Returns the ids of all groups of the site. */
export async function groupIds(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>({ name: 'group-ids', text: 'select id from principal_group' });
  return new Set(rows.map(({ id }) => id));
}
