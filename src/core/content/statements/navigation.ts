import { type CacheTags, cacheTagsOf } from '../../../database/cache-tags.ts';
import type { Queryable, Row, Statement } from '../../../database/database.ts';
import { CATALOG_ROW, DETAIL_COLUMNS, HAS_CHILDREN, NODE_COLUMNS } from '../../search/statements/fragments.ts';
import { longColumns } from '../../search/statements/long-fields.ts';
import { fieldColumns } from '../../search/statements/node-fields.ts';
import { type Viewers, type ViewRule, viewed } from '../../search/statements/view-rule.ts';
import type { ContentObject, TreeNode } from '../../types/content-row.ts';
import { areCheckedOut } from './load-content.ts';

/** The request for a tree of navigation: its nodes and its viewers. */
export type TreeRequest = Viewers & {
  /** Path of the root of the tree. */
  root: string;
  /** Levels below the root. */
  depth: number;
  types: readonly string[];
  /** Objects that are shown although they are excluded from navigation. */
  shownAnyway: readonly number[];
  /** Objects whose children are shown; null for all. */
  open: readonly number[] | null;
  /** Workflow states that are shown; null for all. */
  states: readonly string[] | null;
  /** True if content before `effective` and after `expires` is shown. */
  inactive: boolean;
  /** Maximum number of nodes in the response: upper levels come first, and on each level the first children of their container. */
  limit: number;
};

/** A node of a tree. `level` is 0 for the root, which is included only if the caller may view it. */
export type TreeRow = Pick<
  TreeNode,
  'oid' | 'parent' | 'path' | 'type' | 'reviewState' | 'title' | 'description' | 'navTitle'
> &
  Pick<ContentObject, 'position'> & { level: number };

/** A node with all data for listings. */
export type WholeTreeRow = TreeRow &
  Pick<
    ContentObject,
    'uid' | 'name' | 'owner' | 'language' | 'created' | 'modified' | 'effective' | 'expires' | 'fields'
  >;

const SHORT = `c.oid, c.parent, c.path, c.type, c.position, c.review_state as "reviewState", ${fieldColumns('title', 'description', 'navTitle')}`;

const WHOLE = `${SHORT}, c.uid, c.name, c.owner, c.language, c.created, c.modified, c.effective, c.expires, c.fields`;

const visible = (
  rule: ViewRule,
): string => `${rule.visibleNow('$3', '$7')} and c.type = any($4::text[]) and (not k.exclude_from_nav or c.oid = any($5::bigint[]))
  and ($6::text[] is null or c.review_state = any($6))`;

/**
 * The root and its visible children. The children are read by their index, and the catalog for each of them: by the statistics of a small site the
 * database would read all of its catalog, and look up the content for each row.
 */
const oneLevel = (
  columns: string,
  rule: ViewRule,
): string => `select 0 as level, ${columns} from content c ${CATALOG_ROW}
    where c.path = $1 and ${rule.viewable('$3')}
  union all
  (select 1, ${columns} from content c ${CATALOG_ROW}
    where c.parent = (select oid from content where path = $1) and $2 > 0 and ${visible(rule)} order by c.position, c.oid limit $8)
  order by level, position, oid`;

/**
 * Each level takes the visible children of the level above, in their order. The recursion yields rows level by level, and only makes rows that are
 * fetched, so that the limit of `page` bounds the work.
 */
const levels = (columns: string, rule: ViewRule) => `with recursive tree as (
    (select c.oid, 1 as level from content p join content c on c.parent = p.oid join catalog k on k.oid = c.oid
      where p.path = $1 and $2 > 0 and ${visible(rule)} order by c.position, c.oid limit $8)
    union all
    select n.oid, t.level + 1 from tree t cross join lateral (
      select c.oid from content c join catalog k on k.oid = c.oid
      where c.parent = t.oid and ${visible(rule)} order by c.position, c.oid limit $8) n
    where t.level < $2 and ($9::bigint[] is null or t.oid = any($9))
  ), page as (select * from tree limit $8)
  select 0 as level, ${columns} from content c join catalog k on k.oid = c.oid where c.path = $1 and ${rule.viewable('$3')}
  union all
  select page.level, ${columns} from page join content c on c.oid = page.oid
  order by level, position, oid`;

const values = (request: TreeRequest): unknown[] => [
  request.root,
  request.depth,
  request.principals,
  request.types,
  request.shownAnyway,
  request.states,
  request.inactive,
  request.limit,
];

/**
 * The tags of a tree: its root, and the lists of children from which it was read, of the root and of each node above the last level. A change of any
 * child touches the list that contains it. Undefined, for any change, if the root is unknown, because it may be created.
 */
export function tagsOfTree(rows: readonly Row[], depth: number): CacheTags {
  const [first] = rows;
  const root = first?.level === 0 ? first.oid : first?.parent;
  if (root === undefined || root === null) return undefined;
  return cacheTagsOf([root], [root, ...rows.filter(({ level }) => Number(level) < depth).map(({ oid }) => oid)]);
}

/** With the value of `levels` that the text for one level does not have. */
const valuesOfLevels = (request: TreeRequest): unknown[] => [...values(request), request.open];

