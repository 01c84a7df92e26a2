import type { ContentObject, TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { NODE_COLUMNS } from './content-columns.ts';

/** What indexes are made of: a node with its fields. Locks and the like would cost more than the rest. */
export type ReindexedObject = TreeNode & Pick<ContentObject, 'fields'>;

/** Objects of these types; undefined for all. */
const OF_TYPES = (parameter: string) => `(${parameter}::text[] is null or type = any(${parameter}))`;

/** How many objects there are, of the given types where there are any. */
export async function reindexCount(db: Queryable, types?: readonly string[]): Promise<number> {
  const rows = await db.query<{ count: number }>({
    name: 'reindex-count',
    text: `select count(*)::int as count from content where ${OF_TYPES('$1')}`,
    values: [types],
  });
  return rows[0]?.count ?? 0;
}

/** Numbers and paths of the next objects behind the number `after`, of the given types where there are any. */
export const reindexNext = (
  db: Queryable,
  { after, limit, types }: { after: number; limit: number; types: readonly string[] | undefined },
): Promise<{ oid: number; path: string }[]> =>
  db.query({
    name: 'reindex-next',
    text: `select oid, path from content where oid > $1 and ${OF_TYPES('$3')} order by oid limit $2`,
    values: [after, limit, types],
  });

/** The objects with the given numbers that are still there. */
export const reindexObjects = (db: Queryable, oids: readonly number[]): Promise<ReindexedObject[]> =>
  db.query<ReindexedObject>({
    name: 'reindex-objects',
    text: `select ${NODE_COLUMNS}, c.fields from content c where c.oid = any($1)`,
    values: [oids],
  });

/** The nodes at the given paths. */
export const reindexNodes = (db: Queryable, paths: readonly string[]): Promise<TreeNode[]> =>
  db.query<TreeNode>({
    name: 'reindex-nodes',
    text: `select ${NODE_COLUMNS} from content c where c.path = any($1)`,
    values: [paths],
  });

/** Removes all references of the given objects. */
export async function reindexForgetReferences(db: Queryable, sources: readonly number[]): Promise<void> {
  await db.query({
    name: 'reindex-forget-references',
    text: 'delete from reference where source = any($1)',
    values: [sources],
  });
}
