import type { Queryable } from '#core';

/** An entry of the history of an object: a version (`number` is set) or a change of its workflow state. */
export type HistoryRow = {
  at: Date;
  actor: string;
  /** Full name of the actor, or the id of an actor without one. */
  fullname: string;
  comments: string;
  number: number | null;
  fields: string[];
  workflow: string | null;
  action: string | null;
  reviewState: string | null;
};

const HISTORY_PAGE = `with entries as (
    select at, actor, note as comments, number, fields, null as workflow, null as action, null as "reviewState", number::bigint as place
    from version where content = $1
    union all
    select created, owner, '', 0, '{}', null, null, null, 0 from content
    where oid = $1 and $2 and not exists (select 1 from version where content = $1)
    union all
    select at, actor, comments, null, '{}', workflow, action, review_state, id from workflow_history where content = $1 and $3
  ), page as (
    select * from entries order by at desc, (number is null), place desc limit $4 offset $5
  )
  select page.at, page.actor, coalesce(nullif(a.fullname, ''), page.actor) as fullname, page.comments, page.number, page.fields,
    page.workflow, page.action, page."reviewState"
  from page left join account a on a.id = page.actor
  order by page.at desc, (page.number is null), page.place desc`;

/**
 * A page of the history of an object, newest first: its versions and, with `workflow`, the changes of its state. With
 * `versioned`, an object without stored versions has one entry, for its present state.
 */
export const listHistory = (
  db: Queryable,
  {
    content,
    versioned,
    workflow,
    limit,
    offset,
  }: { content: number; versioned: boolean; workflow: boolean; limit: number; offset: number },
): Promise<HistoryRow[]> =>
  db.query<HistoryRow>({
    name: 'version-history',
    text: HISTORY_PAGE,
    values: [content, versioned, workflow, limit, offset],
  });

/** The versions that are kept: the newest `keep` ones, and versions that were current at some time after `since`. Null means no limit. */
export type Retention = { keep: number | null; since: Date | null };

/** A change of one object, already written to `content`. */
type Change = {
  content: number;
  actor: string;
  note: string;
  /** Names of the changed fields. */
  fields: readonly string[];
  /** Stored values of the changed fields before the change. */
  before: Record<string, unknown>;
  /** Types whose objects have versions. */
  types: readonly string[];
  retention: Retention;
};

const HAS_VERSIONS = (types: string) =>
  `type = any(${types}::text[]) and fields->'versioning_enabled' is distinct from 'false'`;

/** Records the first version of a new object, if its type and the object itself are versioned. */
export async function recordCreation(
  db: Queryable,
  { content, actor, note, types }: Pick<Change, 'content' | 'actor' | 'note' | 'types'>,
): Promise<void> {
  await db.query({
    name: 'version-record-creation',
    deferred: true,
    text: `insert into version (content, number, at, actor, note)
      select oid, 0, created, $2, $3 from content where oid = $1 and ${HAS_VERSIONS('$4')}`,
    values: [content, actor, note, types],
  });
}

/**
 * The newest version stores the values that the change replaced; values that it stores already, from changes without a version of their own, stay. An
 * object without versions (imported or copied) gets its former state as version 0. The statement never both deletes and updates a row. `kept` are
 * parts that remove old versions, and `taken` is the condition on the newest version `n` that it stays.
 */
const recording = ({ kept, taken }: { kept: string; taken: string }): string => `with changed as (
    select oid, owner, created, modified, ${HAS_VERSIONS('$6')} as recorded from content where oid = $1
  ), newest as (
    select number from version where content = $1 order by number desc limit 1
  ), base as (
    insert into version (content, number, at, actor, replaced)
    select oid, 0, created, owner, $5::jsonb from changed where recorded and not exists (select 1 from newest)
  ), ${kept} taken as (
    update version v set replaced = $5::jsonb || v.replaced from newest n
    where v.content = $1 and v.number = n.number ${taken}
  )
  insert into version (content, number, at, actor, note, fields)
  select oid, coalesce((select number from newest), 0) + 1, modified, $2, $3, $4 from changed where recorded`;

/** Sites that keep all versions, as by default, have a statement without the search for old ones. */
const RECORD_KEEPING_ALL = recording({ kept: '', taken: '' });

const RECORD_AND_PRUNE = recording({
  taken: 'and not exists (select 1 from kept where kept.first > n.number)',
  kept: `kept as (
    select greatest(newest.number + 2 - $7::int, case when $8::timestamptz is not null then (
        select number from version where content = $1 and at < $8::timestamptz order by number desc limit 1
      ) end) as first
    from newest, changed where changed.recorded
  ), pruned as (
    delete from version where content = $1 and number < (select first from kept)
  ),`,
});

