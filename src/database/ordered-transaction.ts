import type { CommitStage, Row, Statement, Transaction, TransactionOrigin } from './database.ts';
import { translateSqlError } from './sql-errors.ts';
import { encodeParameter } from './sql-values.ts';
import type { StatementWatch } from './statement-watch.ts';
import type { CommitQueue } from './transactions.ts';
import { type BatchOutcome, toRows, type WireResult, withCallers } from './wire-rows.ts';

/** Runs statements together, one after the other, up to the first one that fails. */
type RunBatch = (statements: readonly Statement[]) => Promise<BatchOutcome>;

/** Maximum number of deferred statements, which bounds their memory. */
const MAX_DEFERRED = 50;

/** A statement that is not sent yet, with the callbacks for its result; without `caller` if it is deferred. */
type Waiting = {
  statement: Statement;
  caller?: { resolve(result: WireResult): void; reject(error: unknown): void };
};

/**
 * A transaction on one connection, of either engine. Its statements run one after the other, in the order of the calls. Statements of the same turn
 * are sent together; a deferred one is sent with the next awaited one.
 */
export class OrderedTransaction implements Transaction {
  readonly origin: TransactionOrigin;
  readonly #run: RunBatch;
  readonly #queue: CommitQueue;
  readonly #watch: StatementWatch;
  #waiting: Waiting[];
  /** The number of statements that begin the transaction. */
  readonly #beginning: number;
  #sending: Promise<void> | undefined;
  #hasBegun = false;
  #open = true;

  /** `begin` are the statements that begin the transaction; they are sent with the first awaited statement. */
  constructor(
    run: RunBatch,
    queue: CommitQueue,
    { begin, origin, watch }: { begin: readonly Statement[]; origin: TransactionOrigin; watch: StatementWatch },
  ) {
    this.origin = origin;
    this.#watch = watch;
    this.#run = run;
    this.#queue = queue;
    this.#beginning = begin.length;
    this.#waiting = begin.map((statement) => ({ statement }));
  }

  /** True once statements were sent to the database; before, the database has no transaction to end. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    this.#assertOpen();
    const { name, text, values = [], received } = statement;
    // Encoded here, so that a value that cannot be a parameter only fails its own statement.
    const encoded = { name, text, values: values.map(encodeParameter), received };
    if (statement.deferred && this.#waiting.length < MAX_DEFERRED) {
      this.#waiting.push({ statement: encoded });
      return [];
    }
    const rows = toRows<R>(await this.#result(encoded));
    received?.(rows as Row[]);
    return rows;
  }

  beforeCommit(work: () => Promise<void>, stage?: CommitStage): void {
    this.#assertOpen();
    this.#queue.addBefore(work, stage);
  }

  afterCommit(work: () => void | Promise<void>): void {
    this.#assertOpen();
    this.#queue.add(work);
  }

  /**
   * Takes no more statements and waits for running ones; unsent deferred ones are dropped. A later statement would run outside the transaction, on a
   * connection that another user may have.
   */
  async close(): Promise<void> {
    this.#open = false;
    await this.#sending;
    this.#waiting = [];
  }

  /**
   * Takes no more statements and sends the rest, with the commit behind them. Returns the tag of the commit, undefined for a transaction without
   * statements. Throws the first failure.
   */
  async commit(command: Statement): Promise<string | undefined> {
    this.#open = false;
    await this.#sending;
    if (!this.#hasBegun && this.#waiting.length === this.#beginning) return undefined;
    return (await this.#result(command)).command;
  }

  async #result(statement: Statement): Promise<WireResult> {
    try {
      return await new Promise<WireResult>((resolve, reject) => {
        this.#waiting.push({ statement, caller: { resolve, reject } });
        this.#sending ??= this.#send();
      });
    } catch (error) {
      throw translateSqlError(withCallers(error));
    }
  }

  async #send(): Promise<void> {
    // Statements of the same turn are sent together.
    await Promise.resolve();
    for (;;) {
      const last = this.#waiting.findLastIndex(({ caller }) => caller !== undefined);
      if (last < 0) break;
      await this.#sendBatch(this.#waiting.splice(0, last + 1));
    }
    this.#sending = undefined;
  }

  /** Sends statements. The last one has a caller, so each failure reaches a caller. */
  async #sendBatch(batch: readonly Waiting[]): Promise<void> {
    this.#hasBegun = true;
    const statements = batch.map(({ statement }) => statement);
    const { results, failure } = await this.#watch
      .batch(statements, this.origin.trace, () => this.#run(statements))
      .catch((error: unknown) => ({ results: [], failure: { error } }));
    for (const [index, { statement, caller }] of batch.entries()) {
      const result = results[index];
      if (result && caller) caller.resolve(result);
      else if (result) statement.received?.(toRows(result));
      else caller?.reject(failure?.error ?? new Error('The database did not answer a statement'));
    }
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error('The transaction is over: await all of its work before it ends');
  }
}
