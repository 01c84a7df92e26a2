import type { ContentObject, TreeNode } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { DETAIL_COLUMNS, NODE_COLUMNS } from './content-columns.ts';

/**
 * A node on the way to the target; only the target itself has the rest of a `ContentObject`. Each row
 * brings the version of the site's configuration, so that no request works with an outdated one.
 */
export type LocatedRow = TreeNode & Partial<Omit<ContentObject, keyof TreeNode>> & { configuration: string };

const SELECT = `select (select value from site_state where name = 'configuration') as configuration, ${NODE_COLUMNS}, detail.*
  from content c
  left join lateral (select ${DETAIL_COLUMNS}, c.fields where c.path = $2) detail on true
  where c.path = any($1)
  order by length(c.path), c.path`;

/**
 * The objects at `paths` (the root, …, the target), the shortest path first; only the one at
 * `target` comes whole. One statement, whatever the depth.
 */
export const locateContent = (db: Queryable, paths: string[], target: string): Promise<LocatedRow[]> =>
  db.query<LocatedRow>({ name: 'locate-content', text: SELECT, values: [paths, target] });

/**
 * Holds objects until the transaction ends: the `shared` ones against changes of their address and
 * security, the `exclusive` ones against any other writer. Always from the root downward and shared
 * before exclusive, as every writer does, so that two writers never wait for each other.
 */
export async function holdContent(db: Queryable, shared: string[], exclusive: string[]): Promise<void> {
  if (shared.length > 0) {
    await db.query({
      name: 'hold-shared',
      text: 'select 1 from content where path = any($1) order by length(path), path for share',
      values: [shared],
    });
  }
  if (exclusive.length > 0) {
    await db.query({
      name: 'hold-exclusive',
      text: 'select 1 from content where path = any($1) order by length(path), path for no key update',
      values: [exclusive],
    });
  }
}
