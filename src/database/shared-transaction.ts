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

/** Runs work as a part of `around` that looks like a transaction of its own: what it wants done before the commit is done at its end. */
function runInner<T>(
  around: Transaction,
  work: (tx: Transaction) => Promise<T>,
  observer: Slots | undefined,
): Promise<T> {
  return inSavepoint(around, async (part) => {
    const queue = new CommitQueue();
    const result = await work({
      // Records of two transactions are not put together, as they would not be without the one around them.
      origin: { ...around.origin, observer: observer ?? around.origin.observer },
      query: (statement) => part.query(statement),
      beforeCommit: (last, order) => queue.addBefore(last, order),
      afterCommit: (after) => part.afterCommit(after),
    });
    await queue.runBefore();
    return result;
  });
}

/**
 * A database for work that would make transactions of its own and is to be a part of `tx` as a whole: each statement runs in it, each
 * transaction is a part that can be undone alone, and work after a commit waits for that of `tx`. Callers must use nothing but
 * this database until `tx` ends. An `observer` is that of each of these transactions; without
 * one they have that of `tx`. `giveWay` runs before each statement and transaction.
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
    // The transaction alone sees what it has written: no replica and no early end.
    async query({ replica: _replica, signal: _signal, ...statement }) {
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

/** Says if a database is a transaction that the work of others is a part of: what is written there may be undone with it. */
export const isShared = (db: Queryable): boolean => 'transaction' in db && 'origin' in db;
