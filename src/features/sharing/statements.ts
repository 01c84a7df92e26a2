import type { Queryable } from '../../storage/database.ts';

/**
 * Takes all local roles on all content from one principal (`user:<id>` or `group:<id>`), and its entries out of the
 * index of viewers, where only local roles put it. Rows are held from the root downward, as every writer does.
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
    text: 'update catalog set allowed = array_remove(allowed, $1) where allowed && array[$1]::text[]',
    values: [principal],
  });
}
