import type { Queryable } from '../../../storage/database.ts';

/** Which versions are kept beside the newest: the newest `keep` ones, and what was the present state after `since`. */
export type Retention = { keep: number | null; since: Date | null };

/** A change of one object, already written to `content`. */
export type Change = {
  content: number;
  actor: string;
  note: string;
  /** Names of what changed. */
  fields: readonly string[];
  /** Stored values before the change, of the fields that changed. */
  before: Record<string, unknown>;
  /** Types whose objects have versions. */
  types: readonly string[];
  retention: Retention;
};

const HAS_VERSIONS = (types: string) =>
  `type = any(${types}::text[]) and fields->'versioning_enabled' is distinct from 'false'`;

/** Makes the first version of a new object, where its type and the object itself have versions. */
export async function recordCreation(
  db: Queryable,
  { content, actor, note, types }: Pick<Change, 'content' | 'actor' | 'note' | 'types'>,
): Promise<void> {
  await db.query({
    name: 'version-record-creation',
    text: `insert into version (content, number, at, actor, note)
      select oid, 0, created, $2, $3 from content where oid = $1 and ${HAS_VERSIONS('$4')}`,
    values: [content, actor, note, types],
  });
}

/**
 * The newest version takes over the values that were replaced; those that it has replaced already, without a version
 * of their own, stay. An object that came without versions (by import or copy) gets what it was as version 0.
 * A row is deleted or updated in the statement, never both.
 */
const RECORD = `with changed as (
    select oid, owner, created, modified, ${HAS_VERSIONS('$6')} as recorded from content where oid = $1
  ), newest as (
    select number from version where content = $1 order by number desc limit 1
  ), kept as (
    select greatest(newest.number + 2 - $7::int, (select max(number) from version where content = $1 and at < $8::timestamptz)) as first
    from newest, changed where changed.recorded
  ), base as (
    insert into version (content, number, at, actor, replaced)
    select oid, 0, created, owner, $5::jsonb from changed where recorded and not exists (select 1 from newest)
  ), taken as (
    update version v set replaced = $5::jsonb || v.replaced from newest n
    where v.content = $1 and v.number = n.number and not exists (select 1 from kept where kept.first > n.number)
  ), pruned as (
    delete from version v using kept where v.content = $1 and v.number < kept.first
  )
  insert into version (content, number, at, actor, note, fields)
  select oid, coalesce((select number from newest), 0) + 1, modified, $2, $3, $4 from changed where recorded`;

/**
 * Records a change: a new version, where the object has versions, and in any case the replaced values, so that older
 * versions stay what they were. Prunes by `retention`. The caller holds the object. One statement.
 */
export async function recordChange(db: Queryable, change: Change): Promise<void> {
  const { content, actor, note, fields, before, types, retention } = change;
  await db.query({
    name: 'version-record-change',
    text: RECORD,
    values: [content, actor, note, fields, JSON.stringify(before), types, retention.keep, retention.since],
  });
}
