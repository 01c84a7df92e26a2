import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Database, forward } from '#core';

/**
 * The database that a job action gets. It yields to the event loop before each statement and transaction: the embedded
 * database responds in the same tick, so that a loop over a whole site would block all requests of the process. Throws the
 * reason of `signal` instead of starting anything once the job is to stop.
 */
export function jobDatabase(db: Database, signal: AbortSignal): Database {
  const yieldAndCheck = async (): Promise<void> => {
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  return forward(db, {
    async query(statement) {
      await yieldAndCheck();
      return db.query(statement);
    },
    async transaction(work, options) {
      await yieldAndCheck();
      return db.transaction(work, options);
    },
    async script(sql) {
      await yieldAndCheck();
      return db.script(sql);
    },
  });
}
