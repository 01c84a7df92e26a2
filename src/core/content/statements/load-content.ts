import { type CacheTags, cacheTagsOf } from '../../../database/cache-tags.ts';
import type { Queryable, Row } from '../../../database/database.ts';
import { firstRow } from '../../../database/rows.ts';
import {
  ALL_FIELDS,
  CATALOG_ROW,
  DETAIL_COLUMNS,
  NODE_COLUMNS,
  OBJECT_COLUMNS,
  ROW_VERSION,
} from '../../search/statements/fragments.ts';
import { type Viewers, type ViewRule, viewed } from '../../search/statements/view-rule.ts';
import type { ContentObject, ResolvedNode, TreeNode } from '../../types/content-row.ts';

/**
 * A node on the path to the target; only the target itself has the rest of a `ContentObject`. Each row has the version of the site's configuration,
 * so that no request works with an outdated configuration.
 */
export type ResolvedRow = TreeNode &
  Partial<Omit<ContentObject, keyof TreeNode>> & { configuration: string; rowVersion: string };

/**
 * The paths of a parameter, as `p.path`. They are selected from the parameter, so that the database does not plan the statement anew for each number
 * of paths, which takes longer than to run it.
 */
export const PATHS = 'select path collate "C" as path from unnest((select $1::text[])) path';

/**
 * The objects are looked up one by one (`offset 0`): the planner assumes ten paths, and on a small site would read the whole content for so many.
 * Only the target has the details.
 */
const LOCATE = `select (select value from site_state where name = 'configuration') as configuration, c.row_version as "rowVersion", ${NODE_COLUMNS}, detail.*
  from (${PATHS}) p cross join lateral (
    select *, ${ROW_VERSION('content')} as row_version from content where content.path = p.path offset 0) c
  left join lateral (select ${DETAIL_COLUMNS}, ${ALL_FIELDS} where c.path = $2 offset 0) detail on true`;

/** Says if a row contains the other side of a check-out. */
export const areCheckedOut = (rows: readonly Row[]): boolean =>
  rows.some(({ workingCopy, workingCopyOf }) => Boolean(workingCopy ?? workingCopyOf));

/** The rows of a path, the shortest first: a sort by the database would copy the whole objects, which takes as long as to look them up. */
const downwards = <R extends Row>(rows: readonly R[]): R[] =>
  [...rows].sort((a, b) => String(a.path).length - String(b.path).length);

/** The tags of the objects on the path down to the last existing one, whose row says if it has children. */
function tagsOfWay(rows: readonly Row[]): CacheTags {
  const oids = downwards(rows).map(({ oid }) => oid);
  return areCheckedOut(rows) ? undefined : cacheTagsOf(oids, oids.slice(-1));
}

/**
 * The objects at `paths` (the root, …, the target), the shortest path first; only the object at `target` is whole. Runs one statement for any depth.
 */
export async function locateContent(db: Queryable, paths: string[], target: string): Promise<ResolvedRow[]> {
  const rows = await db.query<ResolvedRow>({
    ...{ name: 'locate-content', text: LOCATE, values: [paths, target], reads: true },
    tags: (found) => (found.length === paths.length ? tagsOfWay(found) : undefined),
  });
  return downwards(rows);
}

/** Distinguishes the locks of paths from other advisory locks of the database. */
const PATH_LOCKS = 4_072_026_003;

/**
 * Maximum number of paths of one write with advisory locks, because the memory of the database for such locks is bounded. The shortest paths come
 * first, because most writers lock them.
 */
const MAX_TURNS = 100;

/**
 * The statement that locks rows. While a row is locked in shared mode, later shared locks overtake a writer that waits for an exclusive lock. So each
 * write first takes an advisory lock on the path, for which the database keeps a queue. Then it locks the rows one by one, in the order of the paths.
 */
const holdRows = (turn: string, strength: string): string => `with turns as materialized (
    select ${turn}(hashtextextended(path, ${PATH_LOCKS}))
    from (${PATHS} order by length(path), path limit ${MAX_TURNS}) first
  )
  select held.oid from (select count(*) from turns) taken
    cross join lateral (${PATHS} where taken.count >= 0 order by length(path), path) p
    cross join lateral (select oid from content where content.path = p.path for ${strength}) held`;

const HOLDS = {
  shared: holdRows('pg_advisory_xact_lock_shared', 'share'),
  exclusive: holdRows('pg_advisory_xact_lock', 'no key update'),
};

/**
 * Locks the objects at `paths` until the transaction ends: `shared` against changes of their address and security, `exclusive` against any other
 * writer. Objects are locked from the root downward, for each transaction in its turn. Returns their oids; none if it is deferred.
 */
export async function lockRows(
  db: Queryable,
  paths: string[],
  mode: 'shared' | 'exclusive',
  { deferred = false }: { deferred?: boolean } = {},
): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({ name: `hold-${mode}`, text: HOLDS[mode], values: [paths], deferred });
  return rows.map(({ oid }) => oid);
}

