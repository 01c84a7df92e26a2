import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, databases, fileStores, holdFolder } from '#core';
import { PRIVATE_FOLDER } from './places/folder-place.ts';

/** Folder in the data for running backups: each has a folder of its own, which its process locks. */
const SNAPSHOTS = 'snapshots';
/** Milliseconds within which a process locks the folder that it has made. */
const LOCKED_MS = 60_000;

const snapshotsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(resolve(dataDir), SNAPSHOTS);

/** Names of the folders of backups that are running or were aborted. */
export async function workFolders(config: Pick<Config, 'dataDir'>): Promise<string[]> {
  const folder = snapshotsFolder(config);
  try {
    return (await readdir(folder)).map((name) => join(folder, name));
  } catch (error) {
    if (fileStores.isNoSuchFile(error)) return [];
    throw error;
  }
}

/** Removes the folders of processes that have ended. */
async function removeAbandoned(config: Pick<Config, 'dataDir'>): Promise<void> {
  for (const folder of await workFolders(config)) {
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < LOCKED_MS) continue;
    const lock = await holdFolder(folder);
    if (!lock) continue;
    await lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with a new folder in the data, which is removed afterwards. */
export async function withWorkFolder<T>(config: Config, work: (folder: string) => Promise<T>): Promise<T> {
  await removeAbandoned(config);
  const folder = join(snapshotsFolder(config), randomUUID());
  let lock: databases.Lock | undefined;
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    lock = await databases.acquireLock(folder);
    return await work(folder);
  } finally {
    await lock?.release();
    await rm(folder, { recursive: true, force: true });
  }
}
