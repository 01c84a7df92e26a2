import pg from 'pg';
import { DatabaseUnavailable, type Statement } from '../database.ts';
import { columnParser, encodeParameter } from '../sql-values.ts';

/** Milliseconds after which a statement is stopped, and a transaction that does nothing is ended. */
const STATEMENT_TIMEOUT = 60_000;

/** Milliseconds to wait for a connection, be it new or from a pool that is busy. */
export const CONNECT_TIMEOUT = 10_000;

/**
 * One round trip for each new connection. UTC makes casts to text the same everywhere; compiling
 * just in time costs more than it saves on statements of a few milliseconds.
 */
const SESSION = `select set_config('TimeZone', 'UTC', false), set_config('jit', 'off', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('statement_timeout', '${STATEMENT_TIMEOUT}', false),
  set_config('idle_in_transaction_session_timeout', '${STATEMENT_TIMEOUT}', false)`;

/** Settings of a connection to the address, shared by the pool and the listener. `name` is that of this process. */
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

/** Prepares a new connection for the statements of this program. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION);
}

/** Host, port and name of the database for messages, without user and password. */
export function describeAddress(url: string): string {
  try {
    // Made, not connected: the driver alone knows its defaults and environment variables.
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host}:${port}/${database ?? ''}`;
  } catch {
    // The driver's own message would repeat the address with its password.
    throw new DatabaseUnavailable('DATABASE_URL is not an address like postgres://user:password@host:5432/name.');
  }
}

/** Runs one statement on a connection; a name makes it a prepared statement of that connection. Throws what the driver throws. */
export async function runStatement<R extends object>(client: pg.ClientBase, statement: Statement): Promise<R[]> {
  const config = {
    text: statement.text,
    values: (statement.values ?? []).map(encodeParameter),
    // Without values the driver would use the simple protocol, which takes several statements in one text.
    queryMode: 'extended',
    ...(statement.name === undefined ? {} : { name: statement.name }),
  };
  return (await client.query<R>(config)).rows;
}
