import type { PGlite } from '@electric-sql/pglite';
import {
  assertChannelName,
  type Database,
  type DatabaseFigures,
  type DatabaseLoad,
  loadFigures,
  type ProblemLog,
  type Row,
  type Statement,
  type Transaction,
  type TransactionOptions,
} from '../database.ts';
import { allResults } from '../joint-reads.ts';
import { OrderedTransaction } from '../ordered-transaction.ts';
import { FORGET_PLANS, PlanAge } from '../plan-age.ts';
import type { Room } from '../room.ts';
import { translateSqlError } from '../sql-errors.ts';
import { StatementWatch } from '../statement-watch.ts';
import { beginStatement, CommitQueue, retryTransaction } from '../transactions.ts';
import type { WireResult } from '../wire-rows.ts';
import { PgliteConnection } from './connection.ts';
import { FolderCopy } from './folder-copy.ts';
import type { LogSync } from './log-sync.ts';
import { PendingEntries } from './pending-entries.ts';
import { Turns } from './turns.ts';
import { PgliteUpkeep } from './upkeep.ts';

const COMMIT = { name: 'commit', text: 'commit' };

/**
 * `onClose` runs after the database is closed, also when that failed: it gives the folder free. `room` is that on its disk, without
 * which nothing is written. `folder` is that of its files, and `logSync` writes its log to the disk; a database in memory has neither.
 */
export type PgliteOptions = {
  log: ProblemLog;
  room?: Pick<Room, 'require'>;
  folder?: string;
  logSync?: LogSync;
  onClose?: () => Promise<void>;
  watch?: StatementWatch | undefined;
};

/** PostgreSQL in this process. It has one connection: statements and transactions wait for the running transaction. */
export class PgliteDatabase implements Database {
  readonly engine = 'pglite';
  readonly #connection: PgliteConnection;
  readonly #turns = new Turns();
  readonly #log: ProblemLog;
  readonly #onClose: (() => Promise<void>) | undefined;
  readonly #room: Pick<Room, 'require'> | undefined;
  readonly #folder: string | undefined;
  readonly #logSync: LogSync | undefined;
  readonly #upkeep: PgliteUpkeep;
  readonly #pending: PendingEntries;
  readonly #planAge = new PlanAge();
  readonly #watch: StatementWatch;
  #writes = 0;

  /** Takes over an open database; `close` closes it. */
  constructor(pg: PGlite, options: PgliteOptions) {
    this.#log = options.log;
    this.#onClose = options.onClose;
    this.#room = options.room;
    this.#folder = options.folder;
    this.#logSync = options.logSync;
    this.#watch = options.watch ?? new StatementWatch();
    this.#connection = new PgliteConnection(pg, options.log);
    this.#upkeep = new PgliteUpkeep(this.#connection, this.#turns, options.log);
    this.#pending = new PendingEntries(this.#connection, this.#turns, options.log, () => this.#writes);
  }

  get writes(): number {
    return this.#writes;
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    const { joint } = statement;
    if (joint && statement.reads) return joint.read<R>(statement, (statements) => this.#readTogether(statements));
    const run = () => this.#run<R>(statement);
    try {
      return await (statement.reads ? this.#settled(run) : this.#writing(run));
    } catch (error) {
      throw translateSqlError(error);
    }
  }

  async #readTogether(statements: readonly Statement[]): Promise<readonly WireResult[]> {
    const [first] = statements;
    try {
      return await this.#settled(async () => {
        await this.#turns.pause();
        return allResults(await this.#watch.batch(statements, first?.trace, () => this.#connection.run(statements)));
      });
    } catch (error) {
      throw translateSqlError(error);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#room) await this.#room.require();
    const { result, afterCommit } = await retryTransaction(async () => {
      const queue = new CommitQueue();
      const counted = async (tx: Transaction): Promise<T> => {
        try {
          return await work(tx);
        } finally {
          // Nobody can see the changes before the commit, so cached values stay valid until then.
          this.#writes += 1;
        }
      };
      const result = await this.#settled(async () => {
        const done = await this.#attempt(queue, counted, options);
        this.#writes += 1;
        return done;
      });
      return { result, afterCommit: queue };
    });
    // The connection is free again, so this work may use it.
    await afterCommit.run(this.#log);
    return result;
  }

