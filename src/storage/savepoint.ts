import type { Transaction } from './database.ts';
import { isGivenUp, isStatementError, sqlState } from './transactions.ts';

/** What was thrown in a part of a transaction that is undone; the rest of the transaction stands. */
export type UndoneWork = { error: unknown };

/** Whether the driver failed rather than the work: the connection is gone, or takes no more statements. */
const isLostConnection = (error: unknown): boolean => sqlState(error) !== undefined && !isStatementError(error);

/**
 * Runs a part of a transaction that is undone alone when it fails: then what it threw is returned and the transaction goes on.
 * What the part wants done before and after the commit is done only when it stands. Throws where the transaction has to
 * begin anew, or cannot go on. Parts of one transaction run one after the other.
 */
export async function withSavepoint(
  tx: Transaction,
  work: (part: Transaction) => Promise<void>,
): Promise<UndoneWork | undefined> {
  const before: (() => Promise<void>)[] = [];
  const after: (() => void | Promise<void>)[] = [];
  const part: Transaction = {
    origin: tx.origin,
    query: (statement) => tx.query(statement),
    beforeCommit: (later) => void before.push(later),
    afterCommit: (later) => void after.push(later),
  };
  await tx.query({ text: 'savepoint part' });
  try {
    await work(part);
    // What the part has deferred runs now, and may fail.
    await tx.query({ text: 'release savepoint part' });
  } catch (error) {
    // Only another attempt of everything helps, or none.
    if (isGivenUp(error) || isLostConnection(error)) throw error;
    const undo = { text: 'rollback to savepoint part' };
    // What the part has deferred goes before it and may fail, so that the savepoint is not reached.
    await tx.query(undo).catch(() => tx.query(undo));
    await tx.query({ text: 'release savepoint part' });
    return { error };
  }
  for (const later of before) tx.beforeCommit(later);
  for (const later of after) tx.afterCommit(later);
  return undefined;
}
