import type { TreeNode } from '../../../storage/content-row.ts';
import type { Queryable } from '../../../storage/database.ts';
import { NODE_COLUMNS } from '../../../storage/statements/content-columns.ts';

/** What an import must know of an object that is there already. */
export type PresentObject = { oid: number; uid: string; path: string; translationGroup: string | null };

const SELECT = 'select oid, uid, path, translation_group as "translationGroup" from content';

/** The objects that have one of the UIDs. */
export const presentUids = (db: Queryable, uids: string[]): Promise<PresentObject[]> =>
  db.query<PresentObject>({ name: 'present-uids', text: `${SELECT} where uid = any($1)`, values: [uids] });

/** The objects at the paths. */
export const presentPaths = (db: Queryable, paths: string[]): Promise<PresentObject[]> =>
  db.query<PresentObject>({ name: 'present-paths', text: `${SELECT} where path = any($1)`, values: [paths] });

/** The objects at the paths with what their security and their children depend on. */
export const nodesAt = (db: Queryable, paths: string[]): Promise<TreeNode[]> =>
  db.query<TreeNode>({
    name: 'nodes-at',
    text: `select ${NODE_COLUMNS} from content c where c.path = any($1)`,
    values: [paths],
  });

/** The languages of the members of groups of translations. */
export const groupLanguages = (
  db: Queryable,
  groups: string[],
): Promise<{ group: string; language: string | null }[]> =>
  db.query({
    name: 'group-languages',
    text: 'select translation_group as "group", language from content where translation_group = any($1)',
    values: [groups],
  });

/**
 * For each of `parents` the last place of the children that were there before the import of `source` began: those
 * that are older than the first child that it made. The same after an interruption, whatever was added meanwhile.
 */
export async function lastPlacesBefore(db: Queryable, source: string, parents: number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ parent: number; last: number }>({
    name: 'last-places-before',
    text: `with own as (
        select c.parent, min(c.oid) as first from import_progress p join content c on c.oid = p.content
        where p.source = $1 and c.parent = any($2) group by c.parent
      )
      select c.parent, max(c.position) as last from content c left join own using (parent)
      where c.parent = any($2) and (own.first is null or c.oid < own.first) group by c.parent`,
    values: [source, parents],
  });
  return new Map(rows.map(({ parent, last }) => [parent, last]));
}
