import type { Queryable } from '../../../database/database.ts';
import { hasRows } from '../../../database/rows.ts';
import { fieldValue, isLongField, splitFields } from '../../search/statements/long-fields.ts';
import type { NewContent } from '../../types/content-row.ts';

/** A new object with a number that is reserved before the write, so that its children can name it in the same statement. */
export type NumberedContent = NewContent & { oid: number; position: number };

/** Numbers for `count` new objects, in ascending order. */
export async function reserveOids(db: Queryable, count: number): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    name: 'reserve-oids',
    text: `select nextval(pg_get_serial_sequence('content', 'oid')) as oid from generate_series(1, $1::int)`,
    values: [count],
  });
  return rows.map(({ oid }) => oid).sort((a, b) => a - b);
}

const INSERT = `insert into content (oid, uid, parent, name, path, position, type, review_state, owner, language, layout, created, modified,
    effective, expires, local_roles, inherit_roles, local_permissions, constrains, default_page, translation_group, fields, blocks, blocks_layout, text)
  overriding system value
  select oid, uid, parent, name, path, position, type, "reviewState", owner, language, layout, created, modified,
    effective, expires, "localRoles", "inheritRoles", "localPermissions", constrains, "defaultPage",
    case when row_number() over (partition by "translationGroup", language order by oid) = 1
      and not exists (select 1 from content t where t.translation_group = n."translationGroup" and t.language = n.language)
      then "translationGroup" end, fields, blocks, blocks_layout, text
  from jsonb_to_recordset($1::jsonb) n(oid bigint, uid text, parent bigint, name text, path text, position float8, type text,
    "reviewState" text, owner text, language text, layout text, created timestamptz, modified timestamptz, effective timestamptz,
    expires timestamptz, "localRoles" jsonb, "inheritRoles" boolean, "localPermissions" jsonb, constrains jsonb,
    "defaultPage" text, "translationGroup" text, fields jsonb, blocks json, blocks_layout json, text json)
  on conflict do nothing
  returning oid`;

/**
 * Inserts objects, containers before their content. Returns the numbers of the objects whose path and UID were free. An object that would be the
 * second one of its language in a group of translations stays out of the group.
 */
export async function insertContents(db: Queryable, rows: readonly NumberedContent[]): Promise<Set<number>> {
  const inserted = await db.query<{ oid: number }>({
    name: 'insert-contents',
    text: INSERT,
    values: [JSON.stringify(rows.map((row) => ({ ...row, ...splitFields(row.fields) })))],
  });
  return new Set(inserted.map(({ oid }) => oid));
}

/** The present paths of objects by their numbers, without removed objects. */
export async function pathsOf(db: Queryable, oids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ oid: number; path: string }>({
    name: 'paths-of',
    text: 'select oid, path from content where oid = any($1::bigint[])',
    values: [oids],
  });
  return new Map(rows.map(({ oid, path }) => [oid, path]));
}

/** Gives a field of an object a value if it has none. Returns whether it did. */
export const fillEmptyField = (
  db: Queryable,
  oid: number,
  { field, value }: { field: string; value: object },
): Promise<boolean> =>
  hasRows(db, {
    text: `update content c set ${isLongField(field) ? `${field} = $3::json` : 'fields = jsonb_set(fields, array[$2::text], $3::jsonb)'}
      where oid = $1 and coalesce(${fieldValue('c', '$2::text')}, 'null') = 'null' returning oid`,
    values: [oid, field, JSON.stringify(value)],
  });

/** Gives each object other blocks. */
export async function replaceBlocks(
  db: Queryable,
  changes: readonly { oid: number; blocks: unknown }[],
): Promise<void> {
  await db.query({
    name: 'replace-copied-blocks',
    text: `update content c set blocks = n.blocks::json
      from unnest($1::bigint[], $2::text[]) n(oid, blocks) where c.oid = n.oid`,
    values: [changes.map(({ oid }) => oid), changes.map(({ blocks }) => JSON.stringify(blocks))],
  });
}

/** Sets the language of objects, which are locked. */
export async function setLanguages(db: Queryable, oids: readonly number[], language: string): Promise<void> {
  await db.query({
    name: 'set-languages',
    text: 'update content set language = $2 where oid = any($1)',
    values: [oids, language],
  });
}

/** Removes all local roles of one principal (`user:<id>` or `group:<id>`). Rows are locked from the root downward, as in every write. */
export async function removeLocalRoles(db: Queryable, principal: string): Promise<void> {
  await db.query({
    text: 'select 1 from content where local_roles ? $1 order by length(path), path for no key update',
    values: [principal],
  });
  await db.query({
    text: 'update content set local_roles = local_roles - $1::text where local_roles ? $1',
    values: [principal],
  });
}

/** The last part of a statement: removes the own permissions of the objects in column `column` of `rows`, and returns their paths. */
export const DROP_PERMISSIONS = (
  rows: string,
  column: string,
) => `update content c set local_permissions = null from ${rows}
  where c.oid = ${rows}.${column} and c.local_permissions is not null returning c.path`;
