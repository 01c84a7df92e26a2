import type { Database, Transaction } from '../../database/database.ts';
import type { LookupResult } from './locate.ts';
import { isOutdated, runDeferred } from './statements/found-way.ts';

/**
 * Runs a write whose path was looked up before, in a transaction. At first `work` gets that finding and need not wait for another one: its locks and
 * the comparison with the present rows go with its first statement (`locateForWrite`). If the finding is outdated, `work` runs again in another
 * transaction, without it. A rejection by an outdated finding does not count either.
 */
export async function writeAsFound<T>(
  db: Pick<Database, 'transaction'>,
  before: LookupResult,
  work: (tx: Transaction, before: LookupResult | undefined) => Promise<T>,
): Promise<T> {
  const relying = async (tx: Transaction): Promise<T> => {
    try {
      return await work(tx, before);
    } catch (error) {
      // The comparison may not have been sent yet. After a failure of the database this fails as well, and the first failure counts.
      const later = await runDeferred(tx).catch((failure: unknown) => failure);
      throw isOutdated(later) ? later : error;
    }
  };
  try {
    return await db.transaction(relying);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    return db.transaction((tx) => work(tx, undefined));
  }
}
