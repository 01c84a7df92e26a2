import type { Database, Queryable, Row, Statement, Transaction } from '../../database/database.ts';
import { withDates } from './statements/fragments.ts';

/** The statement with the dates of publication in what may be viewed; the same one when it does not ask for that. */
function dated(statement: Statement): Statement {
  const text = withDates(statement.text);
  if (text === statement.text) return statement;
  return { ...statement, text, ...(statement.name !== undefined && { name: `${statement.name}-dated` }) };
}

/**
 * A database that hides content by its dates of publication while `isOn`: every list and search of all features asks with
 * `VIEWABLE` and `VIEWERS`, and none can forget the dates. While it is off, statements are sent as they are.
 */
export function withDatesOfPublication(db: Database, isOn: () => boolean): Database {
  const query =
    (inner: Queryable) =>
    <R extends object = Row>(statement: Statement): Promise<R[]> =>
      inner.query<R>(isOn() ? dated(statement) : statement);
  const within = (tx: Transaction): Transaction => ({
    origin: tx.origin,
    query: query(tx),
    beforeCommit: (work, order) => tx.beforeCommit(work, order),
    afterCommit: (work) => tx.afterCommit(work),
  });
  return {
    engine: db.engine,
    get writes() {
      return db.writes;
    },
    query: query(db),
    transaction: (work, options) => db.transaction((tx) => work(within(tx)), options),
    script: (sql) => db.script(sql),
    listen: (channel, handler) => db.listen(channel, handler),
    figures: () => db.figures(),
    close: () => db.close(),
  };
}
