import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Database, DatabaseUnavailable } from './database.ts';
import { acquireDataLock } from './pglite/data-lock.ts';
import { PostgresDatabase, type PostgresOptions } from './postgres/database.ts';
import { checkPooler } from './postgres/pooler.ts';
import { LEASE_BACK_OFF_MS } from './postgres/write-lease.ts';
import { Room } from './room.ts';

/**
 * `databaseUrl` is a PostgreSQL to use; without it the database is embedded, in `dataDir`. The
 * `poolSize` has no meaning for the embedded one, which has one connection.
 */
export type OpenOptions = PostgresOptions & { databaseUrl?: string | undefined; dataDir: string };

const MIN_VERSION = 15;

/**
 * Opens the database and checks that it can be used; does not migrate it. Throws
 * DatabaseUnavailable with a message of one line.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  return options.databaseUrl ? openPostgres(options.databaseUrl, options) : openEmbedded(options);
}

async function openPostgres(url: string, options: OpenOptions): Promise<Database> {
  const database = new PostgresDatabase(url, { ...options, leaseBackOff: LEASE_BACK_OFF_MS });
  try {
    await checkServer(database);
    await checkPooler(database, { directUrl: options.directUrl, log: options.log });
    await database.clear();
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
  if (server.number < MIN_VERSION * 10_000) {
    throw new DatabaseUnavailable(
      `The server of DATABASE_URL is PostgreSQL ${server.version}; Canopy needs ${MIN_VERSION} or newer.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseUnavailable(
      `The database of DATABASE_URL has the encoding ${server.encoding}; Canopy needs UTF8.`,
    );
  }
}

const embeddedFolder = (dataDir: string): string => join(resolve(dataDir), 'pgdata');

/** Says if a folder of data has an embedded database. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(embeddedFolder(dataDir));

async function openEmbedded({ dataDir, log, watch }: OpenOptions): Promise<Database> {
  // With the engine itself: a site on PostgreSQL starts without them.
  const [{ openCluster }, { PgliteDatabase }] = await Promise.all([
    import('./pglite/cluster.ts'),
    import('./pglite/database.ts'),
  ]);
  const lock = await acquireDataLock(dataDir);
  try {
    const pg = await openCluster(embeddedFolder(dataDir));
    const room = new Room(dataDir);
    await room.keep();
    return new PgliteDatabase(pg, { log, room, watch, onClose: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}
