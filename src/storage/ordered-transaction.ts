import type { Row, Statement, Transaction, TransactionOrigin } from './database.ts';
import { type CommitQueue, translateSqlError } from './transactions.ts';

type RunStatement = <R extends object>(statement: Statement) => Promise<R[]>;

/** A transaction on one connection, of either engine. Its statements run one after the other, in the order of the calls. */
export class OrderedTransaction implements Transaction {
  readonly origin: TransactionOrigin;
  readonly #run: RunStatement;
  readonly #queue: CommitQueue;
  #last: Promise<unknown> = Promise.resolve();
  #open = true;

  /** `run` runs a statement on the connection and throws what the driver throws. */
  constructor(run: RunStatement, queue: CommitQueue, clientAddress: string | undefined) {
    this.origin = { clientAddress };
    this.#run = run;
    this.#queue = queue;
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#assertOpen();
    const response = this.#last.then(() => this.#run<R>(statement));
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
