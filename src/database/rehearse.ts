import type { Database, Transaction } from './database.ts';

/** Ends a transaction whose changes are not committed; carries its result. */
class RolledBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('The transaction is rolled back');
    this.result = result;
  }
}

/**
 * Runs `work` in one transaction and returns its result. The transaction is rolled back, unless `commitIf` accepts the result. Work that is
 * registered with `afterCommit` runs only after a commit.
 */
export async function rehearse<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  commitIf: (result: T) => boolean = () => false,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx);
      if (!commitIf(result)) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    // This error belongs to this transaction: that of another one would have been thrown inside of `work`.
    if (error instanceof RolledBack) return error.result;
    throw error;
  }
}