/** The request for the children of a container that the caller may view, without `inactive` only children within their dates. */
export type ChildrenRequest = Viewers & {
  parent: number;
  inactive: boolean;
  limit: number;
  offset: number;
};

/** A listed child, with the total of children; without an `oid` when the batch is empty. */
export type ChildRow = ContentObject & { total: number; oid: number | null };

/** Maximum number of children that are counted and sorted with each batch. */
export const MAX_SORTED_CHILDREN = 1000;

const LISTED = (total: string) => `select ${total} as total, found.*
  from (select 1) one left join (
    select ${OBJECT_COLUMNS} from page join content c using (oid)
  ) found on true
  order by found.position, found.oid`;

const CHILDREN = viewed(
  'list-children',
  (rule) => `with visible as materialized (
    select c.oid, c.position from content c ${CATALOG_ROW}
    where c.parent = $1 and ${rule.visibleNow('$2', '$3')}
  ), few as materialized (
    select * from visible limit ${MAX_SORTED_CHILDREN + 1}
  ), page as (
    select oid, position from few where (select count(*) from few) <= ${MAX_SORTED_CHILDREN} order by position, oid limit $4 offset $5
  )
  ${LISTED('(select count(*)::int from few)')}`,
);

/**
 * The tags of a batch of children: these children, and the list of children of the container. Also the empty lists of childless children, which may
 * get some. The lists of other children are read by the code that shows them: a change below a child does not invalidate a list that does not show
 * it.
 */
function tagsOfChildren(found: readonly Row[], parent: number): CacheTags {
  const oids = found.flatMap(({ oid }) => oid ?? []);
  const childless = found.flatMap(({ oid, hasChildren }) => (oid === null || hasChildren === true ? [] : [oid]));
  return areCheckedOut(found) ? undefined : cacheTagsOf(oids, [parent, ...childless]);
}

/**
 * One batch of the children of a container, in their order, each with the total. For more than `MAX_SORTED_CHILDREN` children it returns no child,
 * and `total` is `MAX_SORTED_CHILDREN + 1`: see `listManyChildren`.
 */
export const listChildren = (
  db: Queryable,
  { parent, principals, rule, inactive, limit, offset }: ChildrenRequest,
): Promise<ChildRow[]> =>
  db.query<ChildRow>({
    ...CHILDREN(rule),
    values: [parent, principals, inactive, limit, offset],
    tags: (found) => tagsOfChildren(found, parent),
  });

const countMany = (rule: ViewRule): string =>
  `select count(*) from content c join catalog k using (oid) where c.parent = $1 and ${rule.visibleNow('$2', '$3')}`;

/**
 * Reads the index of children in their order, or from its end, from a child `$7` on. `isCounted` also counts the children. A subselect hides the
 * container from the planner: the planner believes that the conditions on dates rarely hold, so if it knew the number of children, it would read and
 * sort all of them.
 */
function manyChildren(
  rule: ViewRule,
  { isReversed, isMarked, isCounted }: { isReversed: boolean; isMarked: boolean; isCounted: boolean },
): string {
  const way = isReversed ? 'desc' : 'asc';
  const mark = isMarked ? 'and (c.position, c.oid) >= ((select position from content where oid = $7), $7)' : '';
  return `with page as materialized (
    select c.oid, c.position from content c join catalog k using (oid)
    where c.parent = (select $1::bigint) and ${rule.visibleNow('$2', '$3')} ${mark}
    order by c.position ${way}, c.oid ${way} limit $4 offset $5
  )
  ${LISTED(isCounted ? `(${countMany(rule)})::int` : '$6::int')}`;
}

/**
 * One batch of many children. It reads and skips the children before the batch: from the beginning, from the child `mark` whose place is known, or
 * from the end if `total` is known. Without `total` the same statement counts the children.
 */
export function listManyChildren(
  db: Queryable,
  { parent, principals, rule, inactive, limit, offset }: ChildrenRequest,
  { total, mark }: { total?: number | undefined; mark?: { place: number; oid: number } | undefined },
): Promise<ChildRow[]> {
  const size = total === undefined ? limit : Math.max(0, Math.min(limit, total - offset));
  const fromEnd = total === undefined || size === 0 ? Number.POSITIVE_INFINITY : total - offset - size;
  const fromStart = mark ? offset - mark.place : offset;
  const isReversed = fromEnd < fromStart;
  const isMarked = !isReversed && mark !== undefined;
  const isCounted = total === undefined;
  const values = [parent, principals, inactive, size, isReversed ? fromEnd : fromStart];
  return db.query<ChildRow>({
    text: manyChildren(rule, { isReversed, isMarked, isCounted }),
    values: isMarked ? [...values, total, mark.oid] : isCounted ? values : [...values, total],
    tags: (found) => tagsOfChildren(found, parent),
  });
}

