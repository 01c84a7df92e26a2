import type pg from 'pg';
import { DatabaseUnavailable, type ProblemLog, type Row, type Statement, type Transaction } from '../database.ts';
import { type CommitQueue, isStatementError, translateSqlError } from '../transactions.ts';
import { runStatement } from './connection.ts';

/** A transaction on one connection. Its statements run one after the other, in the order of the calls. */
class PostgresTransaction implements Transaction {
  readonly #client: pg.ClientBase;
  readonly #queue: CommitQueue;
  #last: Promise<unknown> = Promise.resolve();
  #open = true;

  constructor(client: pg.ClientBase, queue: CommitQueue) {
    this.#client = client;
    this.#queue = queue;
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#assertOpen();
    const response = this.#last.then(() => runStatement<R>(this.#client, statement));
    // The caller sees the failure; the next statement only waits for the end of this one.
    this.#last = response.catch(() => undefined);
    try {
      return await response;
    } catch (error) {
      throw translateSqlError(error);
    }
  }

  beforeCommit(work: () => Promise<void>): void {
    this.#assertOpen();
    this.#queue.addBefore(work);
  }

  afterCommit(work: () => void | Promise<void>): void {
    this.#assertOpen();
    this.#queue.add(work);
  }

  /**
   * Takes no more statements and waits for those under way. A statement that came later would
   * run outside the transaction, on a connection that is someone else's by then.
   */
  async close(): Promise<void> {
    this.#open = false;
    await this.#last;
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error('The transaction is over: await all of its work before it ends');
  }
}

/** A connection while it is taken from the pool. A broken one must not go back. */
export class PostgresLease {
  readonly #client: pg.ClientBase;
  readonly #log: ProblemLog;
  #broken = false;

  constructor(client: pg.ClientBase, log: ProblemLog) {
    this.#client = client;
    this.#log = log;
  }

  get broken(): boolean {
    return this.#broken;
  }

  /** Runs one thing on the connection. Any failure but the refusal of a statement breaks the lease. */
  async run<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    try {
      return await use(this.#client);
    } catch (error) {
      if (!isStatementError(error)) this.#broken = true;
      throw error;
    }
  }

  /** One attempt: BEGIN, the work and what it wants done before the end, COMMIT; or ROLLBACK when the work fails. */
  async transaction<T>(queue: CommitQueue, work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.run((client) => client.query('begin'));
    const tx = new PostgresTransaction(this.#client, queue);
    let result: T;
    try {
      result = await work(tx);
      await queue.runBefore();
      await tx.close();
    } catch (error) {
      await tx.close();
      await this.#rollback();
      throw error;
    }
    await this.#commit();
    return result;
  }

  /** The failure of the work is what the caller must see: one of the rollback is logged, and the server rolls back itself. */
  async #rollback(): Promise<void> {
    try {
      await this.#client.query('rollback');
    } catch (error) {
      this.#broken = true;
      this.#log('A transaction could not be rolled back; its connection is closed', error);
    }
  }

  async #commit(): Promise<void> {
    let command: string;
    try {
      ({ command } = await this.run((client) => client.query('commit')));
    } catch (error) {
      if (isStatementError(error)) throw error;
      // Not for another attempt: the first may have been committed.
      throw new DatabaseUnavailable('The connection was lost during a commit; its outcome is unknown.', error);
    }
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: a statement in it had failed');
  }
}