  async script(sql: string): Promise<void> {
    await this.#writing(async () => {
      try {
        await this.#connection.script(sql);
      } finally {
        await this.#connection.forgetPlans();
      }
    });
  }

  async listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    assertChannelName(channel);
    const removeHandler = this.#connection.addHandler(channel, handler);
    try {
      await this.#turns.run(() => this.#connection.script(`listen ${channel}`));
    } catch (error) {
      removeHandler();
      throw error;
    }
    return async () => {
      if (removeHandler()) await this.#turns.run(() => this.#connection.script(`unlisten ${channel}`));
    };
  }

  async figures(): Promise<DatabaseFigures> {
    return loadFigures(this);
  }

  /** Statements wait only for the second round, which copies the files that were written during the first. */
  async copyTo(folder: string): Promise<void> {
    if (this.#folder === undefined) throw new Error('A database in memory has no files to copy');
    const copy = new FolderCopy(this.#folder, folder);
    await this.#turns.run(() => this.#connection.script('checkpoint'));
    await copy.round();
    await this.#turns.run(async () => {
      await this.#connection.script('checkpoint');
      await copy.round();
    });
  }

  load(): DatabaseLoad {
    const { users } = this.#turns;
    const connections = { most: 1, used: Math.min(1, users), waiting: Math.max(0, users - 1) };
    return { connections, statements: this.#watch };
  }

  async close(): Promise<void> {
    try {
      await this.#upkeep.stop();
      await this.#pending.stop();
      await this.#turns.run(() => this.#connection.close());
    } finally {
      await this.#logSync?.close();
      await this.#onClose?.();
    }
  }

  /**
   * Runs work when its turn comes, and waits until the disk has what it may have seen, with the connection free for others meanwhile: commits
   * that come then share a write to the disk.
   */
  async #settled<T>(work: () => Promise<T>): Promise<T> {
    const log = this.#logSync;
    if (!log) return this.#turns.run(work);
    try {
      return await this.#turns.run(() => {
        log.requireWorking();
        return work();
      });
    } finally {
      if (log.isPending) await log.settled();
    }
  }

  async #run<R extends object>(statement: Statement): Promise<R[]> {
    await this.#turns.pause();
    // The result is no longer wanted.
    statement.end?.throwIfOver();
    return this.#watch.one(statement, () => this.#connection.query<R>(statement));
  }

  async #attempt<T>(
    queue: CommitQueue,
    work: (tx: Transaction) => Promise<T>,
    { clientAddress, trace, snapshot }: TransactionOptions,
  ): Promise<T> {
    const run = async (statements: readonly Statement[]) => {
      await this.#turns.pause();
      return this.#connection.run(statements);
    };
    const begin = [
      beginStatement(snapshot, 'begin'),
      ...(this.#planAge.isTooOld(this.#connection) ? [FORGET_PLANS] : []),
    ];
    const tx = new OrderedTransaction(run, queue, { begin, origin: { clientAddress, trace }, watch: this.#watch });
    try {
      const result = await work(tx);
      await queue.runBefore();
      if ((await tx.commit(COMMIT)) === 'ROLLBACK') {
        throw new Error('The transaction was rolled back: a statement in it had failed');
      }
      return result;
    } catch (error) {
      await tx.close();
      // After a failed commit there is nothing to roll back: the database says so in a notice.
      if (tx.hasBegun) await this.#connection.script('rollback');
      throw error;
    }
  }

  /** Runs work that may write, and counts it before it begins and when it is over: nobody sees its effect under the old number. */
  async #writing<T>(work: () => Promise<T>): Promise<T> {
    if (this.#room) await this.#room.require();
    this.#writes += 1;
    return this.#settled(async () => {
      try {
        return await work();
      } finally {
        this.#writes += 1;
      }
    });
  }
}
