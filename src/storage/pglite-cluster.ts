import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { DurableNodeFS } from './durable-node-fs.ts';
import { syncPath, syncTree } from './sync-tree.ts';

/** Letters beyond ASCII have an upper and a lower case; order is by code point. Without these the locale is plain C. */
const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** PGlite's own parameters without `-F`, which turns `fsync` off; `fdatasync` does nothing in its runtime. */
const DURABLE = [...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];

/** Options of an embedded database in memory: that of tests. */
export const MEMORY_OPTIONS: PGliteOptions = { initDbStartParams: LOCALE };

function start(folder: string): Promise<PGlite> {
  return PGlite.create({
    fs: new DurableNodeFS(folder),
    startParams: DURABLE,
    initDbStartParams: LOCALE,
    relaxedDurability: false,
  });
}

/**
 * Opens the embedded database in the folder, and makes it when it is not there. A commit that was
 * answered has reached the disk. The caller holds the lock of the data folder. A new one is made
 * under another name first: a process that is killed meanwhile leaves nothing that looks like a
 * database.
 */
export async function openCluster(folder: string): Promise<PGlite> {
  try {
    if (!existsSync(folder)) await createCluster(folder);
    return await start(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseUnavailable(`The embedded database in ${folder} cannot be opened: ${reason}`, error);
  }
}

async function createCluster(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const pg = await start(unfinished);
  await pg.close();
  await syncTree(unfinished);
  await rename(unfinished, folder);
  await syncPath(dirname(folder));
}
