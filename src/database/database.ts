import type { Trace } from '../lib/process/trace.ts';
import type { Slots } from '../lib/slots.ts';
import type { CacheTags } from './cache-tags.ts';
import type { StatementWatch } from './statement-watch.ts';

/** Where storage reports a problem that it survives: a short sentence, and what was thrown; without that, the end of one. */
export type ProblemLog = (message: string, error?: unknown) => void;

/** A row as the driver gives it: jsonb parsed, timestamptz as Date, bigint as number, text[] as array. */
export type Row = Record<string, unknown>;

/**
 * One SQL statement. A `name` makes it a prepared statement on PostgreSQL: give one to every
 * statement of the hot path, and the same name to the same text always.
 */
export type Statement = {
  text: string;
  values?: readonly unknown[];
  name?: string;
  /**
   * In a transaction, nobody waits for it: it is sent with the next statement that somebody waits for, at the latest with the
   * commit, and its failure is the failure of that one. It returns no rows.
   */
  deferred?: boolean;
  /** Stops the statement, outside of transactions and where the engine can: its result is not wanted any more. */
  signal?: AbortSignal;
  /**
   * Returns the tags of the rows of a reading statement. The statement returns the same rows as long as these stay the same: the tags,
   * the tables whose changes are changes of anything (`TableChanges`), and the time. Without it, any change may change the rows.
   */
  tags?: (rows: readonly Row[]) => CacheTags;
  /**
   * Says that it only reads. Outside of transactions, a statement without it counts as one that may have written. Requests that read say
   * it of all their statements (core/http/cached-reads.ts); `false` says that one of those writes nevertheless.
   */
  reads?: boolean;
  /** Reads there instead, if the statement only reads and is in no transaction. */
  replica?: Pick<Queryable, 'query'>;
  /** The request that it belongs to. In a transaction that of the transaction counts. */
  trace?: Trace | undefined;
};

/** The facts of a transaction as a whole. Parts of one transaction share the object. */
export type TransactionOrigin = {
  /** The address of the client whose request it belongs to; undefined for work of the server itself. */
  readonly clientAddress: string | undefined;
  /** The request, or the one that has begun the job; undefined for work of the server itself. */
  readonly trace: Trace | undefined;
  /** Collects what happens in it, where that is rehearsed to be reported. */
  readonly observer?: Slots | undefined;
};

export type TransactionOptions = {
  /** Milliseconds that a statement waits for what others hold before it fails with SQLSTATE 55P03. */
  lockTimeout?: number;
  /** The address of the client whose request it belongs to. */
  clientAddress?: string | undefined;
  /** The request that it belongs to, or that has begun the job. */
  trace?: Trace | undefined;
  /** True if all of its statements see the database as it is at the first one. Only for work that reads. */
  snapshot?: boolean;
};

/** The request that a transaction belongs to; undefined outside of transactions. */
export const traceOf = (db: Queryable | Transaction): Trace | undefined =>
  'origin' in db ? db.origin.trace : undefined;

/** The use of the connections of a process, and its statements. */
export type DatabaseLoad = {
  /** Connections that it may have at once, those in use, and users that wait for one. */
  connections: { most: number; used: number; waiting: number };
  statements: StatementWatch;
};

/** A runner of statements: the pool, or one transaction. */
export interface Queryable {
  /** Runs one statement and returns its rows. */
  query<R extends object = Row>(statement: Statement): Promise<R[]>;
}

/** A transaction. Everything in it is committed together or not at all. */
export interface Transaction extends Queryable {
  readonly origin: TransactionOrigin;
  /**
   * Runs `work` in the transaction, once everything else of it is done and before it is committed; with `last` after all that is
   * called without it, also by such work itself. When it fails, nothing of the transaction remains.
   */
  beforeCommit(work: () => Promise<void>, order?: { last: boolean }): void;
  /**
   * Runs `work` after the commit, in the order of the calls; never when the transaction is rolled
   * back. A failure is logged and does not undo the commit.
   */
  afterCommit(work: () => void | Promise<void>): void;
}

/** Figures of the engine in use, for `@database`, `@system` and `@health`. */
export type DatabaseFigures = { engine: 'pglite' | 'postgresql'; version: string; name: string; bytes: number };

/**
 * The one way to the data. Two implementations: PostgreSQL through a pool, and PostgreSQL
 * embedded in this process (PGlite), whose single connection transactions queue for.
 */
export interface Database extends Queryable {
  readonly engine: 'pglite' | 'postgresql';
  /**
   * Where no other process can write at present: a number that has grown before and after each statement that may have written,
   * and whenever others may have written since the last call. Undefined where others can.
   */
  readonly writes: number | undefined;
  /**
   * Runs `work` in one transaction. It is run again, from its start, after a serialization failure
   * or a deadlock (SQLSTATE 40001, 40P01), at most `MAX_ATTEMPTS` times: it must not have effects outside
   * the transaction but through `afterCommit`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs a script of several statements without parameters (migrations). */
  script(sql: string): Promise<void>;
  /**
   * Calls `handler` for every NOTIFY on the channel, by any process, and with an empty payload when some may have been
   * missed. Returns how to stop.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  figures(): Promise<DatabaseFigures>;
  /** Copies the files of an embedded database, as they are at one moment, into a new folder, which can be opened like the original. */
  copyTo?(folder: string): Promise<void>;
  /** The load at present. No SQL. */
  load(): DatabaseLoad;
  /** Waits for running statements and closes. */
  close(): Promise<void>;
}

/** Version, name and size in bytes, by the same statement on both engines. */
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
 * The database cannot be reached or used. The message is one line for the operator and never
 * holds a password; `cause` is what the driver threw.
 */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseUnavailable';
  }
}

const CHANNEL = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Refuses names of channels that the two engines would read differently (`LISTEN` takes no
 * parameters, and unquoted names are folded to lower case). A fault of the program, not of a client.
 */
export function assertChannelName(channel: string): void {
  if (!CHANNEL.test(channel)) throw new TypeError(`Not a name for a channel: ${channel}`);
}
