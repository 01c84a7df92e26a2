import type { Queryable } from '#core';

/**
 * Removes all local roles of one principal (`user:<id>` or `group:<id>`) from all content, and the principal from the
 * index of viewers, which only local roles put it into. Rows are locked from the root downward, as by every writer.
 */
export async function dropLocalRoles(db: Queryable, principal: string): Promise<void> {
  await db.query({
    text: 'select 1 from content where local_roles ? $1 order by length(path), path for no key update',
    values: [principal],
  });
  await db.query({
    text: 'update content set local_roles = local_roles - $1::text where local_roles ? $1',
    values: [principal],
  });
  await db.query({
    text: `update catalog set allowed = array_remove(allowed, $1), inactive_allowed = array_remove(inactive_allowed, $1)
      where allowed && array[$1]::text[] or inactive_allowed @> array[$1]::text[]`,
    values: [principal],
  });
}
