import { contentSql, type Queryable, type TreeNode } from '#core';

const { AT_OR_BELOW, NODE_COLUMNS } = contentSql;

const VIEWABLE_BELOW = contentSql.viewed(
  'explained-subtree',
  (rule) => `select ${NODE_COLUMNS} from content c join catalog k on k.oid = c.oid
    where ${AT_OR_BELOW('c.path', '$1')} and c.path > $2 and ${rule.viewable('$4')} order by c.path limit $3`,
);

/** The objects at and below a path, after the path `after`, that the asker may view: containers come before their children. */
export const viewableBelow = (
  db: Queryable,
  { principals, rule }: contentSql.Viewers,
  { path, after, limit }: { path: string; after: string; limit: number },
): Promise<TreeNode[]> => db.query<TreeNode>({ ...VIEWABLE_BELOW(rule), values: [path, after, limit, principals] });

const COUNT_BELOW = contentSql.viewed(
  'explained-subtree-count',
  (rule) => `select count(*)::int as count from (
    select from content c join catalog k on k.oid = c.oid
    where ${AT_OR_BELOW('c.path', '$1')} and ${rule.viewable('$3')} limit $2) found`,
);

/** The number of objects at and below a path that the asker may view, counted up to `limit`. */
export async function countViewableBelow(
  db: Queryable,
  { principals, rule }: contentSql.Viewers,
  { path, limit }: { path: string; limit: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>({ ...COUNT_BELOW(rule), values: [path, limit, principals] });
  return row?.count ?? 0;
}

/** The objects at paths, in no order. */
export const nodesAt = (db: Queryable, paths: readonly string[]): Promise<TreeNode[]> =>
  db.query<TreeNode>({
    name: 'explained-containers',
    text: `select ${NODE_COLUMNS} from content c where c.path = any($1)`,
    values: [paths],
  });

/** A group with all groups that it is in, itself included, and all roles that these groups give its members. */
export type GroupRights = { id: string; title: string; groups: string[]; roles: string[] };

/** Returns the rights that groups give their members. */
export const rightsOfGroups = (db: Queryable, ids: readonly string[]): Promise<GroupRights[]> =>
  db.query<GroupRights>({
    name: 'explained-groups',
    text: `with recursive above (start, id) as (
        select id, id from principal_group where id = any($1)
        union select a.start, m.group_id from above a join group_member m on m.member_id = a.id and m.is_group
      )
      select a.start as id, coalesce(nullif(max(own.title), ''), a.start) as title, array_agg(distinct a.id) as groups,
        coalesce(array_agg(distinct r.role) filter (where r.role is not null), '{}') as roles
      from above a join principal_group own on own.id = a.start join principal_group p on p.id = a.id
        left join lateral unnest(p.roles) r(role) on true
      group by a.start order by a.start`,
    values: [ids],
  });
