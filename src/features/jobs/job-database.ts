import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../storage/database.ts';

/**
 * The database as an action gets it. Whatever a job does, requests of the same process come between its statements and
 * transactions: the embedded database answers without a pause, and a loop over a whole site would let nobody else in. Throws
 * the reason of `signal` instead of beginning anything once the job is to stop.
 */
export function jobDatabase(db: Database, signal: AbortSignal): Database {
  const turn = async (): Promise<void> => {
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  return {
    engine: db.engine,
    get writes() {
      return db.writes;
    },
    async query(statement) {
      await turn();
      return db.query(statement);
    },
    async transaction(work) {
      await turn();
      return db.transaction(work);
    },
    async script(sql) {
      await turn();
      return db.script(sql);
    },
    listen: (channel, handler) => db.listen(channel, handler),
    figures: () => db.figures(),
    close: () => db.close(),
  };
}
