import { randomUUID } from 'node:crypto';
import { claims, contentSql, type Queryable, type TreeNode, type workflowHistory } from '#core';
import { cascadingKeys, type Dependent, dependentsOfContent } from './dependent-tables.ts';

/** An entry of the recycle bin: one deletion, described by the deleted object. */
export type RecycledEntry = {
  id: string;
  deleted: Date;
  deletedBy: string;
  path: string;
  name: string;
  title: string;
  type: string;
  reviewState: string | null;
  language: string | null;
  /** Number of objects in the entry that are in the view, including the deleted one. */
  objects: number;
};

/** The view of a user who does not manage the bin: deletions by the user `owner`, with objects that one of the tokens could view. */
export type BinView = { owner: string; principals: readonly string[] };

/**
 * A condition: the object `o` of an entry may be viewed with the tokens in the parameter `principals`, which is null for managers. The deleted
 * object, at the path `top`, is always in view, because its deleter used its address.
 */
export const SEEN = (top: string, principals: string) =>
  `(${principals}::text[] is null or o.path = ${top} or coalesce(o.viewers && ${principals}::text[], false))`;

/** The entries as `r`; `objects` counts the objects in the view. */
const entriesFor = (
  principals: string,
) => `(select e.id, e.deleted, e.deleted_by, e.path, e.name, e.title, e.type, e.review_state,
  e.language, case when ${principals}::text[] is null then e.objects else
    (select count(*)::int from recycled_object o where o.entry = e.id and ${SEEN('e.path', principals)}) end as objects from recycled e) r`;

const COLUMNS = `id, deleted, deleted_by as "deletedBy", path, name, title, type, review_state as "reviewState", language, objects`;

/** Filters of a list of the bin; absent means any. Texts are compared case-insensitively. */
export type RecycledFilter = {
  /** The view of the caller; everything unless given. */
  view?: BinView | undefined;
  title?: string | undefined;
  path?: string | undefined;
  type?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  deletedBy?: string | undefined;
  hasChildren?: boolean | undefined;
  language?: string | undefined;
  reviewState?: string | undefined;
};

/** Columns that lists of the bin can be sorted by. */
const RECYCLED_SORTS = {
  deleted: 'deleted',
  title: 'lower(title)',
  path: 'path',
  name: 'name',
  type: 'type',
  deletedBy: 'deleted_by',
  language: 'language',
  reviewState: 'review_state',
  objects: 'objects',
} as const;

export type RecycledSort = { on: keyof typeof RECYCLED_SORTS; descending: boolean };

const FILTER = `($1::text is null or deleted_by = $1) and ($2::text is null or position(lower($2) in lower(title)) > 0)
  and ($3::text is null or position(lower($3) in lower(path)) > 0) and ($4::text is null or type = $4)
  and ($5::timestamptz is null or deleted >= $5) and ($6::timestamptz is null or deleted < $6)
  and ($7::text is null or deleted_by = $7) and ($8::boolean is null or (objects > 1) = $8)
  and ($9::text is null or language = $9) and ($10::text is null or review_state = $10)`;

/** One batch of the entries that match the filter, and their total. */
export async function listRecycled(
  db: Queryable,
  filter: RecycledFilter,
  { sort, limit, offset }: { sort: RecycledSort; limit: number; offset: number },
): Promise<{ items: RecycledEntry[]; total: number }> {
  const { view, title, path, type, from, until, deletedBy, hasChildren, language, reviewState } = filter;
  const direction = sort.descending ? 'desc nulls last' : 'asc nulls last';
  const rows = await db.query<Omit<RecycledEntry, 'id'> & { id: string | null; total: number }>({
    text: `with found as materialized (select * from ${entriesFor('$13')} where ${FILTER}),
      page as (select *, row_number() over (order by ${RECYCLED_SORTS[sort.on]} ${direction}, deleted desc, id) as number from found
        order by number limit $11::bigint offset $12::bigint)
      select (select count(*)::int from found) as total, listed.* from (select) one left join
        (select ${COLUMNS}, number from page) listed on true order by number`,
    values: [
      ...[view?.owner, title, path, type, from, until, deletedBy, hasChildren, language, reviewState].map(
        (value) => value ?? null,
      ),
      limit,
      offset,
      view?.principals ?? null,
    ],
  });
  return {
    total: rows[0]?.total ?? 0,
    items: rows.flatMap(({ total: _total, id, ...entry }) => (id === null ? [] : [{ ...entry, id }])),
  };
}

/** One entry; `lock` locks it until the transaction ends, so that others can neither restore nor purge it. */
export async function findRecycled(
  db: Queryable,
  id: string,
  { lock = false, view }: { lock?: boolean; view?: BinView | undefined } = {},
): Promise<RecycledEntry | undefined> {
  if (lock)
    await db.query({ name: 'lock-recycled', text: 'select from recycled where id = $1 for update', values: [id] });
  const rows = await db.query<RecycledEntry>({
    name: 'find-recycled',
    text: `select ${COLUMNS} from ${entriesFor('$2')} where id = $1`,
    values: [id, view?.principals ?? null],
  });
  return rows[0];
}

/** An object below the deleted object of an entry. */
export type RecycledItem = Pick<TreeNode, 'uid' | 'path' | 'name' | 'title' | 'type' | 'reviewState' | 'language'> & {
  children: number;
};

