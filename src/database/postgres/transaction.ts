import type pg from 'pg';
import {
  DatabaseUnavailable,
  type ProblemLog,
  type Statement,
  type Transaction,
  type TransactionOptions,
} from '../database.ts';
import { allResults } from '../joint-reads.ts';
import { OrderedTransaction } from '../ordered-transaction.ts';
import { FORGET_PLANS, type PlanAge } from '../plan-age.ts';
import { isStatementError, sqlState } from '../sql-errors.ts';
import type { StatementWatch } from '../statement-watch.ts';
import type { CommitQueue } from '../transactions.ts';
import type { BatchOutcome, WireResult } from '../wire-rows.ts';
import { beginStatements, runStatement, runStatements, type SessionKind } from './connection.ts';
import type { OwnWrites } from './own-writes.ts';
import type { PreparedByConnection, PreparedStatements } from './statement-batch.ts';

/** SQLSTATE of a write on a standby, such as a primary that was replaced by another server. */
const READ_ONLY = '25006';

/** The error to throw for an error of a connection: DatabaseUnavailable, unless the server rejected a statement or the program has a fault. */
function lostConnection(error: unknown): unknown {
  if (sqlState(error) === READ_ONLY) return new DatabaseUnavailable('The database takes no writes at present.', error);
  if (isStatementError(error) || error instanceof TypeError || error instanceof RangeError) return error;
  if (error instanceof DatabaseUnavailable) return error;
  return new DatabaseUnavailable('The connection to the database was lost.', error);
}

/** The use of the connections of a pool, and what is known of each of them. */
export type LeaseKind = SessionKind & { prepared: PreparedByConnection; planAge: PlanAge; watch: StatementWatch };

/** A connection while it is taken from the pool. A broken connection must not go back. */
export class PostgresLease {
  readonly #client: pg.ClientBase;
  readonly #log: ProblemLog;
  readonly #kind: LeaseKind;
  #broken = false;

  constructor(client: pg.ClientBase, log: ProblemLog, kind: LeaseKind) {
    this.#client = client;
    this.#log = log;
    this.#kind = kind;
  }

  get broken(): boolean {
    return this.#broken;
  }

  /** The prepared statements of the connection; undefined if nothing may be prepared. */
  get #prepared(): PreparedStatements | undefined {
    return this.#kind.pooled ? undefined : this.#kind.prepared.of(this.#client);
  }

  /** Runs work on the connection. Any failure except a rejected statement breaks the lease. */
  async run<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    try {
      return await use(this.#client);
    } catch (error) {
      throw this.#lost(error);
    }
  }

  /** Runs one statement outside of transactions. */
  query<R extends object>(statement: Statement): Promise<R[]> {
    return this.run((client) =>
      this.#kind.watch.one(statement, () => runStatement<R>(client, statement, this.#prepared)),
    );
  }

  /** Runs statements outside of transactions, in one round trip. Throws the failure of one of them. */
  queryAll(statements: readonly Statement[]): Promise<readonly WireResult[]> {
    const [first] = statements;
    return this.run(async (client) =>
      allResults(
        await this.#kind.watch.batch(statements, first?.trace, () => runStatements(client, statements, this.#prepared)),
      ),
    );
  }

  /** One attempt: BEGIN, the work and what it wants done before the end, COMMIT; or ROLLBACK when the work fails. */
  async transaction<T>(
    queue: CommitQueue,
    work: (tx: Transaction) => Promise<T>,
    { ownWrites, ...options }: TransactionOptions & { ownWrites?: OwnWrites } = {},
  ): Promise<T> {
    const tx = new OrderedTransaction((statements) => this.#batch(statements), queue, {
      begin: [
        ...beginStatements(this.#kind, options),
        ...(this.#kind.planAge.isTooOld(this.#client) ? [FORGET_PLANS] : []),
      ],
      origin: { clientAddress: options.clientAddress, trace: options.trace },
      watch: this.#kind.watch,
    });
    let result: T;
    try {
      result = await work(tx);
      await queue.runBefore();
    } catch (error) {
      await tx.close();
      if (tx.hasBegun) await this.#rollback();
      throw error;
    }
    await (ownWrites ? ownWrites.during(() => this.#commit(tx)) : this.#commit(tx));
    return result;
  }

  /** Runs statements of a transaction. The rollback shows whether a failure has broken the connection. */
  async #batch(statements: readonly Statement[]): Promise<BatchOutcome> {
    const { results, failure } = await runStatements(this.#client, statements, this.#prepared);
    if (!failure) return { results };
    if (sqlState(failure.error) === READ_ONLY) this.#broken = true;
    return { results, failure: { error: lostConnection(failure.error) } };
  }

  /** Notes that the connection is broken, unless only a statement was rejected. Returns the error to throw. */
  #lost(error: unknown): unknown {
    if (!isStatementError(error) || sqlState(error) === READ_ONLY) this.#broken = true;
    return lostConnection(error);
  }

  /**
   * The caller must get the failure of the work, so a failure of the rollback is only logged, unless the connection is lost, when the server itself
   * rolls back.
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

  /** Commits, together with the unsent statements. */
  async #commit(tx: OrderedTransaction): Promise<void> {
    let command: string | undefined;
    try {
      command = await tx.commit({ name: 'commit', text: 'commit' });
    } catch (error) {
      const isLost = error instanceof DatabaseUnavailable;
      if (!isLost || isStatementError(error.cause)) {
        // A statement before the commit may have failed. After a failed commit the database only sends a notice that there is nothing to roll back.
        await this.#rollback();
        throw error;
      }
      this.#broken = true;
      // There is no other attempt, because the first one may have been committed.
      throw new DatabaseUnavailable('The connection was lost during a commit; its outcome is unknown.', error);
    }
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: a statement in it had failed');
  }
}
