import type { Queryable } from '../../../database/database.ts';
import { firstRow } from '../../../database/rows.ts';
import { ROW_VERSION } from '../../search/statements/fragments.ts';
import {
  type FieldColumns,
  type FieldTexts,
  isLongField,
  jsonParameter,
  loadedFields,
  splitFields,
} from '../../search/statements/long-fields.ts';
import type { ContentChange, NewContent } from '../../types/content-row.ts';

/** Number of suffixes that are tried one by one before larger steps are taken. */
const MAX_TRIED = 64;

/** One lookup in the index of names. With `exists` the database might read all children instead, to hash them for many lookups. */
const TAKEN = (name: string) => `((select oid from content where parent = $1 and name = ${name}) is not null)`;

/**
 * The least number for which `<name>-<number>` is free in a container; 0 for the name itself. If more than 64 numbers are taken, a binary search
 * finds some free number behind a taken one. Runs one statement.
 */
export async function freeNumber(db: Queryable, parent: number, name: string): Promise<number> {
  const [row] = await db.query<{ number: number }>({
    name: 'free-number',
    text: `with recursive first as materialized (
        select case when not ${TAKEN('$2')} then 0
          else (select min(n) from generate_series(1, ${MAX_TRIED}) n where not ${TAKEN(`$2 || '-' || n`)}) end as number
      ), bound as (
        select ${MAX_TRIED} as number from first where number is null
        union all select number * 2 from bound where ${TAKEN(`$2 || '-' || number`)} and number < 1000000000
      ), half as (
        select max(number) / 2 as low, max(number) as high from bound having max(number) is not null
        union all
        select case when t.taken then middle else low end, case when t.taken then high else middle end
        from (select low, high, (low + high) / 2 as middle from half where high - low > 1) h
          cross join lateral (select ${TAKEN(`$2 || '-' || middle`)} as taken offset 0) t
      )
      select coalesce((select number from first), (select min(high) from half))::int as number`,
    values: [parent, name],
  });
  return row?.number ?? 0;
}

const INSERT = `insert into content (uid, parent, name, path, position, type, review_state, owner, language, layout, created, modified,
    effective, expires, local_roles, inherit_roles, local_permissions, constrains, default_page, translation_group, fields, blocks, blocks_layout, text)
  values ($1, $2, $3, $4, coalesce($5::float8, (select max(position) + 1 from content where parent = $2), 1), $6, $7, $8, $9, $10, $11, $12,
    $13, $14, $15::jsonb, $16, $17::jsonb, $18::jsonb, $19, $20, $21::jsonb, $22::json, $23::json, $24::json)
  on conflict do nothing
  returning oid, position, ${ROW_VERSION('content')} as "rowVersion"`;

/** The number of a new object, its place, the version of its row, and its fields as they are loaded from now on. */
export type InsertedRow = { oid: number; position: number; rowVersion: string; fields: NewContent['fields'] };

/** Inserts an object behind its siblings. Returns undefined when its name, path or UID is taken. */
export async function insertContent(db: Queryable, row: NewContent): Promise<InsertedRow | undefined> {
  const written = splitFields(row.fields);
  const texts: FieldTexts = {
    fields: JSON.stringify(written.fields),
    blocks: jsonParameter(written.blocks),
    blocks_layout: jsonParameter(written.blocks_layout),
    text: jsonParameter(written.text),
  };
  const inserted = await firstRow<Omit<InsertedRow, 'fields'>>(db, {
    name: 'insert-content',
    text: INSERT,
    values: [
      row.uid,
      row.parent,
      row.name,
      row.path,
      row.position ?? null,
      row.type,
      row.reviewState,
      row.owner,
      row.language,
      row.layout,
      row.created,
      row.modified,
      row.effective,
      row.expires,
      jsonParameter(row.localRoles),
      row.inheritRoles,
      jsonParameter(row.localPermissions),
      jsonParameter(row.constrains),
      row.defaultPage,
      row.translationGroup,
      texts.fields,
      texts.blocks,
      texts.blocks_layout,
      texts.text,
    ],
  });
  return inserted && { ...inserted, fields: loadedFields(texts, written) };
}

type Columns = Omit<ContentChange, 'fields'> & Partial<FieldColumns>;

const COLUMNS: Record<keyof Columns, { column: string; json?: 'json' | 'jsonb' }> = {
  uid: { column: 'uid' },
  fields: { column: 'fields', json: 'jsonb' },
  blocks: { column: 'blocks', json: 'json' },
  blocks_layout: { column: 'blocks_layout', json: 'json' },
  text: { column: 'text', json: 'json' },
  language: { column: 'language' },
  layout: { column: 'layout' },
  effective: { column: 'effective' },
  expires: { column: 'expires' },
  created: { column: 'created' },
  modified: { column: 'modified' },
  reviewState: { column: 'review_state' },
  owner: { column: 'owner' },
  localRoles: { column: 'local_roles', json: 'jsonb' },
  inheritRoles: { column: 'inherit_roles' },
  localPermissions: { column: 'local_permissions', json: 'jsonb' },
  constrains: { column: 'constrains', json: 'jsonb' },
  defaultPage: { column: 'default_page' },
  lock: { column: 'lock', json: 'jsonb' },
  translationGroup: { column: 'translation_group' },
};

/** The columns of a change. Long fields whose names are not among `changed` stay as they are. */
function columnsOf({ fields, ...change }: ContentChange, changed: readonly string[] | undefined): Columns {
  if (fields === undefined) return change;
  const columns = Object.entries(splitFields(fields)).filter(
    ([name]) => changed === undefined || !isLongField(name) || changed.includes(name),
  );
  return { ...change, ...Object.fromEntries(columns) };
}

/**
 * Changes the given columns of one object in one statement, which a transaction defers. `fields` replaces all field values; if only the fields
 * `changed` have other values, long fields are not written anew.
 */
export async function updateContentRow(
  db: Queryable,
  oid: number,
  change: ContentChange,
  changed?: readonly string[],
): Promise<void> {
  const columns = columnsOf(change, changed);
  const sets: string[] = [];
  const values: unknown[] = [oid];
  const numbers: number[] = [];
  for (const [number, [key, { column, json }]] of Object.entries(COLUMNS).entries()) {
    const value = columns[key as keyof Columns];
    if (value === undefined) continue;
    values.push(json ? jsonParameter(value) : value);
    sets.push(`${column} = $${values.length}${json ? `::${json}` : ''}`);
    numbers.push(number);
  }
  if (sets.length === 0) return;
  const name = `update-content-${numbers.join('-')}`;
  await db.query({
    name,
    text: `update content set ${sets.join(', ')} where oid = $1`,
    values,
    deferred: true,
  });
}

/** Removes an object with everything below it and all rows that depend on it (foreign keys cascade). */
export async function removeContent(db: Queryable, oid: number): Promise<void> {
  await db.query({ name: 'remove-content', text: 'delete from content where oid = $1', values: [oid], deferred: true });
}
