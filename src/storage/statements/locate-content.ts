import type { ContentObject, TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { DETAIL_COLUMNS, NODE_COLUMNS } from './content-columns.ts';

/**
 * A node on the way to the target; only the target itself has the rest of a `ContentObject`. Each row
 * brings the version of the site's configuration, so that no request works with an outdated one.
 */
export type ResolvedRow = TreeNode & Partial<Omit<ContentObject, keyof TreeNode>> & { configuration: string };

const SELECT = `select (select value from site_state where name = 'configuration') as configuration, ${NODE_COLUMNS}, detail.*
  from content c
  left join lateral (select ${DETAIL_COLUMNS}, c.fields where c.path = $2) detail on true
  where c.path = any($1)
  order by length(c.path), c.path`;

/**
 * The objects at `paths` (the root, …, the target), the shortest path first; only the one at
 * `target` comes whole. One statement, whatever the depth.
 */
export const locateContent = (db: Queryable, paths: string[], target: string): Promise<ResolvedRow[]> =>
  db.query<ResolvedRow>({ name: 'locate-content', text: SELECT, values: [paths, target] });

/**
 * Holds the objects at `paths` until the transaction ends: `shared` against changes of their address and security,
 * `exclusive` against any other writer. They are taken from the root downward. Answers their oids.
 */
export async function lockRows(db: Queryable, paths: string[], mode: 'shared' | 'exclusive'): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    name: `hold-${mode}`,
    text: `select oid from content where path = any($1) order by length(path), path for ${mode === 'shared' ? 'share' : 'no key update'}`,
    values: [paths],
  });
  return rows.map(({ oid }) => oid);
}
