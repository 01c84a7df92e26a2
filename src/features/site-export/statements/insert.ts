import type { Queryable } from '#core';
import type { KeptTable } from '../tables.ts';
import { type Column, quoted, recordsOf, type TableShape } from './tables.ts';

/** Rows of an export as texts of JSON. */
type Rows = readonly string[];

const listOf = (rows: Rows): string => `[${rows.join(',')}]`;

/** The value of a column: its default if the export is older than the column. */
const valueFor = ({ name, fallback }: Column): string =>
  fallback === null ? `r.${quoted(name)}` : `coalesce(r.${quoted(name)}, ${fallback})`;

/** Removes all rows. */
export async function emptyTable(tx: Queryable, table: string): Promise<void> {
  await tx.query({ text: `delete from ${quoted(table)}` });
}

/** Writes rows unchanged, except references to rows of the same table, which may come later. */
export async function insertRows(tx: Queryable, table: KeptTable, shape: TableShape, rows: Rows): Promise<void> {
  const columns = shape.columns.filter(({ name }) => name !== table.within);
  await tx.query({
    text: `insert into ${quoted(table.name)} (${columns.map(({ name }) => quoted(name)).join(', ')}) overriding system value
      select ${columns.map(valueFor).join(', ')} from ${recordsOf(table.name, '$1')}`,
    values: [listOf(rows)],
  });
}

/** Writes the references between rows of the same table, once all rows are there. */
export async function connectRows(tx: Queryable, table: KeptTable, within: string, rows: Rows): Promise<void> {
  const same = table.key.map((column) => `t.${quoted(column)} = r.${quoted(column)}`).join(' and ');
  const [key = ''] = table.key;
  await tx.query({
    text: `update ${quoted(table.name)} t set ${quoted(within)} = r.${quoted(within)}
      from ${recordsOf(table.name, '$1')}
      where ${same} and exists (select 1 from ${quoted(table.name)} p where p.${quoted(key)} = r.${quoted(within)})`,
    values: [listOf(rows)],
  });
}

/** The use of the site so far, from which a new site is recognised. */
export type SiteUse = { objects: number; accounts: number; untouched: boolean };

/** Counts the objects and accounts of the site, up to two of each. */
export async function siteUse(tx: Queryable): Promise<SiteUse> {
  const [use] = await tx.query<SiteUse>({
    text: `select (select count(*)::int from (select 1 from content limit 2) c) as objects,
        (select count(*)::int from (select 1 from account limit 2) a) as accounts,
        coalesce((select modified = created from content where parent is null), true) as untouched`,
  });
  return use ?? { objects: 0, accounts: 0, untouched: true };
}
