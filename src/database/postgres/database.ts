import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { messageOf } from '../../lib/errors.ts';
import { createWorkQueue, type WorkQueue } from '../../lib/process/work-queue.ts';
import {
  assertChannelName,
  type Database,
  type DatabaseFigures,
  type DatabaseLoad,
  DatabaseUnavailable,
  loadFigures,
  type ProblemLog,
  type Row,
  type Statement,
  type Transaction,
  type TransactionOptions,
  type WorkEnd,
} from '../database.ts';
import { OutageLog } from '../outage-log.ts';
import { PlanAge } from '../plan-age.ts';
import { translateSqlError } from '../sql-errors.ts';
import { StatementWatch } from '../statement-watch.ts';
import { CommitQueue, retryTransaction } from '../transactions.ts';
import type { WireResult } from '../wire-rows.ts';
import { addressesOf, PrimaryAddresses } from './addresses.ts';
import { requestCancel, toldProcess } from './cancel-request.ts';
import {
  CONNECT_TIMEOUT,
  connectionSettings,
  describeAddress,
  preparePrimarySession,
  prepareSession,
} from './connection.ts';
import { PostgresListener } from './listener.ts';
import type { PostgresOptions } from './options.ts';
import { OwnWrites } from './own-writes.ts';
import { PreparedByConnection } from './statement-batch.ts';
import { type LeaseKind, PostgresLease } from './transaction.ts';
import { PROCESS_NAME, WriteLease } from './write-lease.ts';

/** Milliseconds after which the cancellation of a statement that still runs is repeated. */
const STOP_AGAIN_MS = 100;

/** The share of the connections that transactions may hold at once. */
const TRANSACTION_SHARE = 0.6;

/** The driver's message when no connection becomes free. */
const POOL_IS_BUSY = 'timeout exceeded when trying to connect';

/** PostgreSQL through a pool of connections. */
export class PostgresDatabase implements Database {
  readonly engine = 'postgresql';
  readonly #address: string;
  /** Addresses of the pool, and of connections that need a session of their own. */
  readonly #addresses: PrimaryAddresses;
  readonly #direct: PrimaryAddresses;
  readonly #settings: (url: string) => pg.ClientConfig;
  readonly #kind: LeaseKind;
  /** The process of the server at the other end of each connection of the pool, when it began. */
  readonly #backends = new WeakMap<pg.ClientBase, number>();
  readonly #pool: pg.Pool;
  /** One connection for orders to stop statements, because those of the pool may all wait for such an order. */
  readonly #orders: pg.Pool;
  readonly #poolSize: number;
  readonly #listener: PostgresListener;
  readonly #log: ProblemLog;
  readonly #outages: OutageLog;
  readonly #lease: WriteLease | undefined;
  readonly #ownWrites: OwnWrites;
  /**
   * True once the server was reached. An earlier problem is reported by the caller that opens the database, so that it is reported
   * once.
   */
  #wasReached = false;
  /** Transactions take turns for their share of the connections, so that transactions that wait for locks leave connections for readers. */
  readonly #transactions: WorkQueue;

