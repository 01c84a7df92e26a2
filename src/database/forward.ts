import type { Trace } from '../lib/process/trace.ts';
import type { Database } from './database.ts';

/** The members that a wrapper of a database replaces. A wrapper never has another engine, nor closes or counts for itself. */
export type DatabaseChanges = Partial<Pick<Database, 'query' | 'transaction' | 'script'>>;

/** A copy of `db` with other methods in place of some: the one way to wrap a database. */
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
