import type { Database, Queryable, Transaction } from '../../storage/database.ts';
import { beginStep, keepStep, undoStep } from './statements/import-rehearsal.ts';

/** Where an import reads and writes: the database itself, or one transaction that leaves nothing behind. */
export type ImportScope = {
  db: Queryable;
  /** Runs `work` so that all of it is written or, when it throws, nothing. It may be run again after a collision. */
  write<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
};

/** Every write is a transaction of its own: what an import has done stays, whatever happens to it. */
export const lastingScope = (db: Database): ImportScope => ({ db, write: (work) => db.transaction(work) });

class Rehearsed<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('The rehearsal is over');
    this.result = result;
  }
}

/** Runs `work` in one transaction that is rolled back at its end, and answers what `work` answered. */
export async function rehearse<T>(db: Database, work: (scope: ImportScope) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx): Promise<T> => {
      throw new Rehearsed(await work({ db: tx, write: (step) => runStep(tx, step) }));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result;
    throw error;
  }
}

async function runStep<T>(tx: Transaction, step: (tx: Queryable) => Promise<T>): Promise<T> {
  await beginStep(tx);
  try {
    const result = await step(tx);
    await keepStep(tx);
    return result;
  } catch (error) {
    await undoStep(tx);
    throw error;
  }
}
