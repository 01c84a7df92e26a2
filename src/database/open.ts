import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Database, DatabaseUnavailable, type ProblemLog } from './database.ts';
import { acquireDataLock } from './pglite/data-lock.ts';
import type { PostgresOptions } from './postgres/options.ts';
import { Room } from './room.ts';

/**
 * `databaseUrl` is the address of a PostgreSQL server; without it the database is embedded, in `dataDir`. `poolSize` has no meaning for the embedded
 * database, which has one connection.
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
  // Loaded here with the driver, because a site with the embedded database does not need them.
  const [{ PostgresDatabase }, { checkPooler }, { LEASE_BACK_OFF_MS }] = await Promise.all([
    import('./postgres/database.ts'),
    import('./postgres/pooler.ts'),
    import('./postgres/write-lease.ts'),
  ]);
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

/** Folders of a database that will replace the one of the folder: while it is made, and once it is complete. */
const unfinished = (folder: string): string => `${folder}.restoring`;
const whole = (folder: string): string => `${folder}.restored`;

/** Says if a folder of data has an embedded database. */
export const hasEmbedded = (dataDir: string): boolean =>
  existsSync(embeddedFolder(dataDir)) || existsSync(whole(embeddedFolder(dataDir)));

async function openEmbedded({ dataDir, log, watch }: OpenOptions): Promise<Database> {
  const lock = await acquireDataLock(dataDir);
  try {
    const folder = embeddedFolder(dataDir);
    await endReplacement(folder, log);
    return await openFolder(folder, { dataDir, log, watch, onClose: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type FolderOptions = Pick<OpenOptions, 'dataDir' | 'log' | 'watch'> & { onClose?: () => Promise<void> };

async function openFolder(folder: string, { dataDir, ...options }: FolderOptions): Promise<Database> {
  // Loaded here with the engine, because a site on PostgreSQL does not need them.
  const [{ openCluster }, { PgliteDatabase }] = await Promise.all([
    import('./pglite/cluster.ts'),
    import('./pglite/database.ts'),
  ]);
  const { pg, log } = await openCluster(folder);
  const room = new Room(dataDir);
  await room.keep();
  return new PgliteDatabase(pg, { ...options, room, folder, logSync: log });
}

/**
 * Makes an embedded database, which `build` fills, and puts it in the place of the one in the data folder, if any. If the process ends before the
 * exchange, the folder is unchanged; if later, it has the new database. Throws DatabaseUnavailable when another process uses the folder.
 */
export async function replaceEmbedded(
  { dataDir, log }: Pick<OpenOptions, 'dataDir' | 'log'>,
  build: (db: Database) => Promise<void>,
): Promise<void> {
  const { moveFolder } = await import('./pglite/cluster.ts');
  const lock = await acquireDataLock(dataDir);
  try {
    const folder = embeddedFolder(dataDir);
    await endReplacement(folder, log);
    const db = await openFolder(unfinished(folder), { dataDir, log });
    try {
      await build(db);
    } finally {
      await db.close();
    }
    await moveFolder(unfinished(folder), whole(folder));
    await endReplacement(folder, log);
  } finally {
    await lock.release();
  }
}

/** Ends an interrupted replacement: a complete new database takes its place, an incomplete one is removed. */
async function endReplacement(folder: string, log: ProblemLog): Promise<void> {
  if (existsSync(unfinished(folder))) {
    log('A restore was interrupted: the database is as it was before');
    await rm(unfinished(folder), { recursive: true, force: true });
  }
  if (!existsSync(whole(folder))) return;
  const { moveFolder } = await import('./pglite/cluster.ts');
  await rm(folder, { recursive: true, force: true });
  await moveFolder(whole(folder), folder);
}
