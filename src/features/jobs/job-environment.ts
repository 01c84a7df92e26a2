import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Database, forward } from '#core';
import type { Trace } from '#lib/process/trace';

/**
 * The database that a job action gets. It yields to the event loop before each statement and transaction: the embedded database responds in the same
 * tick, so that a loop over a whole site would block all requests of the process. Throws the reason of `signal` for each new statement once the job
 * has to stop. `trace` is the request that has begun the job.
 */
export function jobDatabase(db: Database, signal: AbortSignal, trace?: Trace): Database {
  const yieldAndCheck = async (): Promise<void> => {
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  return forward(db, {
    async query(statement) {
      await yieldAndCheck();
      const ofRequest = { ...statement, trace };
      return db.query(ofRequest);
    },
    async transaction(work, options) {
      await yieldAndCheck();
      return db.transaction(work, { ...options, trace });
    },
    async script(sql) {
      await yieldAndCheck();
      return db.script(sql);
    },
  });
}
