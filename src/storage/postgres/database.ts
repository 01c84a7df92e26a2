import pg from 'pg';
import {
  assertChannelName,
  type Database,
  type DatabaseFigures,
  DatabaseUnavailable,
  loadFigures,
  type ProblemLog,
  type Row,
  type Statement,
  type Transaction,
} from '../database.ts';
import { CommitQueue, retryTransaction, translateSqlError } from '../transactions.ts';
import { CONNECT_TIMEOUT, connectionSettings, describeAddress, prepareSession, runStatement } from './connection.ts';
import { PostgresListener } from './listener.ts';
import { PostgresLease } from './transaction.ts';

/** `poolSize` is the most connections for statements, 10 by default; listening takes one more. */
export type PostgresOptions = { log: ProblemLog; poolSize?: number };

/** PostgreSQL through a pool of connections. */
export class PostgresDatabase implements Database {
  readonly engine = 'postgresql';
  readonly writes = undefined;
  readonly #address: string;
  readonly #pool: pg.Pool;
  readonly #listener: PostgresListener;
  readonly #log: ProblemLog;

  /** Makes no connection yet. Throws DatabaseUnavailable when the URL is not one. */
  constructor(url: string, options: PostgresOptions) {
    this.#address = describeAddress(url);
    this.#log = options.log;
    this.#listener = new PostgresListener(url, options.log);
    this.#pool = new pg.Pool({
      ...connectionSettings(url),
      max: options.poolSize ?? 10,
      idleTimeoutMillis: 30_000,
      onConnect: prepareSession,
    });
    this.#pool.on('error', (error) => this.#log('An idle connection to the database was lost', error));
    // The pool listens while a connection is idle. Lost in use, its statement fails; the event must not end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    try {
      return await this.#withClient((lease) => lease.run((client) => runStatement<R>(client, statement)));
    } catch (error) {
      throw translateSqlError(error);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { result, afterCommit } = await retryTransaction(async () => {
      const queue = new CommitQueue();
      return { result: await this.#withClient((lease) => lease.transaction(queue, work)), afterCommit: queue };
    });
    // The connection is back in the pool: what runs now may take one of its own.
    await afterCommit.run(this.#log);
    return result;
  }

  async script(sql: string): Promise<void> {
    await this.#withClient(async (lease) => {
      // Building an index over a large site may take longer than any request may.
      await lease.run((client) => client.query('set statement_timeout = 0'));
      try {
        await lease.run((client) => client.query(sql));
      } finally {
        await lease.run(prepareSession);
      }
    });
  }

  async listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    assertChannelName(channel);
    return this.#listener.listen(channel, handler);
  }

  async figures(): Promise<DatabaseFigures> {
    return loadFigures(this);
  }

  async close(): Promise<void> {
    await Promise.all([this.#listener.close(), this.#pool.end()]);
  }

  async #withClient<T>(use: (lease: PostgresLease) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const lease = new PostgresLease(client, this.#log);
    try {
      return await use(lease);
    } finally {
      client.release(lease.broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new DatabaseUnavailable(this.#reason(error), error);
    }
  }

  #reason(error: unknown): string {
    const message = error instanceof Error ? error.message : String(error);
    if (message === 'timeout exceeded when trying to connect') {
      return `No connection to the database became free within ${CONNECT_TIMEOUT / 1000} seconds.`;
    }
    // A host with several addresses gives an AggregateError without a message of its own.
    const parts = error instanceof AggregateError ? error.errors.map((part) => String(part?.message)) : [message];
    return `Cannot connect to PostgreSQL at ${this.#address}: ${parts.join('; ')}`;
  }
}