/**
 * Records a change: a new version, if the object is versioned, and in any case the replaced values, so that older versions keep their values. Removes
 * versions that `retention` does not keep. The caller has locked the object. One statement.
 */
export async function recordChange(db: Queryable, change: Change): Promise<void> {
  const { content, actor, note, fields, before, types, retention } = change;
  const values = [content, actor, note, fields, JSON.stringify(before), types];
  const keepsAll = retention.keep === null && retention.since === null;
  await db.query({
    name: keepsAll ? 'version-record-change' : 'version-record-and-prune',
    deferred: true,
    text: keepsAll ? RECORD_KEEPING_ALL : RECORD_AND_PRUNE,
    values: keepsAll ? values : [...values, retention.keep, retention.since],
  });
}

/** A version of an object: `replaced` are the values that the next version replaced, and `fields` the fields that this version changed. */
export type WrittenVersion = {
  number: number;
  at: Date;
  actor: string;
  note: string;
  fields: string[];
  replaced: Record<string, unknown>;
};

/** Returns the newest version of an object, or the one with a number; undefined if it has none. */
export async function newestVersion(
  db: Queryable,
  content: number,
  number: number | null = null,
): Promise<WrittenVersion | undefined> {
  const [row] = await db.query<WrittenVersion>({
    name: 'newest-version',
    text: `select number, at, actor, note, fields, replaced from version
      where content = $1 and ($2::int is null or number = $2) order by number desc limit 1`,
    values: [content, number],
  });
  return row;
}

/** Gives a version of an object another number, changed fields, replaced values and time. */
export async function replaceVersion(
  db: Queryable,
  number: number,
  { content, number: to, at, fields, replaced }: WrittenVersion & { content: number },
): Promise<void> {
  await db.query({
    name: 'replace-version',
    text: 'update version set number = $3, at = $4, fields = $5, replaced = $6 where content = $1 and number = $2',
    values: [content, number, to, at, fields, JSON.stringify(replaced)],
  });
}

/** Adds versions of new objects. */
export async function insertVersions(
  db: Queryable,
  rows: readonly (WrittenVersion & { content: number })[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: 'insert-versions',
    text: `insert into version (content, number, at, actor, note, fields, replaced)
      select content, number, at, actor, note, array(select jsonb_array_elements_text(fields)), replaced
      from jsonb_to_recordset($1::jsonb) n(content bigint, number int, at timestamptz, actor text, note text, fields jsonb, replaced jsonb)
      on conflict do nothing`,
    values: [JSON.stringify(rows)],
  });
}

/** The progress of a pruning: the last examined object, and the number of removed versions. */
type Pruned = { last: number; removed: number };

const PRUNE = `with kept as (
    select content, greatest(max(number) + 1 - $1::int, max(number) filter (where at < $2::timestamptz)) as first
    from version where content > $3 group by content order by content limit $4
  ), gone as (
    delete from version v using kept where v.content = kept.content and v.number < kept.first returning 1
  )
  select max(content) as last, (select count(*)::int from gone) as removed from kept`;

/**
 * Prunes the versions of the next `limit` objects with numbers above `after`. Returns undefined when there are no more
 * objects.
 */
export async function pruneVersionRows(
  db: Queryable,
  { retention, after, limit }: { retention: Retention; after: number; limit: number },
): Promise<Pruned | undefined> {
  const [row] = await db.query<{ last: number | null; removed: number }>({
    name: 'version-prune',
    text: PRUNE,
    values: [retention.keep, retention.since, after, limit],
  });
  return row && row.last !== null ? { last: row.last, removed: row.removed } : undefined;
}

/** The objects of a window with gaps in the numbers of their versions, or with stored values that are no JSON object. */
export const brokenVersionsIn = (
  db: Queryable,
  { after, last }: { after: number; last: number },
): Promise<{ oid: number; path: string; gap: boolean; unusable: number[] }[]> =>
  db.query({
    name: 'version-check',
    text: `with numbered as (
        select content, max(number) - min(number) + 1 <> count(*) as gap,
          coalesce(array_agg(number order by number) filter (where jsonb_typeof(replaced) <> 'object'), '{}') as unusable
        from version where content > $1 and content <= $2 group by content
      )
      select c.oid, c.path, n.gap, n.unusable from numbered n join content c on c.oid = n.content
      where n.gap or cardinality(n.unusable) > 0 order by c.oid`,
    values: [after, last],
    reads: true,
  });

/** Removes unusable values of versions. */
export async function clearVersionValues(db: Queryable, content: number, numbers: readonly number[]): Promise<void> {
  await db.query({
    name: 'version-clear-values',
    text: `update version set replaced = '{}' where content = $1 and number = any($2) and jsonb_typeof(replaced) <> 'object'`,
    values: [content, numbers],
  });
}
