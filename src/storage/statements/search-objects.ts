import type { ContentObject, ResolvedNode, TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { NODE_COLUMNS, OBJECT_COLUMNS } from './content-columns.ts';

/** The paths above a path, the nearest first. */
function above(path: string): string[] {
  const paths: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) paths.push(path.slice(0, at));
  return path === '/' ? [] : [...paths, '/'];
}

/** Objects with their ways from the root, in the order of `oids`, without those that are gone. Two statements. */
export async function searchObjects(db: Queryable, oids: readonly number[]): Promise<ResolvedNode[]> {
  if (oids.length === 0) return [];
  const objects = await db.query<ContentObject>({
    name: 'search-objects',
    text: `select ${OBJECT_COLUMNS} from content c where c.oid = any($1) order by array_position($1::bigint[], c.oid)`,
    values: [oids],
  });
  const nodes = await db.query<TreeNode>({
    name: 'search-ancestors',
    text: `select ${NODE_COLUMNS} from content c where c.path = any($1)`,
    values: [[...new Set(objects.flatMap(({ path }) => above(path)))]],
  });
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  return objects.map((object) => ({ object, ancestors: above(object.path).flatMap((path) => byPath.get(path) ?? []) }));
}
