import type { ContentObject } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { OBJECT_COLUMNS } from './content-columns.ts';
import { VISIBLE_NOW } from './visible-now.ts';

/** Children of one container that the caller may view, in order, with the number of all of them. */
export type ChildrenPage = { items: ContentObject[]; total: number };

const TEXT = `with visible as materialized (
    select c.oid, c.position from content c join catalog k using (oid)
    where c.parent = $1 and ${VISIBLE_NOW('$2', '$3')}
  ), page as (select oid, position from visible order by position, oid limit $4 offset $5)
  select (select count(*)::int from visible) as total, found.*
  from (select 1) one left join (
    select ${OBJECT_COLUMNS} from page join content c using (oid)
  ) found on true
  order by found.position, found.oid`;

/**
 * One batch of the children of `parent` whose view index meets `principals`. Without `inactive`,
 * content before `effective` or after `expires` is left out. Counted in the same statement.
 */
export async function listChildren(
  db: Queryable,
  {
    parent,
    principals,
    inactive,
    limit,
    offset,
  }: { parent: number; principals: string[]; inactive: boolean; limit: number; offset: number },
): Promise<ChildrenPage> {
  const rows = await db.query<ContentObject & { total: number; oid: number | null }>({
    name: 'list-children',
    text: TEXT,
    values: [parent, principals, inactive, limit, offset],
  });
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.oid !== null) };
}
