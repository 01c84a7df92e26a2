import type { Slots } from '../lib/slots.ts';
import type { Database, Queryable, Transaction } from './database.ts';
import { forward } from './forward.ts';
import { inSavepoint } from './savepoint.ts';
import { CommitQueue } from './transactions.ts';

/** Runs work of the same kind one after the other, in the order of the calls. */
function inTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Runs work as a part of `around` that looks like a transaction of its own: its work registered for before the commit runs at its end. */
function runInner<T>(
  around: Transaction,
  work: (tx: Transaction) => Promise<T>,
  observer: Slots | undefined,
): Promise<T> {
  return inSavepoint(around, async (part) => {
    const queue = new CommitQueue();
    const result = await work({
      // Records of two such transactions are not joined, just as for separate transactions.
      origin: { ...around.origin, observer: observer ?? around.origin.observer },
      query: (statement) => part.query(statement),
      beforeCommit: (late, stage) => queue.addBefore(late, stage),
      afterCommit: (after) => part.afterCommit(after),
    });
    await queue.runBefore();
    return result;
  });
}

/**
 * A database for work that becomes wholly a part of `tx`: each statement runs in `tx`, each transaction is a part that can be undone alone, and work
 * after a commit waits for the commit of `tx`. Callers must use only this database until `tx` ends. `observer` is the observer of each of these
 * transactions; by default the observer of `tx`. `giveWay` runs before each statement and transaction.
 */
export function sharingTransaction(
  db: Database,
  tx: Transaction,
  {
    observer,
    giveWay = async () => {},
  }: { observer?: Slots | undefined; giveWay?: (() => Promise<void>) | undefined } = {},
): Database & Pick<Transaction, 'origin'> {
  const turns = inTurns();
  const shared = forward(db, {
    // Only the transaction sees its own writes, so no replica is used, and no statement is stopped early.
    async query({ replica: _replica, end: _end, ...statement }) {
      await giveWay();
      return tx.query(statement);
    },
    transaction: (work) =>
      turns(async () => {
        await giveWay();
        return runInner(tx, work, observer);
      }),
    script() {
      throw new Error('A script is no part of a transaction');
    },
  });
  return Object.assign(shared, { origin: { ...tx.origin, observer: observer ?? tx.origin.observer } });
}

/** Says if a database is a shared transaction, with which its writes may be undone. */
export const isShared = (db: Queryable): boolean => 'transaction' in db && 'origin' in db;