  /** Makes no connection yet. Throws DatabaseUnavailable for a malformed URL. */
  constructor(url: string, options: PostgresOptions) {
    const urls = addressesOf(url, 'DATABASE_URL');
    this.#address = urls.map((each) => describeAddress(each)).join(', ');
    this.#addresses = new PrimaryAddresses(urls);
    const { directUrl } = options;
    const directUrls = directUrl === undefined ? undefined : addressesOf(directUrl, 'DATABASE_DIRECT_URL');
    for (const each of directUrls ?? []) describeAddress(each, 'DATABASE_DIRECT_URL');
    this.#direct = directUrls ? new PrimaryAddresses(directUrls) : this.#addresses;
    this.#kind = {
      pooled: directUrls !== undefined,
      prepared: new PreparedByConnection(),
      planAge: new PlanAge(),
      watch: options.watch ?? new StatementWatch(),
    };
    this.#log = options.log;
    this.#outages = new OutageLog('The database', options.log);
    // Processes are distinguished by random names that cannot be guessed.
    const name = `${PROCESS_NAME}${randomUUID()}`;
    this.#settings = (each) => connectionSettings(each, name);
    this.#listener = new PostgresListener(this.#direct, {
      settings: this.#settings,
      log: options.log,
      outages: this.#outages,
    });
    this.#lease =
      options.leaseBackOff === undefined
        ? undefined
        : new WriteLease(name, {
            backOff: options.leaseBackOff,
            log: options.log,
            run: (statements) => this.#runTogether(statements),
          });
    this.#ownWrites = new OwnWrites(this.#lease);
    const poolSize = options.poolSize ?? 10;
    this.#poolSize = poolSize;
    this.#transactions = createWorkQueue({
      concurrency: Math.max(1, Math.floor(poolSize * TRANSACTION_SHARE)),
      // No transaction is rejected here: the callers limit their number.
      maxWaiting: Number.POSITIVE_INFINITY,
      refusal: '',
      retryAfter: 1,
    });
    const settings = { ...this.#settings(this.#addresses.current), idleTimeoutMillis: 30_000 };
    this.#orders = new pg.Pool({ ...settings, max: 1 });
    // A lost connection that is idle fails no order: the next one makes another.
    this.#orders.on('error', () => {});
    this.#pool = new pg.Pool({
      ...settings,
      max: poolSize,
      onConnect: async (client) => {
        const { backend } = await preparePrimarySession(client, this.#kind);
        this.#backends.set(client, backend);
      },
    });
    this.#pool.on('error', (error) => {
      // Another server may have taken the place of this one.
      this.#lease?.giveUp();
      this.#outages.noticed(error);
    });
    // The pool listens while a connection is idle. When a connection is lost in use, its statement fails; the event must not end the process.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  get writes(): number | undefined {
    return this.#ownWrites.number;
  }

  /** Removes the lease of a killed process, for which others would wait. Never fails. */
  async clear(): Promise<void> {
    await this.#lease?.clear();
  }

  async query<R extends object = Row>(statement: Statement): Promise<R[]> {
    const { end, replica, reads, joint } = statement;
    if (replica && reads) return replica.query<R>(statement);
    if (joint && reads) return joint.read<R>(statement, (statements) => this.#readTogether(statements));
    const run = () =>
      this.#withClient((lease, client) =>
        end === undefined ? lease.query<R>(statement) : this.#cancellable(client, end, () => lease.query<R>(statement)),
      );
    try {
      return await (reads ? run() : this.#ownWrites.during(run));
    } catch (error) {
      throw translateSqlError(error);
    }
  }

  async #readTogether(statements: readonly Statement[]): Promise<readonly WireResult[]> {
    try {
      return await this.#withClient((lease) => lease.queryAll(statements));
    } catch (error) {
      throw translateSqlError(error);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { result, afterCommit } = await this.#transactions.run(() =>
      retryTransaction(async () => {
        const queue = new CommitQueue();
        const result = await this.#withClient((lease) =>
          lease.transaction(queue, work, { ...options, ownWrites: this.#ownWrites }),
        );
        return { result, afterCommit: queue };
      }),
    );
    // The connection is back in the pool, so this work may take a connection of its own.
    await afterCommit.run(this.#log);
    return result;
  }

  async script(sql: string): Promise<void> {
    await this.#ownWrites.during(() => (this.#kind.pooled ? this.#runDirectly(sql) : this.#runScript(sql)));
  }

  /** Runs a script on a connection of its own: the settings of a session are of no use through a pooler. */
  async #runDirectly(sql: string): Promise<void> {
    await this.withDirectConnection(async (client) => {
      await client.query('set statement_timeout = 0');
      await client.query(sql);
    });
  }

  /** Uses a connection to the server itself, which is closed afterwards. Throws DatabaseUnavailable when the connection cannot be made. */
  async withDirectConnection<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#connectDirectly();
    try {
      return await use(client);
    } finally {
      await this.#end(client);
    }
  }

  /** A connection to the first server that takes writes. */
  async #connectDirectly(): Promise<pg.Client> {
    for (let tried = 1; ; tried += 1) {
      const address = this.#direct.current;
      const client = new pg.Client(this.#settings(address));
      // When a connection is lost in use, its statement fails; the event must not end the process.
      client.on('error', () => {});
      try {
        await client.connect();
        await preparePrimarySession(client, { pooled: false });
        return client;
      } catch (error) {
        await this.#end(client);
        this.#direct.failed(address);
        if (tried >= this.#direct.count)
          throw new DatabaseUnavailable(this.#reason(error, describeAddress(address)), error);
      }
    }
  }

  async #end(client: pg.Client): Promise<void> {
    await client.end().catch((error: unknown) => this.#log('Closing a connection to the database failed', error));
  }

  /** Uses a connection of the pool; `isPooled` is true if a pooler is between the connection and the server. */
  async withConnection<T>(use: (client: pg.ClientBase, isPooled: boolean) => Promise<T>): Promise<T> {
    return this.#withClient((lease, client) =>
      lease.run(() => use(client, this.#backends.get(client) !== toldProcess(client))),
    );
  }

  async #runScript(sql: string): Promise<void> {
    await this.#withClient(async (lease) => {
      // Building an index over a large site may take longer than the limit of requests.
      await lease.run((client) => client.query('set statement_timeout = 0'));
      try {
        await lease.run((client) => client.query(sql));
      } finally {
        await lease.run((client) => prepareSession(client));
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

  load(): DatabaseLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const waiting = waitingCount + this.#transactions.waiting();
    return {
      connections: { most: this.#poolSize, used: totalCount - idleCount, waiting },
      statements: this.#kind.watch,
    };
  }

  async close(): Promise<void> {
    await this.#lease?.close();
    await Promise.all([this.#listener.close(), this.#orders.end(), this.#pool.end()]);
  }

  /** Runs statements in one transaction, which counts as no write of this process. */
  async #runTogether<R extends object>(statements: readonly Statement[]): Promise<R[]> {
    return this.#withClient((lease) =>
      lease.transaction(new CommitQueue(), async (tx) => {
        let rows: R[] = [];
        for (const statement of statements) rows = await tx.query<R>(statement);
        return rows;
      }),
    );
  }

  /** Runs a statement until it ends or is stopped. The connection is released only when no order to stop can reach it any more. */
  async #cancellable<T>(client: pg.PoolClient, end: WorkEnd, run: () => Promise<T>): Promise<T> {
    end.throwIfOver();
    let isOver = false;
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      // An order that arrives before the statement has begun has no effect.
      for (; !isOver; await sleep(STOP_AGAIN_MS)) await this.#stopStatement(client);
    };
    const ended = end.onOver(() => {
      stopping = stop();
    });
    try {
      return await run();
    } finally {
      isOver = true;
      ended();
      await stopping;
    }
  }

  async #stopStatement(client: pg.PoolClient): Promise<void> {
    try {
      if (this.#kind.pooled) return await requestCancel(client, new pg.Client(this.#settings(this.#addresses.current)));
      await this.#orders.query('select pg_cancel_backend($1)', [this.#backends.get(client)]);
    } catch (error) {
      this.#log('A statement that nobody waits for could not be stopped', error);
    }
  }

  async #withClient<T>(use: (lease: PostgresLease, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const lease = new PostgresLease(client, this.#log, this.#kind);
    try {
      const result = await use(lease, client);
      this.#wasReached = true;
      this.#outages.worked();
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#failed(error);
      throw error;
    } finally {
      client.release(lease.broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let tried = 1; ; tried += 1) {
      const address = this.#addresses.current;
      try {
        return await this.#pool.connect();
      } catch (error) {
        const isBusy = messageOf(error) === POOL_IS_BUSY;
        if (!isBusy) this.#moveOnFrom(address);
        if (!isBusy && tried < this.#addresses.count) continue;
        const unavailable = new DatabaseUnavailable(this.#reason(error, this.#address), error);
        this.#failed(unavailable);
        throw unavailable;
      }
    }
  }

  /** New connections lead to the next server that may be the primary. */
  #moveOnFrom(address: string): void {
    this.#addresses.failed(address);
    for (const pool of [this.#pool, this.#orders]) pool.options.connectionString = this.#addresses.current;
  }

  #failed(error: DatabaseUnavailable): void {
    // Another server may have taken the place of the one that was lost.
    this.#lease?.giveUp();
    if (this.#wasReached) this.#outages.failed(error);
  }

  #reason(error: unknown, address: string): string {
    const message = messageOf(error);
    if (message === POOL_IS_BUSY) {
      return `No connection to the database became free within ${CONNECT_TIMEOUT / 1000} seconds.`;
    }
    // A host with several addresses gives an AggregateError without a message of its own.
    const parts = error instanceof AggregateError ? error.errors.map((part) => String(part?.message)) : [message];
    return `Cannot connect to PostgreSQL at ${address}: ${parts.join('; ')}`;
  }
}
