import { createReadStream, existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { messageOf } from '../../lib/errors.ts';
import { packageFolder } from '../../lib/process/process.ts';
import { DatabaseUnavailable } from '../database.ts';
import { DurableNodeFS } from './durable-files.ts';
import { engineCode } from './engine-code.ts';
import { LogSync } from './log-sync.ts';

/**
 * Options for a locale in which letters beyond ASCII have an upper and a lower case, and order is by code point. Without these options the locale is
 * plain C.
 */
const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** PGlite's own parameters without `-F`, which turns `fsync` off; `fdatasync` does nothing in its runtime. */
const DURABLE = [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];

/**
 * Options for one process with one connection: buffers for a hundred connections would only take memory. Pages that do not fit come from the file
 * cache of the operating system.
 */
const SMALL = ['-c', 'shared_buffers=32MB', '-c', 'max_connections=10'];

/**
 * The size of the samples for statistics of tables: all else waits while one is taken. With PostgreSQL's own size, the catalog of 20,000 pages takes
 * 0.8 s of the processor's time, with this one a fifth.
 */
const SAMPLES = ['-c', 'default_statistics_target=20'];

/** Options of an embedded database in memory, for tests. */
export const MEMORY_OPTIONS: PGliteOptions = { initDbStartParams: LOCALE };

/**
 * The template of a new cluster with the schema, made by the build (`scripts/cluster-template.mjs`), because `initdb` takes several times the time
 * and the memory. A program that runs from its sources does not use it, because the template may be older than the sources.
 */
const TEMPLATE = import.meta.url.endsWith('.ts') ? undefined : join(packageFolder('dist'), 'cluster.tar.gz');

/** The PostgreSQL version of the engine. Other versions cannot open its files. */
export const ENGINE_VERSION = '18';

/** The engine without the query for all array types with which it begins, a tenth of its start: the program parses values itself. */
class Engine extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

/** Milliseconds between the turns of a timer that only keeps the process alive. */
const BUSY_MS = 1000;

/** An embedded database that is open, and what writes its log to the disk. */
export type Cluster = { pg: PGlite; log: LogSync };

async function start(folder: string, log = new LogSync()): Promise<Cluster> {
  // Node waits for all threads of the compiler when no other work keeps the process alive, and goes on here only then.
  const busy = setInterval(() => {}, BUSY_MS);
  try {
    const pg = new Engine({
      fs: new DurableNodeFS(folder, log),
      pgliteWasmModule: await engineCode(),
      startParams: [...DURABLE, ...SMALL, ...SAMPLES],
      initDbStartParams: LOCALE,
      relaxedDurability: false,
    });
    await pg.waitReady;
    return { pg, log };
  } finally {
    clearInterval(busy);
  }
}

/**
 * Opens the embedded database in the folder, and makes it when it is not there. A commit has reached the disk once `log` is settled. The
 * caller holds the lock of the data folder. A new one is made
 * under another name first: a process that is killed meanwhile leaves nothing that looks like a
 * database.
 */
export async function openCluster(folder: string, log = new LogSync()): Promise<Cluster> {
  try {
    if (!existsSync(folder)) await createCluster(folder);
    else await checkVersion(folder);
    return await start(folder, log);
  } catch (error) {
    const reason = messageOf(error);
    throw new DatabaseUnavailable(`The embedded database in ${folder} cannot be opened: ${reason}`, error);
  }
}

/** Checks that the files are of the engine's PostgreSQL version. The engine itself would print several lines and end the process. */
async function checkVersion(folder: string): Promise<void> {
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (version !== ENGINE_VERSION)
    throw new Error(
      `it is of PostgreSQL ${version}, and this version of Canopy has ${ENGINE_VERSION}. Export the site with the version of Canopy that it was last used with, and import it with this one.`,
    );
}

/**
 * Unpacks a compressed archive of a cluster into a folder, which it makes. Of its forty megabytes only a piece is in memory at a time, because a
 * process keeps much of the memory that it used at its start. Throws when the archive ends too early.
 */
export async function unpackTemplate(archive: string, folder: string): Promise<void> {
  // Loaded here, because a site needs it only once.
  const { unpackTar } = await import('modern-tar/fs');
  await pipeline(createReadStream(archive), createGunzip(), unpackTar(folder, { fmode: 0o600, dmode: 0o700 }));
}

async function createCluster(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  if (TEMPLATE !== undefined && existsSync(TEMPLATE)) await unpackTemplate(TEMPLATE, unfinished);
  else await (await start(unfinished)).pg.close();
  await moveFolder(unfinished, folder);
}

/** Gives a folder another name once all its files are on the disk. */
export async function moveFolder(from: string, to: string): Promise<void> {
  await syncTree(from);
  await rename(from, to);
  await syncPath(dirname(to));
}

/** Writes a folder with all its files through to the disk, so that a power cut cannot empty them. */
async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncPath(path);
  }
  await syncPath(folder);
}

/** Writes one file, or the names in one folder, through to the disk. */
async function syncPath(path: string): Promise<void> {
  // Windows cannot open folders, and needs no flush of them: its file systems journal names.
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (process.platform === 'win32') return undefined;
    throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
