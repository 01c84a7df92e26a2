import type pg from 'pg';
import {
  DatabaseUnavailable,
  type ProblemLog,
  type Statement,
  type Transaction,
  type TransactionOptions,
} from '../database.ts';
import { OrderedTransaction } from '../ordered-transaction.ts';
import { type CommitQueue, isStatementError, sqlState } from '../transactions.ts';
import { beginText, runStatement, type SessionKind } from './connection.ts';
import type { OwnWrites } from './own-writes.ts';

/** SQLSTATE of a statement that wants to write on a standby, such as a primary that was replaced by another. */
const READ_ONLY = '25006';

/** What to throw for an error of a connection: that the database cannot be used, unless it refused a statement or the program is wrong. */
function lostConnection(error: unknown): unknown {
  if (sqlState(error) === READ_ONLY) return new DatabaseUnavailable('The database takes no writes at present.', error);
  if (isStatementError(error) || error instanceof TypeError || error instanceof RangeError) return error;
  if (error instanceof DatabaseUnavailable) return error;
  return new DatabaseUnavailable('The connection to the database was lost.', error);
}

/** A connection while it is taken from the pool. A broken one must not go back. */
export class PostgresLease {
  readonly #client: pg.ClientBase;
  readonly #log: ProblemLog;
  readonly #kind: SessionKind;
  #broken = false;

  constructor(client: pg.ClientBase, log: ProblemLog, kind: SessionKind) {
    this.#client = client;
    this.#log = log;
    this.#kind = kind;
  }

  get broken(): boolean {
    return this.#broken;
  }

  /** Runs one thing on the connection. Any failure but the refusal of a statement breaks the lease. */
  async run<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    try {
      return await use(this.#client);
    } catch (error) {
      throw this.#lost(error);
    }
  }

  /** One attempt: BEGIN, the work and what it wants done before the end, COMMIT; or ROLLBACK when the work fails. */
  async transaction<T>(
    queue: CommitQueue,
    work: (tx: Transaction) => Promise<T>,
    { lockTimeout, clientAddress, ownWrites }: TransactionOptions & { ownWrites?: OwnWrites } = {},
  ): Promise<T> {
    await this.run((client) => client.query(beginText(this.#kind, lockTimeout)));
    const tx = new OrderedTransaction((statement) => this.#statement(statement), queue, clientAddress);
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
    await (ownWrites ? ownWrites.during(() => this.#commit()) : this.#commit());
    return result;
  }

  /** Runs a statement of a transaction. The rollback shows whether its failure has broken the connection. */
  async #statement<R extends object>(statement: Statement): Promise<R[]> {
    try {
      return await runStatement<R>(this.#client, statement, this.#kind);
    } catch (error) {
      if (sqlState(error) === READ_ONLY) this.#broken = true;
      throw lostConnection(error);
    }
  }

  /** Notes that the connection is of no more use, unless only a statement was refused. Returns what to throw. */
  #lost(error: unknown): unknown {
    if (!isStatementError(error) || sqlState(error) === READ_ONLY) this.#broken = true;
    return lostConnection(error);
  }

  /**
   * The failure of the work is what the caller must see: one of the rollback is logged, unless the connection is gone, and the server
   * rolls back itself.
   */
  async #rollback(): Promise<void> {
    try {
      await this.#client.query('rollback');
    } catch (error) {
      this.#broken = true;
      if (!(lostConnection(error) instanceof DatabaseUnavailable))
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
