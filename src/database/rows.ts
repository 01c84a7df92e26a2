import type { Queryable, Row, Statement } from './database.ts';

/** Returns the first row of a statement; undefined without rows. */
export async function firstRow<R extends object = Row>(db: Queryable, statement: Statement): Promise<R | undefined> {
  return (await db.query<R>(statement))[0];
}

/** Runs a statement and says if it returned rows. */
export async function hasRows(db: Queryable, statement: Statement): Promise<boolean> {
  return (await db.query(statement)).length > 0;
}
