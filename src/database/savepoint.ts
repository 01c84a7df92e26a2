import type { CommitStage, Row, Statement, Transaction } from './database.ts';
import { isGivenUp, isStatementError, sqlState } from './sql-errors.ts';

/** The error of a part of a transaction that was undone; the rest of the transaction goes on. */
export type UndoneWork = { error: unknown };

/** Says if the driver failed rather than the work: the connection is lost, or takes no more statements. */
const isLostConnection = (error: unknown): boolean => sqlState(error) !== undefined && !isStatementError(error);

/** Work that a part registers for the time before or after the commit. */
type Registration = (tx: Transaction) => void;

/**
 * A part of a transaction. While it may be undone, it collects the work that it registers for before and after the commit; once it stands, this work
 * and later registrations are passed to the transaction around it, which may be a part itself.
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

  beforeCommit(work: () => Promise<void>, stage?: CommitStage): void {
    this.#register((tx) => tx.beforeCommit(work, stage));
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

  /** Says that the part is undone: it takes no more statements, because these would run outside of it. */
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
    // The whole transaction must be tried again, or fails.
    if (isGivenUp(error) || isLostConnection(error)) throw error;
    part.undo();
    const undo = { text: 'rollback to savepoint part' };
    // Deferred statements of the part are sent first and may fail, so that the rollback does not run.
    await tx.query(undo).catch(() => tx.query(undo));
    await tx.query({ text: 'release savepoint part' });
    return { error };
  }
  part.stand();
  return { result };
}

/**
 * Runs a part of a transaction that is undone alone when it fails: then its error is returned and the transaction goes on. Work that the part
 * registers for before and after the commit runs only if the part stands; it may be registered at any time, also by such work. Throws when the
 * transaction must begin anew, or cannot go on. Parts of one transaction run one after the other.
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
