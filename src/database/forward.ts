import type { Trace } from '../lib/process/trace.ts';
import type { Database, DatabaseFigures, DatabaseLoad } from './database.ts';

/** The members that a wrapper of a database replaces. A wrapper always has the engine, the close method and the counts of its database. */
export type DatabaseChanges = Partial<Pick<Database, 'query' | 'transaction' | 'script'>>;

/** A database with some methods replaced. A class, because each request makes several: an object with its own functions takes forty times as long. */
class Wrapper implements Database {
  readonly engine: Database['engine'];
  readonly query: Database['query'];
  readonly transaction: Database['transaction'];
  readonly script: Database['script'];
  readonly #db: Database;

  constructor(db: Database, { query, transaction, script }: DatabaseChanges) {
    this.#db = db;
    this.engine = db.engine;
    this.query = query ?? ((statement) => db.query(statement));
    this.transaction = transaction ?? ((work, options) => db.transaction(work, options));
    this.script = script ?? ((sql) => db.script(sql));
  }

  get writes(): number | undefined {
    return this.#db.writes;
  }

  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#db.listen(channel, handler);
  }

  figures(): Promise<DatabaseFigures> {
    return this.#db.figures();
  }

  load(): DatabaseLoad {
    return this.#db.load();
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

/** A copy of `db` with some methods replaced; all wrappers of databases are made by it. */
export const forward = (db: Database, changes: DatabaseChanges): Database => new Wrapper(db, changes);

/** A database whose statements and transactions belong to a request. */
export const traced = (db: Database, trace: Trace | undefined): Database =>
  forward(db, {
    query: (statement) => db.query({ ...statement, trace }),
    transaction: (work, options) => db.transaction(work, { ...options, trace }),
  });
