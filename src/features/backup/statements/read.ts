import { fileStores, type Queryable } from '#core';

/** Name and SQL type of a column. */
export type Column = { name: string; type: string };

/** A table of the database, without generated columns. */
export type TableShape = { name: string; columns: Column[] };

/** Turns off the time limit of the transaction, and sets the formats in which values are texts that are the same on every server. */
export async function preciseTexts(tx: Queryable): Promise<void> {
  await tx.query({
    text: `select set_config(name, value, true) from (values ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
      ('TimeZone', 'UTC'), ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'), ('bytea_output', 'hex'), ('extra_float_digits', '1'))
      settings(name, value)`,
  });
}

/** A name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** All tables of the schema. */
export const tableShapes = (db: Queryable): Promise<TableShape[]> =>
  db.query<TableShape>({
    text: `select t.relname::text as name, jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
      from pg_class t join pg_attribute a on a.attrelid = t.oid
      where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by t.relname order by t.relname`,
  });

/** Rows of the first batch; later batches have as many rows as fit the memory of a batch. */
const FIRST_ROWS = 50;
const MAX_ROWS = 1000;
/** Characters of a batch above and below which the next batch is made smaller or larger. */
const LARGE_BATCH = 4 * 1024 * 1024;
const SMALL_BATCH = 512 * 1024;

/** The texts of a statement that selects one column `line`, in batches of a cursor. */
async function* fetchLines(tx: Queryable, select: string): AsyncGenerator<string[]> {
  await tx.query({ text: `declare backup_lines no scroll cursor for ${select}` });
  for (let limit = FIRST_ROWS; ; ) {
    const rows = await tx.query<{ line: string }>({ text: `fetch ${limit} from backup_lines` });
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < limit) break;
    const length = rows.reduce((sum, { line }) => sum + line.length, 0);
    if (length > LARGE_BATCH) limit = Math.max(1, Math.floor(limit / 4));
    else if (length < SMALL_BATCH) limit = Math.min(MAX_ROWS, limit * 2);
  }
  await tx.query({ text: 'close backup_lines' });
}

/** The rows of a table, each as a JSON list of the texts of its values. */
export const readRows = (tx: Queryable, { name, columns }: TableShape): AsyncGenerator<string[]> =>
  fetchLines(
    tx,
    `select array_to_json(array[${columns.map((column) => `t.${quoted(column.name)}::text`).join(', ')}]::text[])::text as line from ${quoted(name)} t`,
  );

/** All hashes in the database, each once and in order; some do not belong to files. */
export async function* readHashes(tx: Queryable): AsyncGenerator<string[]> {
  yield* fetchLines(tx, `select hash as line from (${await fileStores.selectHashes(tx)}) hashes`);
}

/** The last number that a column has given out. */
export type LastNumber = { table: string; column: string; last: number };

/** The last numbers of all columns that number rows. */
export const lastNumbers = (db: Queryable): Promise<LastNumber[]> =>
  db.query<LastNumber>({
    text: `select * from (select t.relname::text as table, a.attname::text as column, pg_sequence_last_value(s.oid) as last
      from pg_class s join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
      join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
      where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace) numbers where last is not null order by 1, 2`,
  });
