import { contentSql, type Queryable } from '#core';
import type { KeptTable } from '../tables.ts';
import { quoted, type TableShape } from './tables.ts';

/** Rows of the first batch; later batches have as many rows as fit the memory of a batch. */
const FIRST_LIMIT = 50;
const MAX_LIMIT = 1000;
/** Characters of the JSON of a batch above and below which the next batch is made smaller or larger. */
const LARGE_BATCH = 4 * 1024 * 1024;
const SMALL_BATCH = 512 * 1024;

type ReadRow = { row: string; key: string[] };

const typeOf = (shape: TableShape, column: string): string =>
  column === 'ctid' ? 'tid' : (shape.columns.find(({ name }) => name === column)?.type ?? 'text');

/** The condition that a row belongs to the part of the site at or below `$2`. */
function inPart({ content, otherContent = [], name }: KeptTable): string {
  if (name === 'content') return contentSql.AT_OR_BELOW('t.path', '$2');
  return [content ?? '', ...otherContent]
    .map(
      (column) => `t.${quoted(column)} in (select oid from content c where ${contentSql.AT_OR_BELOW('c.path', '$2')})`,
    )
    .join(' and ');
}

/**
 * The rows of a table as texts of JSON, exactly as the database writes them, in the order of their key; with a path only rows at or below it. One
 * batch at a time is in memory.
 */
export async function* readRows(
  db: Queryable,
  table: KeptTable,
  shape: TableShape,
  path: string | undefined,
): AsyncGenerator<string[]> {
  const keys = table.key.map((column) => `t.${quoted(column)}`);
  let after: string[] | undefined;
  let limit = FIRST_LIMIT;
  for (;;) {
    const conditions: string[] = [];
    if (path !== undefined) conditions.push(inPart(table));
    const values: unknown[] = [limit, ...(path === undefined ? [] : [path])];
    if (after) {
      const places = table.key.map(
        (column, i) => `($${values.length + 1}::text[])[${i + 1}]::${typeOf(shape, column)}`,
      );
      conditions.push(`(${keys.join(', ')}) > (${places.join(', ')})`);
      values.push(after);
    }
    const rows: ReadRow[] = await db.query<ReadRow>({
      text: `select to_jsonb(t)::text as row, array[${keys.map((key) => `${key}::text`).join(', ')}] as key
        from ${quoted(table.name)} t ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
        order by ${keys.join(', ')} limit $1`,
      values,
    });
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < limit) return;
    after = rows.at(-1)?.key;
    const length = rows.reduce((sum, { row }) => sum + row.length, 0);
    if (length > LARGE_BATCH) limit = Math.max(1, Math.floor(limit / 4));
    else if (length < SMALL_BATCH) limit = Math.min(MAX_LIMIT, limit * 2);
  }
}

/** The number of rows; for a table of content only rows at or below `path`. */
export async function countRows(db: Queryable, table: KeptTable, path: string | undefined): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `select count(*)::int as count from ${quoted(table.name)} t ${path === undefined ? '' : `where ${inPart(table).replaceAll('$2', '$1')}`}`,
    values: path === undefined ? [] : [path],
  });
  return row?.count ?? 0;
}

/** Turns off the time limits of the transaction. */
export async function liftTimeouts(tx: Queryable): Promise<void> {
  await tx.query({
    text: `select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
  });
}

/** True if there is an object at the path. */
export async function objectAt(db: Queryable, path: string): Promise<boolean> {
  return (await db.query({ text: 'select 1 from content where path = $1', values: [path] })).length > 0;
}
