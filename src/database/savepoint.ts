import type { Row, Statement, Transaction } from './database.ts';
import { isGivenUp, isStatementError, sqlState } from './sql-errors.ts';

/** The error of a part of a transaction that was undone; the rest of the transaction stands. */
export type UndoneWork = { error: unknown };

/** Says if the driver failed rather than the work: the connection is gone, or takes no more statements. */
const isLostConnection = (error: unknown): boolean => sqlState(error) !== undefined && !isStatementError(error);

/** Something that a part wants done before or after the commit. */
type Registration = (tx: Transaction) => void;

/**
 * A part of a transaction. As long as it may yet be undone, it keeps what it wants done before and after the commit; once it stands,
 * that and whatever is registered later belongs to the transaction around it, which may be a part itself.
 */
class TransactionPart implements Transaction {
  readonly #around: Transaction;
  #kept: Registration[] | undefined = [];
  #undone = false;

  constructor(around: Transaction) {
    this.#around = around;
  }

  get origin() {
    return this.#around.origin;
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#assertNotUndone();
    return this.#around.query<R>(statement);
  }

  beforeCommit(work: () => Promise<void>, order?: { last: boolean }): void {
    this.#register((tx) => tx.beforeCommit(work, order));
  }

  afterCommit(work: () => void | Promise<void>): void {
    this.#register((tx) => tx.afterCommit(work));
  }

  /** Says that the part stands. */
  stand(): void {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const register of kept) register(this.#around);
  }

  /** Says that the part is undone: it takes no more statements, which would run outside of it. */
  undo(): void {
    this.#undone = true;
  }

  #register(registration: Registration): void {
    this.#assertNotUndone();
    if (this.#kept) this.#kept.push(registration);
    else registration(this.#around);
  }

  #assertNotUndone(): void {
    if (this.#undone) throw new Error('The part of the transaction is undone: await all of its work before it ends');
  }
}

/** Runs a part of a transaction; see `withSavepoint`. */
async function runPart<T>(
  tx: Transaction,
  work: (part: Transaction) => Promise<T>,
): Promise<{ result: T } | UndoneWork> {
  const part = new TransactionPart(tx);
  await tx.query({ text: 'savepoint part' });
  let result: T;
  try {
    result = await work(part);
    // Deferred statements of the part run now, and may fail.
    await tx.query({ text: 'release savepoint part' });
  } catch (error) {
    // Only another attempt of everything helps, or none.
    if (isGivenUp(error) || isLostConnection(error)) throw error;
    part.undo();
    const undo = { text: 'rollback to savepoint part' };
    // Deferred statements of the part go before it and may fail, so that the savepoint is not reached.
    await tx.query(undo).catch(() => tx.query(undo));
    await tx.query({ text: 'release savepoint part' });
    return { error };
  }
  part.stand();
  return { result };
}

/**
 * Runs a part of a transaction that is undone alone when it fails: then what it threw is returned and the transaction goes on.
 * What the part wants done before and after the commit is done only when it stands; it may say so at any time, also while that is
 * done. Throws where the transaction has to begin anew, or cannot go on. Parts of one transaction run one after the other.
 */
export async function withSavepoint(
  tx: Transaction,
  work: (part: Transaction) => Promise<void>,
): Promise<UndoneWork | undefined> {
  const outcome = await runPart(tx, work);
  return 'error' in outcome ? outcome : undefined;
}

/** Runs a part of a transaction as `withSavepoint` does. Returns its result, or throws its error after the part was undone. */
export async function inSavepoint<T>(tx: Transaction, work: (part: Transaction) => Promise<T>): Promise<T> {
  const outcome = await runPart(tx, work);
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}