/** The present path of an object. Throws when the object does not exist; the caller holds it. */
export async function pathOf(db: Queryable, oid: number): Promise<string> {
  const rows = await db.query<{ path: string }>({
    name: 'path-of',
    text: 'select path from content where oid = $1',
    values: [oid],
  });
  const [row] = rows;
  if (!row) throw new Error(`There is no content ${oid}`);
  return row.path;
}

/** The paths above a path, the nearest first. */
function above(path: string): string[] {
  const paths: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) paths.push(path.slice(0, at));
  return path === '/' ? [] : [...paths, '/'];
}

/** Names of objects: their numbers, or their UIDs. */
export type ContentKeys = { oids: readonly number[] } | { uids: readonly string[] };

const byKeys = (column: string, type: string) =>
  `select ${OBJECT_COLUMNS} from content c where c.${column} = any($1) order by array_position($1::${type}[], c.${column})`;

const BY_OIDS = { name: 'search-objects', text: byKeys('oid', 'bigint') };
const BY_UIDS = { name: 'objects-by-uids', text: byKeys('uid', 'text') };

/**
 * Finds objects by their numbers or UIDs, with their containers, in the given order and without removed objects. Checks no permission. Runs two
 * statements.
 * @example const [page] = await findContents(db, { uids: [uid] });
 */
export async function findContents(db: Queryable, keys: ContentKeys): Promise<ResolvedNode[]> {
  const [statement, values] = 'oids' in keys ? [BY_OIDS, keys.oids] : [BY_UIDS, keys.uids];
  if (values.length === 0) return [];
  const objects = await db.query<ContentObject>({ ...statement, values: [values] });
  const nodes = await db.query<TreeNode>({
    name: 'search-ancestors',
    text: `select ${NODE_COLUMNS} from content c where c.path = any($1)`,
    values: [[...new Set(objects.flatMap(({ path }) => above(path)))]],
  });
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  return objects.map((object) => ({ object, ancestors: above(object.path).flatMap((path) => byPath.get(path) ?? []) }));
}

/** A version: its origin, and the values that differ from the present object. */
export type VersionRow = {
  number: number;
  at: Date;
  actor: string;
  note: string;
  replaced: Record<string, unknown>;
};

const VERSION = `with versions as (
    select number, at, actor, note, replaced from version where content = $1 and number >= $2
    union all
    select 0, modified, owner, '', '{}' from content
    where oid = $1 and $2 = 0 and $3 and not exists (select 1 from version where content = $1)
  )
  select v.number, v.at, v.actor, v.note, coalesce((
    select jsonb_object_agg(key, value) from (
      select distinct on (d.key) d.key, d.value from versions n cross join lateral jsonb_each(n.replaced) d order by d.key, n.number
    ) oldest), '{}') as replaced
  from versions v where v.number = $2`;

/**
 * One version of an object, or undefined when there is no such version. For each field, the value of the nearest version that has it counts. With
 * `versioned` the number 0 stands for the present state of an object without versions. Runs one statement.
 */
export const loadVersion = (
  db: Queryable,
  { content, number, versioned }: { content: number; number: number; versioned: boolean },
): Promise<VersionRow | undefined> =>
  firstRow<VersionRow>(db, {
    name: 'version-read',
    text: VERSION,
    values: [content, number, versioned],
  });

/**
 * The numbers of the version that an object had at a time, and of the newest version. An object has the number 0 before its first change; `former` is
 * undefined if the version is no longer stored.
 */
export async function versionsSince(
  db: Queryable,
  content: number,
  at: Date,
): Promise<{ former: number | undefined; newest: number }> {
  const row = await firstRow<{ known: number | null; oldest: number; newest: number }>(db, {
    name: 'versions-since',
    text: `select max(number) filter (where at < $2::timestamptz + interval '1 millisecond')::int as known,
      coalesce(min(number), 0)::int as oldest, coalesce(max(number), 0)::int as newest from version where content = $1`,
    values: [content, at],
  });
  const { known = null, oldest = 0, newest = 0 } = row ?? {};
  return { former: known ?? (oldest === 0 ? 0 : undefined), newest };
}

/**
 * The number of the version that an object had at a time, where `exact` is the version that it got then, to the millisecond. `lasting` is the
 * version before it, if no version between that one and the next has been removed: only changes without a version, such as transitions, lie
 * between them. Each is undefined without one.
 */
export async function versionAt(
  db: Queryable,
  { content, at }: { content: number; at: Date },
): Promise<{ exact: number | undefined; lasting: number | undefined }> {
  const row = await firstRow<{ exact: number | null; former: number | null; next: number | null }>(db, {
    name: 'version-at',
    text: `select min(number) filter (where at >= $2 and at < $2::timestamptz + interval '1 millisecond')::int as exact,
      max(number) filter (where at < $2)::int as former,
      min(number) filter (where at >= $2::timestamptz + interval '1 millisecond')::int as next from version where content = $1`,
    values: [content, at],
  });
  const { exact = null, former = null, next = null } = row ?? {};
  const isLasting = former !== null && (next === null || next === former + 1);
  return { exact: exact ?? undefined, lasting: isLasting ? former : undefined };
}
