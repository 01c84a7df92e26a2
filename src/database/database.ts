import type { Trace } from '../lib/process/trace.ts';
import type { Slots } from '../lib/slots.ts';
import type { CacheTags } from './cache-tags.ts';
import type { JointReads } from './joint-reads.ts';
import type { StatementWatch } from './statement-watch.ts';

/** Receives reports of problems that storage survives: a short sentence with the error; without an error, the end of a problem. */
export type ProblemLog = (message: string, error?: unknown) => void;

/** A row with the values of the driver: jsonb parsed, timestamptz as Date, bigint as number, text[] as array. */
export type Row = Record<string, unknown>;

/** The early end of work: its client has left, or its time is over. */
export type WorkEnd = {
  /** Throws the reason for the early end, if there is one. */
  throwIfOver(): void;
  /** Has `stop` called with the reason at an early end from now on. Returns the function that takes this back. */
  onOver(stop: (reason: Error) => void): () => void;
};

/**
 * One SQL statement. A `name` makes it a prepared statement on PostgreSQL: give a name to every frequent statement, and always the same name to the
 * same text.
 */
export type Statement = {
  text: string;
  values?: readonly unknown[];
  name?: string | undefined;
  /**
   * True for a statement of a transaction that is not awaited: it is sent with the next awaited statement, at the latest with the commit, and its
   * failure becomes the failure of that statement. It returns no rows.
   */
  deferred?: boolean;
  /** Receives the rows of a deferred statement once it has run. Must not throw. */
  received?: ((rows: readonly Row[]) => void) | undefined;
  /** The work that wants its result. When that ends early, the statement is stopped, outside of transactions and if the engine can. */
  end?: WorkEnd | undefined;
  /**
   * Returns the tags of the rows of a reading statement. The rows stay the same as long as the tags, the tables whose changes count as changes of
   * `anything` (`TableChanges`), and the time stay the same. Without tags, any change may change the rows.
   */
  tags?: (rows: readonly Row[]) => CacheTags;
  /**
   * The column with the number of the object that a row is about, for a statement whose first value is a list of such numbers: what it returns for one
   * object has this object as its tag, so it is cached for each by itself. Such a statement needs no `tags`.
   */
  each?: string;
  /**
   * True if the statement only reads. Outside of transactions, other statements count as possible writes. Requests that read set it for all their
   * statements (core/http/cached-reads.ts); `false` marks a statement that writes nevertheless.
   */
  reads?: boolean;
  /** Reads from this replica, if the statement only reads and is in no transaction. */
  replica?: Pick<Queryable, 'query'>;
  /** Outside of transactions: sends the statement, which only reads, in one message with another one. */
  joint?: JointReads | undefined;
  /** The request that it belongs to. In a transaction that of the transaction counts. */
  trace?: Trace | undefined;
};

/** The facts of a transaction as a whole. Parts of one transaction share the object. */
export type TransactionOrigin = {
  /** The address of the client of the request; undefined for work of the server itself. */
  readonly clientAddress: string | undefined;
  /** The request, or the request that began the job; undefined for work of the server itself. */
  readonly trace: Trace | undefined;
  /** Collects the effects of the transaction for the report of a dry run. */
  readonly observer?: Slots | undefined;
};

export type TransactionOptions = {
  /** Milliseconds that a statement waits for locks of others before it fails with SQLSTATE 55P03. */
  lockTimeout?: number;
  /** The address of the client of the request. */
  clientAddress?: string | undefined;
  /** The request of the transaction, or the request that began the job. */
  trace?: Trace | undefined;
  /** True if all of its statements see the database as at the first statement. Only for work that reads. */
  snapshot?: boolean;
};

/** The request that a transaction belongs to; undefined outside of transactions. */
export const traceOf = (db: Queryable | Transaction): Trace | undefined =>
  'origin' in db ? db.origin.trace : undefined;

/** The use of the connections of a process, and its statements. */
export type DatabaseLoad = {
  /** The maximum number of connections, the number in use, and the number of users that wait for one. */
  connections: { most: number; used: number; waiting: number };
  statements: StatementWatch;
};

/** A runner of statements: the pool, or one transaction. */
export interface Queryable {
  /** Runs one statement and returns its rows. */
  query<R extends object = Row>(statement: Statement): Promise<R[]>;
}

/** The stages of the work before a commit, in their order. */
export const COMMIT_STAGES = ['consequences', 'record', 'last'] as const;

/**
 * A stage of the work before a commit: `consequences` may still change content, `record` comes after all changes, and `last` after the record of them.
 */
export type CommitStage = (typeof COMMIT_STAGES)[number];

/** A transaction. Everything in it is committed together or not at all. */
export interface Transaction extends Queryable {
  readonly origin: TransactionOrigin;
  /**
   * Runs `work` in the transaction after all its other work, before the commit. Work of a later stage runs after all of an earlier one, also such that
   * registered work has registered. A failure rolls back the whole transaction.
   */
  beforeCommit(work: () => Promise<void>, stage?: CommitStage): void;
  /**
   * Runs `work` after the commit, in the order of the calls; never when the transaction is rolled
   * back. A failure is logged and does not undo the commit.
   */
  afterCommit(work: () => void | Promise<void>): void;
}

/** Figures of the engine in use, for `@database`, `@system` and `@health`. */
export type DatabaseFigures = { engine: 'pglite' | 'postgresql'; version: string; name: string; bytes: number };

/**
 * The only access to the data. It has two implementations: PostgreSQL through a pool, and PostgreSQL embedded in this process (PGlite), with a single
 * connection for which transactions queue.
 */
export interface Database extends Queryable {
  readonly engine: 'pglite' | 'postgresql';
  /**
   * While no other process can write: a number that grows before and after each statement that may write, and when others may have written since the
   * last call. Undefined while others can write.
   */
  readonly writes: number | undefined;
  /**
   * Runs `work` in one transaction. It is run again, from its start, after a serialization failure or a deadlock (SQLSTATE 40001, 40P01), at most
   * `MAX_ATTEMPTS` times: it may have effects outside the transaction only through `afterCommit`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs a script of several statements without parameters (migrations). */
  script(sql: string): Promise<void>;
  /**
   * Calls `handler` for every NOTIFY on the channel, by any process, and with an empty payload when notifications may have been missed. Returns a
   * function that stops this.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  figures(): Promise<DatabaseFigures>;
  /** Copies the files of an embedded database, in the state of one moment, into a new folder that can be opened like the original. */
  copyTo?(folder: string): Promise<void>;
  /** The load at present. No SQL. */
  load(): DatabaseLoad;
  /** Waits for running statements and closes. */
  close(): Promise<void>;
}

/** Loads version, name and size in bytes, by the same statement on both engines. */
export async function loadFigures(database: Database): Promise<DatabaseFigures> {
  const [row] = await database.query<Omit<DatabaseFigures, 'engine'>>({
    text: `select current_setting('server_version') as version, current_database()::text as name,
      pg_database_size(current_database()) as bytes`,
    reads: true,
  });
  if (row === undefined) throw new Error('The database did not tell its figures');
  return { engine: database.engine, ...row };
}

/**
 * The error for a database that cannot be reached or used. The message is one line for the operator, never with a password; `cause` is the error of
 * the driver.
 */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseUnavailable';
  }
}

const CHANNEL = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Rejects names of channels that the two engines would read differently (`LISTEN` takes no parameters, and unquoted names are folded to lower case).
 * A fault of the program, not of a client.
 */
export function assertChannelName(channel: string): void {
  if (!CHANNEL.test(channel)) throw new TypeError(`Not a name for a channel: ${channel}`);
}
