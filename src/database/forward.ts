import type { Trace } from '../lib/process/trace.ts';
import type { Database } from './database.ts';

/** The members that a wrapper of a database replaces. A wrapper always has the engine, the close method and the counts of its database. */
export type DatabaseChanges = Partial<Pick<Database, 'query' | 'transaction' | 'script'>>;

/** A copy of `db` with some methods replaced; all wrappers of databases are made by it. */
export function forward(db: Database, changes: DatabaseChanges): Database {
  return {
    engine: db.engine,
    get writes() {
      return db.writes;
    },
    query: (statement) => db.query(statement),
    transaction: (work, options) => db.transaction(work, options),
    script: (sql) => db.script(sql),
    listen: (channel, handler) => db.listen(channel, handler),
    figures: () => db.figures(),
    load: () => db.load(),
    close: () => db.close(),
    ...changes,
  };
}

/** A database whose statements and transactions belong to a request. */
export const traced = (db: Database, trace: Trace | undefined): Database =>
  forward(db, {
    query: (statement) => db.query({ ...statement, trace }),
    transaction: (work, options) => db.transaction(work, { ...options, trace }),
  });