/** One batch of the objects below the deleted object of an entry, containers before their content. */
export const recycledItems = (
  db: Queryable,
  { id, path }: Pick<RecycledEntry, 'id' | 'path'>,
  { view, limit, offset }: { view: BinView | undefined; limit: number; offset: number },
): Promise<RecycledItem[]> =>
  db.query<RecycledItem>({
    name: 'recycled-items',
    text: `select uid, path, data->>'name' as name, coalesce(data->'fields'->>'title', '') as title, data->>'type' as type,
        data->>'review_state' as "reviewState", data->>'language' as language,
        (select count(*)::int from recycled_object below where below.entry = $1 and below.path > o.path || '/' and below.path < o.path || '0'
          and ($5::text[] is null or below.viewers && $5::text[])) as children
      from recycled_object o where entry = $1 and path <> $2 and ${SEEN('$2::text', '$5')} order by path limit $3::bigint offset $4::bigint`,
    values: [id, path, limit, offset, view?.principals ?? null],
  });

/** Removes an entry for good. */
export async function purgeRecycled(db: Queryable, id: string): Promise<void> {
  await db.query({ name: 'purge-recycled', text: 'delete from recycled where id = $1', values: [id] });
}

/** Removes all entries for good, or only the deletions by one user. */
export async function purgeAllRecycled(db: Queryable, owner: string | undefined): Promise<void> {
  await db.query({
    name: 'purge-all-recycled',
    text: 'delete from recycled where $1::text is null or deleted_by = $1',
    values: [owner ?? null],
  });
}

/** Removes up to `limit` entries that were deleted before `before`, the oldest first. Returns their number. */
export async function purgeRecycledBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: 'purge-recycled-before',
    text: `delete from recycled where id in
        (${claims.UNCLAIMED('select id from recycled where deleted < $1 order by deleted limit $2')}) returning id`,
    values: [before, limit],
  });
  return rows.length;
}

/** Selects the rows of one dependent table that belong to the subtree at $2, each with the oid of its object. */
function rowsOf({ table, way }: Dependent): string {
  const joins = way.map(({ table: child, columns, parentColumns }, at) => {
    const same = columns.map((column, i) => `t${at + 1}.${column} = t${at}.${parentColumns[i]}`);
    return `join ${child} t${at + 1} on ${same.join(' and ')}`;
  });
  return `select $1::text, t0.oid, '${table.replaceAll("'", "''")}', to_jsonb(t${way.length}) from content t0 ${joins.join(' ')} where ${contentSql.AT_OR_BELOW('t0.path', '$2::text')}`;
}

const STORE_OBJECTS = contentSql.viewed(
  'store-recycled-objects',
  (rule) => `insert into recycled_object (entry, oid, uid, path, data, viewers)
      select $1, c.oid, c.uid, c.path, to_jsonb(c), ${rule.viewers} from content c left join catalog k using (oid)
      where ${contentSql.AT_OR_BELOW('c.path', '$2::text')}`,
);

/**
 * Copies an object and everything below it into the recycle bin, with all rows of other tables that depend on them. Takes
 * four statements, whatever the number of objects. The caller has locked the object.
 */
export async function storeRecycled(
  db: Queryable,
  { oid, path, deletedBy, rule }: { oid: number; path: string; deletedBy: string; rule: contentSql.ViewRule },
): Promise<void> {
  const entry = randomUUID();
  await db.query({
    name: 'store-recycled',
    deferred: true,
    text: `insert into recycled (id, deleted_by, oid, path, name, title, type, review_state, language, objects)
      select $4, $3, oid, path, name, coalesce(fields->>'title', ''), type, review_state, language,
        (select count(*) from content c where ${contentSql.AT_OR_BELOW('c.path', '$2::text')})
      from content where oid = $1`,
    values: [oid, path, deletedBy, entry],
  });
  await db.query({
    ...STORE_OBJECTS(rule),
    deferred: true,
    values: [entry, path],
  });
  // Loaded each time because add-ons have tables of their own.
  const dependents = dependentsOfContent(await cascadingKeys(db));
  if (dependents.length > 0) {
    await db.query({
      text: `insert into recycled_row (entry, oid, source, data) ${dependents.map(rowsOf).join(' union all ')}`,
      values: [entry, path],
      deferred: true,
    });
  }
}

/** Gives objects in the bin that are in their `present` state the former one. */
export async function settleRecycledStates(
  tx: Queryable,
  states: readonly { uid: string; present: string | null; former: string | null }[],
): Promise<void> {
  if (states.length === 0) return;
  await tx.query({
    name: 'settle-recycled-states',
    text: `update recycled_object r set data = jsonb_set(r.data, '{review_state}', coalesce(to_jsonb(s.former), 'null'))
      from unnest($1::text[], $2::text[], $3::text[]) s(uid, present, former)
      where r.uid = s.uid and r.data->>'review_state' is not distinct from s.present`,
    values: [states.map(({ uid }) => uid), states.map(({ present }) => present), states.map(({ former }) => former)],
  });
}

/** Moves all content in the bin to other states at once. */
export async function moveRecycledStates(tx: Queryable, moves: readonly workflowHistory.StateMove[]): Promise<void> {
  await tx.query({
    name: 'move-recycled-states',
    text: `update recycled_object r set data = jsonb_set(r.data, '{review_state}', coalesce(to_jsonb(m.new), 'null'))
      from unnest($1::text[], $2::text[], $3::text[]) m(type, old, new)
      where m.type = r.data->>'type' and m.old = coalesce(r.data->>'review_state', '')`,
    values: [moves.map(({ type }) => type), moves.map(({ from }) => from ?? ''), moves.map(({ to }) => to)],
  });
}