const SHORT_TREE = viewed('nav-tree', (rule) => levels(SHORT, rule));
const WHOLE_TREE = viewed('nav-whole-tree', (rule) => levels(WHOLE, rule));
/** Most menus have one level, for which the recursion alone would take as long as the rest. */
const SHORT_LEVEL = viewed('nav-level', (rule) => oneLevel(SHORT, rule));

const treeStatement = (tree: typeof SHORT_TREE, request: TreeRequest, valuesFor = valuesOfLevels): Statement => ({
  ...tree(request.rule),
  values: valuesFor(request),
  tags: (rows) => tagsOfTree(rows, request.depth),
});

/** The nodes of a tree of navigation, containers before their children, siblings in their order. Runs one statement for any depth. */
export const treeRows = (db: Queryable, request: TreeRequest): Promise<TreeRow[]> =>
  db.query<TreeRow>(
    request.depth > 1 ? treeStatement(SHORT_TREE, request) : treeStatement(SHORT_LEVEL, request, values),
  );

/** A node that may be shown, and true if it contains anything. */
export type ShownNode = Omit<TreeRow, 'level'> & { hasChildren: boolean };

const NODES_AMONG = viewed(
  'nav-nodes-among',
  (rule) => `select ${SHORT}, ${HAS_CHILDREN('c.oid')} as "hasChildren" from unnest($1::bigint[]) asked(oid)
      cross join lateral (select c.* from content c where c.oid = asked.oid offset 0) c join catalog k on k.oid = c.oid
    where c.parent = any($2::bigint[]) and ${visible(rule)}`,
);

/** Those of some objects that a tree shows below one of some containers, which are themselves in the tree. One statement. */
export const shownAmong = (
  db: Queryable,
  request: TreeRequest,
  { oids, containers }: { oids: readonly number[]; containers: readonly number[] },
): Promise<ShownNode[]> =>
  db.query<ShownNode>({
    ...NODES_AMONG(request.rule),
    values: [
      oids,
      containers,
      request.principals,
      request.types,
      request.shownAnyway,
      request.states,
      request.inactive,
    ],
    tags: () => cacheTagsOf(oids, oids),
  });

/** The nodes of a tree of navigation, with all data for listings. */
export const wholeTreeRows = (db: Queryable, request: TreeRequest): Promise<WholeTreeRow[]> =>
  db.query<WholeTreeRow>(treeStatement(WHOLE_TREE, request));

/**
 * An object and its viewers. Targets of references come without blocks and rich text. `missing` is the number of references of all objects to missing
 * targets.
 */
export type WholeRow = ContentObject & { viewers: string[]; missing: number };

/** The tags of the objects; undefined, for any change, if an object or a target of a reference does not exist yet. */
function tagsOfWhole(rows: readonly Row[], oids: readonly number[]): CacheTags {
  const found = new Set(rows.map(({ oid }) => oid));
  const isWhole =
    oids.every((oid) => found.has(oid)) && rows.every(({ missing }) => missing === 0) && !areCheckedOut(rows);
  return isWhole ? cacheTagsOf(found, found) : undefined;
}

const WHOLE_OBJECTS = viewed(
  'nav-whole-objects',
  (rule) => `with wanted as (
        select unnest($1::bigint[]) as oid
        union select t.oid from reference r join content t on t.uid = r.target where r.source = any($1)
      )
      select (select count(*)::int from reference r where r.source = any($1)
          and not exists (select from content t where t.uid = r.target)) as missing,
        ${NODE_COLUMNS}, ${DETAIL_COLUMNS}, ${rule.viewers}, c.fields, ${longColumns('c', 'c.oid = any($1)')}
      from wanted join content c using (oid) join catalog k using (oid)`,
);

/**
 * The objects with the given numbers and the targets of their references, in no order and with one statement: enough to serve the objects with their
 * references.
 */
export const wholeObjectsWithTargets = (db: Queryable, rule: ViewRule, oids: readonly number[]): Promise<WholeRow[]> =>
  db.query<WholeRow>({
    ...WHOLE_OBJECTS(rule),
    values: [oids],
    tags: (rows) => tagsOfWhole(rows, oids),
  });

const side = (
  rule: ViewRule,
  name: string,
  compare: string,
  order: string,
) => `(select '${name}' as side, ${NODE_COLUMNS} from (
    select c.oid from content c join catalog k using (oid)
    where c.parent = $1 and (c.position, c.oid) ${compare} ($2, $3) and ${rule.visibleNow('$4')}
    order by c.position ${order}, c.oid ${order} limit 1
  ) nearest join content c using (oid))`;

const NEIGHBOURS = viewed(
  'visible-neighbours',
  (rule) => `${side(rule, 'previous', '<', 'desc')} union all ${side(rule, 'next', '>', 'asc')}`,
);

/** The siblings next to an object that someone with `principals` may view. One statement. */
export async function visibleNeighbours(
  db: Queryable,
  { parent, position, oid, principals, rule }: Viewers & { parent: number; position: number; oid: number },
): Promise<{ previous: TreeNode | undefined; next: TreeNode | undefined }> {
  const rows = await db.query<TreeNode & { side: string }>({
    ...NEIGHBOURS(rule),
    values: [parent, position, oid, principals],
    tags: () => cacheTagsOf([], [parent]),
  });
  return { previous: rows.find((row) => row.side === 'previous'), next: rows.find((row) => row.side === 'next') };
}
