import { databases, type Queryable } from '#core';
import { type Column, type LastNumber, quoted, type TableShape } from './read.ts';

/** Statements that restore the indexes and keys that would slow down loading. */
export type Deferred = { indexes: string[]; keys: string[] };

/** Drops the indexes and foreign keys of all tables and turns triggers off. Returns the statements that restore the indexes and keys. */
export async function deferChecks(tx: Queryable, tables: readonly TableShape[]): Promise<Deferred> {
  const keys = await tx.query<{ drop: string; make: string }>({
    text: `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`,
  });
  const indexes = await tx.query<{ drop: string; make: string }>({
    text: `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = current_schema()::regnamespace and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
      order by c.relname`,
  });
  for (const { drop } of [...keys, ...indexes]) await tx.query({ text: drop });
  for (const { name } of tables) await tx.query({ text: `alter table ${quoted(name)} disable trigger user` });
  return { indexes: indexes.map(({ make }) => make), keys: keys.map(({ make }) => make) };
}

/** Restores indexes, foreign keys and triggers, and updates the statistics of the planner. */
export async function restoreChecks(tx: Queryable, tables: readonly TableShape[], deferred: Deferred): Promise<void> {
  for (const make of [...deferred.indexes, ...deferred.keys]) await tx.query({ text: make });
  for (const { name } of tables) {
    await tx.query({ text: `alter table ${quoted(name)} enable trigger user` });
    await tx.query({ text: `analyze ${quoted(name)}` });
  }
}

/** Removes rows that migrations have made. */
export async function emptyTables(tx: Queryable, tables: readonly { name: string }[]): Promise<void> {
  if (tables.length > 0) await tx.query({ text: `truncate ${tables.map(({ name }) => quoted(name)).join(', ')}` });
}

/** Writes rows, each a JSON list of the texts of its values. */
export async function writeRows(
  tx: Queryable,
  name: string,
  columns: readonly Column[],
  rows: string[],
): Promise<void> {
  await tx.query({
    text: `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) overriding system value
      select ${columns.map(({ type }, i) => `(r->>${i})::${type}`).join(', ')} from jsonb_array_elements($1::jsonb) r`,
    values: [`[${rows.join(',')}]`],
  });
}

/** Lets columns continue after their last numbers. */
export async function continueNumbers(tx: Queryable, numbers: readonly LastNumber[]): Promise<void> {
  for (const { table, column, last } of numbers)
    await tx.query({
      text: 'select setval(pg_get_serial_sequence($1, $2)::regclass, $3::bigint)',
      values: [quoted(table), column, last],
    });
}

/** Connections of other processes of the server to the database. */
export async function countOthers(db: Queryable): Promise<number> {
  const [row] = await db.query<{ others: number }>({
    text: `select count(*)::int as others from pg_stat_activity where datname = current_database()
      and application_name like $1 and application_name <> current_setting('application_name')`,
    values: [`${databases.PROCESS_NAME}%`],
  });
  return row?.others ?? 0;
}

/** Says if the database has a site. */
export async function hasSiteRows(db: Queryable): Promise<boolean> {
  const [table] = await db.query<{ present: boolean }>({
    text: `select to_regclass('content') is not null as present`,
  });
  if (table?.present !== true) return false;
  return (await db.query({ text: 'select from content limit 1' })).length > 0;
}
