import type { TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { NODE_COLUMNS } from './content-columns.ts';
import { VISIBLE_NOW } from './visible-now.ts';

const side = (
  name: string,
  compare: string,
  order: string,
) => `(select '${name}' as side, ${NODE_COLUMNS} from content c join catalog k using (oid)
  where c.parent = $1 and (c.position, c.oid) ${compare} ($2, $3) and ${VISIBLE_NOW('$4')}
  order by c.position ${order}, c.oid ${order} limit 1)`;

/** The siblings next to an object that someone with `principals` may view. One statement. */
export async function visibleNeighbours(
  db: Queryable,
  { parent, position, oid, principals }: { parent: number; position: number; oid: number; principals: string[] },
): Promise<{ previous: TreeNode | undefined; next: TreeNode | undefined }> {
  const rows = await db.query<TreeNode & { side: string }>({
    name: 'visible-neighbours',
    text: `${side('previous', '<', 'desc')} union all ${side('next', '>', 'asc')}`,
    values: [parent, position, oid, principals],
  });
  return { previous: rows.find((row) => row.side === 'previous'), next: rows.find((row) => row.side === 'next') };
}
