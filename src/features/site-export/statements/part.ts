import { firstRow, type Queryable } from '#core';
import type { KeptTable } from '../tables.ts';
import { type Column, type ForeignKey, quoted, recordsOf, type TableShape } from './tables.ts';

const listOf = (rows: readonly string[]): string => `[${rows.join(',')}]`;

/** Creates the table of new numbers for the content of a part. */
export async function openNumbers(tx: Queryable): Promise<void> {
  await tx.query({
    text: 'create temporary table import_number (old bigint primary key, new bigint not null) on commit drop',
  });
}

/** Gives numbers to objects. */
export async function giveNumbers(tx: Queryable, rows: readonly string[]): Promise<void> {
  await tx.query({
    name: 'import-give-numbers',
    text: `insert into import_number (old, new)
      select (r->>'oid')::bigint, nextval(pg_get_serial_sequence('content', 'oid')) from jsonb_array_elements($1::jsonb) r`,
    values: [listOf(rows)],
  });
}

/** The next new numbers after one of them, in their order. */
export async function newNumbers(tx: Queryable, after: number, limit: number): Promise<number[]> {
  const rows = await tx.query<{ new: number }>({
    name: 'import-new-numbers',
    text: 'select new from import_number where new > $1 order by new limit $2',
    values: [after, limit],
  });
  return rows.map((row) => row.new);
}

/** Objects of the site that have the UID of an object in the rows. */
export const takenUids = (tx: Queryable, rows: readonly string[]): Promise<{ uid: string; path: string }[]> =>
  tx.query({
    name: 'import-taken-uids',
    text: `select c.uid, c.path from jsonb_array_elements($1::jsonb) r join content c on c.uid = r->>'uid' order by c.path limit 3`,
    values: [listOf(rows)],
  });

/** The old and the new place of a part. */
export type PartMove = { from: string; to: string; name: string; container: number };

const newNumber = (column: string): string => `(select n.new from import_number n where n.old = r.${quoted(column)})`;

/** An expression for the new path of an object at or below the part; other paths stay. `$2` is the old path of the part, `$3` the new path. */
const moved = (column: string): string =>
  `case when r.${column} = $2 then $3 when starts_with(r.${column}, $2 || '/') then $3 || substr(r.${column}, length($2) + 1) else r.${column} end`;

/** Columns of content that depend on its place. */
const OF_CONTENT: Readonly<Record<string, string>> = {
  oid: newNumber('oid'),
  parent: `case when r.path = $2 then $5::bigint else ${newNumber('parent')} end`,
  path: moved('path'),
  name: 'case when r.path = $2 then $4 else r.name end',
  position: `case when r.path = $2 then coalesce((select max(position) + 1 from content where parent = $5::bigint), 1) else r.position end`,
  translation_group: `case when not exists (select 1 from content t where t.translation_group = r.translation_group and t.language = r.language)
    then r.translation_group end`,
};

const fallbackOf = ({ name, fallback }: Column): string =>
  fallback === null ? `r.${quoted(name)}` : `coalesce(r.${quoted(name)}, ${fallback})`;

function valueFor(table: KeptTable, column: Column): string {
  const { name } = column;
  if (table.name === 'content') return OF_CONTENT[name] ?? fallbackOf(column);
  if (name === table.content || table.otherContent?.includes(name)) return newNumber(name);
  return name === table.address ? moved(name) : fallbackOf(column);
}

/** The condition that the target of a row's foreign key is on the site, or that the key is null. */
const isThere = ({ parent, columns, parentColumns }: ForeignKey): string => {
  const same = columns.map((column, i) => `p.${quoted(parentColumns[i] ?? '')} = r.${quoted(column)}`);
  const unset = columns.map((column) => `r.${quoted(column)} is null`);
  return `(${unset.join(' or ')} or exists (select 1 from ${quoted(parent)} p where ${same.join(' and ')}))`;
};

/**
 * Writes rows of a part, with the new numbers of its content. Rows with missing targets, and rows whose key is taken, are left out. Returns the
 * number of written rows.
 */
export async function insertPartRows(
  tx: Queryable,
  table: KeptTable,
  shape: TableShape,
  { rows, move }: { rows: readonly string[]; move: PartMove },
): Promise<number> {
  const isContent = table.name === 'content';
  const columns = shape.columns.filter(
    ({ name }) => name !== table.within && (isContent || !table.numbered?.includes(name)),
  );
  const numbers = isContent ? [] : [table.content ?? '', ...(table.otherContent ?? [])];
  const conditions = [
    ...numbers.map((column) => `${newNumber(column)} is not null`),
    ...(table.address === undefined
      ? []
      : [`not exists (select 1 from content c where c.path = ${moved(table.address)})`]),
    ...shape.keys.filter(({ parent }) => parent !== 'content').map(isThere),
  ];
  const written = await tx.query({
    text: `with places as (select $2::text, $3::text, $4::text, $5::bigint)
      insert into ${quoted(table.name)} (${columns.map(({ name }) => quoted(name)).join(', ')}) overriding system value
      select ${columns.map((column) => valueFor(table, column)).join(', ')}
      from places cross join ${recordsOf(table.name, '$1')}
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      ${isContent ? '' : 'on conflict do nothing'} returning 1 as one`,
    values: [listOf(rows), move.from, move.to, move.name, move.container],
  });
  return written.length;
}

/** A container that a part can be imported into. */
export type Container = { oid: number; type: string };

/** The object at a path, if any. */
export const containerAt = (tx: Queryable, path: string): Promise<Container | undefined> =>
  firstRow<Container>(tx, { text: 'select oid, type from content where path = $1', values: [path] });
