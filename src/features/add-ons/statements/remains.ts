import type { Queryable } from '#core';

/** Maximum number of rows of a table that are counted. */
export const MAX_COUNTED = 10_000;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Selects the names that are tables or views of the database. */
export const presentTables = (
  db: Queryable,
  names: readonly string[],
): Promise<{ name: string; kind: 'table' | 'view' }[]> =>
  db.query<{ name: string; kind: 'table' | 'view' }>({
    text: `select relname::text as name, case when relkind = 'v' then 'view' else 'table' end as kind from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and relname = any($1::text[]) order by relname`,
    values: [names],
  });

/** The number of rows of a table, counted up to `MAX_COUNTED` + 1. */
export async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `select count(*)::int as count from (select 1 from ${quoted(table)} limit ${MAX_COUNTED + 1}) counted`,
    values: [],
  });
  return row?.count ?? 0;
}

/** The functions of the database whose text names one of the tables. */
export const functionsWith = (db: Queryable, tables: readonly string[]): Promise<{ name: string }[]> =>
  db.query<{ name: string }>({
    text: `select distinct p.proname::text as name from pg_proc p, unnest($1::text[]) t(name)
      where p.pronamespace = current_schema()::regnamespace and p.prosrc ~* ('\\m' || t.name || '\\M') order by 1`,
    values: [tables],
  });

/** Drops the views and tables at once, so that they may refer to each other. */
export async function dropTables(
  tx: Queryable,
  tables: readonly { name: string; kind: 'table' | 'view' }[],
): Promise<void> {
  for (const kind of ['view', 'table'] as const) {
    const names = tables.filter((table) => table.kind === kind).map(({ name }) => quoted(name));
    if (names.length > 0) await tx.query({ text: `drop ${kind} ${names.join(', ')}`, values: [] });
  }
}

/** True if migrations of a feature were applied. */
export async function hasMigrations(db: Queryable, feature: string): Promise<boolean> {
  const [ledger] = await presentTables(db, ['feature_migration']);
  if (!ledger) return false;
  const text = 'select 1 from feature_migration where feature = $1 limit 1';
  return (await db.query({ text, values: [feature] })).length > 0;
}

/** The scheduled jobs with one of these actions. */
export const scheduledJobsOf = (db: Queryable, actions: readonly string[]): Promise<{ id: string }[]> =>
  db.query<{ id: string }>({
    text: 'select id from scheduled_job where action = any($1::text[]) order by id collate "C"',
    values: [actions],
  });
