import type { Queryable } from '../database.ts';
import { AT_OR_BELOW } from './content-columns.ts';

/** An object that goes into another container, under a name that is free there. */
export type SubtreeMove = { oid: number; parent: number; name: string; from: string; to: string };

/**
 * Puts an object behind the children of another container, and gives everything below it the path that follows: one
 * statement for a subtree of any size. The caller holds the object and the container.
 */
export async function moveSubtree(db: Queryable, { oid, parent, name, from, to }: SubtreeMove): Promise<void> {
  await db.query({
    name: 'move-subtree',
    text: `update content set path = $2 || substr(path, length($1) + 1),
        parent = case when oid = $3 then $4 else parent end,
        name = case when oid = $3 then $5 else name end,
        position = case when oid = $3 then coalesce((select max(position) + 1 from content where parent = $4), 1) else position end
      where ${AT_OR_BELOW('path', '$1')}`,
    values: [from, to, oid, parent, name],
  });
}
