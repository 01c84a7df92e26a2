import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackgroundWork, type Config, type Database, databases, holdFolder, type Kernel } from '#core';
import { messageOf } from '#lib/errors';
import { repeatWork } from '#lib/process/repeat-work';
import { BackupRefused } from './format.ts';
import { PRIVATE_FILE } from './places/folder-place.ts';
import { workFolders } from './work-folder.ts';

/**
 * The embedded database belongs to the process that serves it. A backup in another process requests a copy by a file in its folder below DATA_DIR: a
 * process that may write there may read the database as well.
 */
const REQUEST = 'request';
const TAKEN = 'taken';
const FAILED = 'failed';
/** The data folder of the copy. */
const COPY = 'copy';
const DATABASE = 'pgdata';

/** Milliseconds between two checks of the server for requests, and of a backup for the copy. */
const SERVER_LOOK_MS = 500;
const BACKUP_LOOK_MS = 100;
/** Milliseconds without a reaction to the request after which the process that uses the data is not taken for a server. */
const MAX_SILENCE_MS = 30_000;
/** Milliseconds between two checks if the server is still running. */
const ALIVE_MS = 5000;

/** Copies the database into the folder of a backup that has requested the copy. */
async function answerRequest({ db, log }: Pick<Kernel, 'db' | 'log'>, folder: string): Promise<void> {
  if (!existsSync(join(folder, REQUEST)) || existsSync(join(folder, TAKEN))) return;
  await writeFile(join(folder, TAKEN), '', { mode: PRIVATE_FILE });
  const copy = join(folder, COPY, DATABASE);
  try {
    if (!db.copyTo) throw new Error('This database cannot be copied.');
    await db.copyTo(`${copy}.unfinished`);
    await rename(`${copy}.unfinished`, copy);
  } catch (error) {
    // The backup may have ended meanwhile, and its folder is gone then.
    if (!existsSync(folder)) return;
    log.error({ err: error }, 'a copy of the database for a backup failed');
    await writeFile(join(folder, FAILED), messageOf(error), { mode: PRIVATE_FILE });
  }
}

/** Makes copies of an embedded database for backups, while a process serves the site. */
export async function startSnapshots(kernel: Kernel): Promise<BackgroundWork> {
  if (!kernel.db.copyTo) return { close: async () => {} };
  return repeatWork(
    async () => {
      for (const folder of await workFolders(kernel.config)) await answerRequest(kernel, folder);
    },
    {
      intervalMs: SERVER_LOOK_MS,
      onError: (error) => kernel.log.error({ err: error }, 'looking for backups failed'),
    },
  );
}

/** Asks the server for a copy of its database and opens it. */
async function requestCopy(dataDir: string, folder: string, log: databases.ProblemLog): Promise<Database> {
  await writeFile(join(folder, REQUEST), '', { mode: PRIVATE_FILE });
  const started = Date.now();
  for (let looked = started; !existsSync(join(folder, COPY, DATABASE)); await sleep(BACKUP_LOOK_MS)) {
    if (existsSync(join(folder, FAILED)))
      throw new BackupRefused(
        `The server could not copy its database: ${await readFile(join(folder, FAILED), 'utf8')}`,
      );
    if (Date.now() - looked < ALIVE_MS) continue;
    looked = Date.now();
    const lock = await holdFolder(dataDir);
    await lock?.release();
    if (lock) throw new BackupRefused('The server ended before it had copied its database. Run the backup again.');
    if (looked - started > MAX_SILENCE_MS && !existsSync(join(folder, TAKEN)))
      throw new BackupRefused(
        `Another Canopy process uses ${dataDir} and makes no copy of its database. Wait until it has ended, or update the server.`,
      );
  }
  return databases.open({ dataDir: join(folder, COPY), log });
}

/**
 * Opens the configured database for a backup: PostgreSQL itself, an embedded database in its folder, or, if a server uses that folder, a copy in
 * `folder`. Throws BackupRefused, DatabaseUnavailable.
 */
export async function openForBackup(config: Config, log: databases.ProblemLog, folder: string): Promise<Database> {
  const { databaseUrl, databaseDirectUrl: directUrl } = config;
  const dataDir = resolve(config.dataDir);
  if (databaseUrl !== undefined) return databases.open({ databaseUrl, directUrl, dataDir, log });
  if (!databases.hasEmbedded(dataDir)) throw new BackupRefused(`There is no site in the folder ${dataDir} (DATA_DIR).`);
  const lock = await holdFolder(dataDir);
  await lock?.release();
  return lock ? databases.open({ dataDir, log }) : requestCopy(dataDir, folder, log);
}

/** Removes the copy, which is not needed once its rows are read. */
export const removeCopy = (folder: string): Promise<void> => rm(join(folder, COPY), { recursive: true, force: true });
