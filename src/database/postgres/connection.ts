import pg from 'pg';
import { DatabaseUnavailable, type Statement, type TransactionOptions } from '../database.ts';
import { columnParser } from '../sql-values.ts';
import { beginStatement } from '../transactions.ts';
import { type BatchOutcome, onlyRows } from '../wire-rows.ts';
import { type PreparedStatements, StatementBatch } from './statement-batch.ts';

/** Milliseconds after which a statement is stopped, and an idle transaction is ended. */
const STATEMENT_TIMEOUT = 60_000;

/** Milliseconds to wait for a new connection, or for a connection of a busy pool. */
export const CONNECT_TIMEOUT = 10_000;

/** Columns of the first statement of a connection. */
const WHERE = 'pg_backend_pid() as backend, pg_is_in_recovery() as standby';

/** Long values are compressed by LZ4 if the server can: writing a page of 17 kB takes 0.17 ms instead of 0.29, with the same number of bytes. */
const COMPRESSION = `(select set_config(name, 'lz4', false) from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals))`;

/**
 * Prepares each new connection in one round trip. UTC makes casts to text the same everywhere; just-in-time compilation costs more than it saves for
 * statements of a few milliseconds.
 */
const SESSION = `select ${WHERE}, set_config('TimeZone', 'UTC', false), set_config('jit', 'off', false), ${COMPRESSION},
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('statement_timeout', '${STATEMENT_TIMEOUT}', false),
  set_config('idle_in_transaction_session_timeout', '${STATEMENT_TIMEOUT}', false)`;

/**
 * Prepares a connection through a pooler that gives a connection of the server to each transaction: PgBouncer separates only the time zone, the
 * encoding and the name of the program for its clients.
 */
const POOLED_SESSION = `select ${WHERE}, set_config('TimeZone', 'UTC', false)`;

/** The settings of each transaction through such a pooler, which a session cannot keep. */
const POOLED_SETTINGS = [
  'set local jit = off',
  `set local statement_timeout = ${STATEMENT_TIMEOUT}`,
  `set local idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT}`,
];

/** The server at the other end of a connection. `backend` is the process that runs its statements, at that time. */
export type ServerEnd = { backend: number; standby: boolean };

/** The use of connections: `pooled` is true through a pooler in transaction mode, where nothing may remain from one transaction to the next. */
export type SessionKind = { pooled: boolean };

/** Settings of a connection to the address, shared by all connections. `name` is the name of this process. */
export function connectionSettings(url: string, name: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    types: { getTypeParser: columnParser },
  };
}

/** Prepares a new connection for the statements of this program; returns the server at its other end. */
export async function prepareSession(
  client: pg.ClientBase,
  { pooled }: SessionKind = { pooled: false },
): Promise<ServerEnd> {
  const [end] = (await client.query<ServerEnd>(pooled ? POOLED_SESSION : SESSION)).rows;
  if (end === undefined) throw new Error('A statement without a row');
  return end;
}

/** Prepares a new connection for writes. Throws DatabaseUnavailable when its server takes no writes. */
export async function preparePrimarySession(client: pg.ClientBase, kind: SessionKind): Promise<ServerEnd> {
  const end = await prepareSession(client, kind);
  if (end.standby) throw new DatabaseUnavailable('The server is a standby, which takes no writes.');
  return end;
}

/** The statements that begin a transaction. `lockTimeout` in milliseconds. */
export function beginStatements({ pooled }: SessionKind, { lockTimeout, snapshot }: TransactionOptions): Statement[] {
  const begin = beginStatement(snapshot, pooled ? 'begin isolation level read committed' : 'begin');
  const limit = lockTimeout === undefined ? [] : [`set local lock_timeout = ${Math.round(lockTimeout)}`];
  return [begin, ...[...(pooled ? POOLED_SETTINGS : []), ...limit].map((text) => ({ name: text, text }))];
}

/** Host, port and name of the database for messages, without user and password. `setting` has the address. */
export function describeAddress(url: string, setting = 'DATABASE_URL'): string {
  try {
    // The client is made but not connected, because only the driver has its defaults and environment variables.
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host}:${port}/${database ?? ''}`;
  } catch {
    // The driver's own message would repeat the address with its password.
    throw new DatabaseUnavailable(`${setting} is not an address like postgres://user:password@host:5432/name.`);
  }
}

/**
 * Runs statements on a connection, in one round trip. A statement with a name is prepared on that connection; without `prepared` no statement is
 * prepared, because each use may reach another connection of the server.
 */
export function runStatements(
  client: pg.ClientBase,
  statements: readonly Statement[],
  prepared: PreparedStatements | undefined,
): Promise<BatchOutcome> {
  return client.query(new StatementBatch(statements, prepared)).outcome;
}

/** Runs one statement on a connection, like `runStatements`. Throws the errors of the driver. */
export async function runStatement<R extends object>(
  client: pg.ClientBase,
  statement: Statement,
  prepared: PreparedStatements | undefined,
): Promise<R[]> {
  return onlyRows<R>(await runStatements(client, [statement], prepared));
}
