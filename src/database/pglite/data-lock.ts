import { close, open, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../lib/errors.ts';
import { DatabaseUnavailable } from '../database.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** An exclusive lock on a folder, until `release` or any end of the process. */
export type DataLock = { release(): Promise<void> };

/**
 * Locks the folder for this process, and makes it if missing. Throws DatabaseUnavailable when another process has the lock. It is a lock of the
 * operating system on an open file (`canopy.lock`): it ends with its process, so none is left behind, and it works between containers that share the
 * folder. The files are never removed, because a process that had opened a removed file would lock nothing.
 */
export async function acquireDataLock(dataDir: string): Promise<DataLock> {
  const folder = resolve(dataDir);
  const pidFile = join(folder, 'canopy.pid');
  const tryLock = await loadTryLock();
  let fd: number;
  try {
    await mkdir(folder, { recursive: true });
    fd = await openFile(join(folder, 'canopy.lock'), 'a');
  } catch (error) {
    throw new DatabaseUnavailable(`DATA_DIR ${folder} cannot be written: ${messageOf(error)}`, error);
  }
  try {
    if (!tryLock(fd)) throw new DatabaseUnavailable(inUse(folder, pidFile));
    // The process that holds the lock, only for the message; a file of its own, because on Windows a locked file cannot be read.
    writeFileSync(pidFile, `${process.pid} ${hostname()}\n`);
  } catch (error) {
    await closeFile(fd);
    if (error instanceof DatabaseUnavailable) throw error;
    throw new DatabaseUnavailable(`DATA_DIR ${folder} cannot be locked: ${messageOf(error)}`, error);
  }
  let held = true;
  return {
    async release() {
      if (!held) return;
      held = false;
      await closeFile(fd);
    },
  };
}

/** Locks a folder for this process; undefined when another process has the lock, or this platform has no such locks. */
export async function holdFolder(folder: string): Promise<DataLock | undefined> {
  try {
    return await acquireDataLock(folder);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return undefined;
    throw error;
  }
}

/** Loaded only when needed, because some platforms have no build of it but can use DATABASE_URL. */
async function loadTryLock(): Promise<(fd: number) => boolean> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return tryLock;
  } catch (error) {
    throw new DatabaseUnavailable(
      'The embedded database cannot lock its folder on this platform. Use PostgreSQL through DATABASE_URL.',
      error,
    );
  }
}

function inUse(folder: string, pidFile: string): string {
  return `DATA_DIR ${folder} is in use by another Canopy process${holder(pidFile)}. Stop it first, or use another DATA_DIR or DATABASE_URL.`;
}

/** ` (pid 7)`, with the host if it is another one; empty when the holder has not written it yet. */
function holder(pidFile: string): string {
  let text: string;
  try {
    text = readFileSync(pidFile, 'utf8');
  } catch {
    return '';
  }
  const [pid, host] = text.trim().split(' ');
  if (!pid) return '';
  return host && host !== hostname() ? ` (pid ${pid} on ${host})` : ` (pid ${pid})`;
}
