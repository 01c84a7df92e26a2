import { contentSql, type Queryable } from '#core';

/** A column with its SQL type. `fallback` is the default of a column that must have a value. */
export type Column = { name: string; type: string; fallback: string | null; identity: boolean };

/** A foreign key of a table: its columns, and the columns in the `parent` table. */
export type ForeignKey = { parent: string; columns: string[]; parentColumns: string[] };

/** A table of the database. */
export type TableShape = { name: string; columns: Column[]; keys: ForeignKey[] };

/** All tables of the database, including undeclared ones. */
export const tableShapes = (db: Queryable): Promise<TableShape[]> =>
  db.query<TableShape>({
    name: 'table-shapes',
    text: `select t.relname::text as name,
        (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
            'fallback', case when a.attnotnull then pg_get_expr(d.adbin, d.adrelid) end, 'identity', a.attidentity <> '') order by a.attnum)
          from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        coalesce((select jsonb_agg(jsonb_build_object('parent', p.relname,
            'columns', (select jsonb_agg(a.attname order by at) from unnest(k.conkey) with ordinality u(number, at)
              join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number),
            'parentColumns', (select jsonb_agg(a.attname order by at) from unnest(k.confkey) with ordinality u(number, at)
              join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number)))
          from pg_constraint k join pg_class p on p.oid = k.confrelid
          where k.contype = 'f' and k.conrelid = t.oid and k.confrelid <> t.oid), '[]') as keys
      from pg_class t where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace order by t.relname`,
  });

/** A name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQL for the rows `r` of a table from a list in JSON, which is a parameter. */
export const recordsOf = (table: string, parameter: string): string =>
  table === 'content'
    ? `jsonb_array_elements(${parameter}::jsonb) d cross join lateral ${contentSql.storedRow('d.value')} r`
    : `jsonb_populate_recordset(null::${quoted(table)}, ${parameter}::jsonb) r`;

/** The last number that each identity column of the tables has given out, by `table.column`; unused columns are left out. */
export async function lastNumbers(db: Queryable, tables: readonly TableShape[]): Promise<Record<string, number>> {
  const last: Record<string, number> = {};
  for (const { name, columns } of tables) {
    for (const column of columns.filter(({ identity }) => identity)) {
      const [row] = await db.query<{ value: number | null }>({
        text: 'select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) as value',
        values: [quoted(name), column.name],
      });
      if (row && row.value !== null) last[`${name}.${column.name}`] = row.value;
    }
  }
  return last;
}

/** Lets an identity column continue after the number. */
export async function continueNumbers(db: Queryable, table: string, column: string, last: number): Promise<void> {
  await db.query({
    text: 'select setval(pg_get_serial_sequence($1, $2)::regclass, greatest($3, coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), 0)))',
    values: [quoted(table), column, last],
  });
}

/** The number of the last migration of the program; migrations of features have their own numbers. */
export async function schemaVersion(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number }>({
    text: 'select coalesce(max(id), 0) as id from schema_migration',
  });
  return row?.id ?? 0;
}
