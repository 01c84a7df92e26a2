import type pg from 'pg';
import type { AfterCommitQueue } from './after-commit-queue.ts';
import type { Row, Statement, Transaction } from './database.ts';
import { runStatement } from './postgres-statement.ts';
import { translateSqlError } from './sql-error.ts';

/** A transaction on one connection. Its statements run one after the other, in the order of the calls. */
export class PostgresTransaction implements Transaction {
  readonly #client: pg.ClientBase;
  readonly #afterCommit: AfterCommitQueue;
  #last: Promise<unknown> = Promise.resolve();
  #open = true;

  constructor(client: pg.ClientBase, afterCommit: AfterCommitQueue) {
    this.#client = client;
    this.#afterCommit = afterCommit;
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

  afterCommit(work: () => void | Promise<void>): void {
    this.#assertOpen();
    this.#afterCommit.add(work);
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
