import type { Queryable, Row, Statement } from './database.ts';

/** The tables in the plan of a statement. */
function* tablesIn(plan: unknown): Generator<string> {
  if (typeof plan !== 'object' || plan === null) return;
  if ('Relation Name' in plan && typeof plan['Relation Name'] === 'string') yield plan['Relation Name'];
  for (const part of Object.values(plan)) yield* tablesIn(part);
}

/** The tables that a statement reads with its values, by the plan of the database: for tests. */
export async function tablesReadBy(db: Queryable, { text, values = [] }: Statement): Promise<Set<string>> {
  const rows = await db.query<Row>({ text: `explain (format json) ${text}`, values });
  return new Set(rows.flatMap((row) => [...tablesIn(row['QUERY PLAN'])]));
}
