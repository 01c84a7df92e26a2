import { join, resolve } from 'node:path';
import { acquireDataLock } from './data-lock.ts';
import type { Database } from './database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { openCluster } from './pglite-cluster.ts';
import { PgliteDatabase } from './pglite-database.ts';
import { PostgresDatabase, type PostgresOptions } from './postgres-database.ts';

/**
 * `databaseUrl` is a PostgreSQL to use; without it the database is embedded, in `dataDir`. The
 * hooks and `poolSize` have no meaning for the embedded one, which cannot lose its connection.
 */
export type OpenOptions = PostgresOptions & { databaseUrl?: string | undefined; dataDir: string };

const OLDEST_VERSION = 15;

/**
 * Opens the database and checks that it can be used; does not migrate it. Throws
 * DatabaseUnavailable with a message of one line.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  return options.databaseUrl ? openPostgres(options.databaseUrl, options) : openEmbedded(options);
}

async function openPostgres(url: string, options: OpenOptions): Promise<Database> {
  const database = new PostgresDatabase(url, options);
  try {
    await checkServer(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function checkServer(database: Database): Promise<void> {
  const [server] = await database.query<{ number: number; version: string; encoding: string }>({
    text: `select current_setting('server_version_num')::integer as number,
      current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
  });
  if (server === undefined) throw new DatabaseUnavailable('The database did not tell its version.');
  if (server.number < OLDEST_VERSION * 10_000) {
    throw new DatabaseUnavailable(
      `The server of DATABASE_URL is PostgreSQL ${server.version}; Canopy needs ${OLDEST_VERSION} or newer.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseUnavailable(
      `The database of DATABASE_URL has the encoding ${server.encoding}; Canopy needs UTF8.`,
    );
  }
}

async function openEmbedded({ dataDir, log }: OpenOptions): Promise<Database> {
  const lock = await acquireDataLock(dataDir);
  try {
    const pg = await openCluster(join(resolve(dataDir), 'pgdata'));
    return new PgliteDatabase(pg, { log, onClose: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}
