import { close, open, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../lib/errors.ts';
import { DatabaseUnavailable } from '../database.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** An exclusive hold on a folder, until `release` or the end of the process, however it ends. */
export type DataLock = { release(): Promise<void> };

/**
 * Takes the folder for this process, and makes it when it is missing. Throws DatabaseUnavailable
 * when another process has it. The lock is one of the operating system on an open file
 * (`canopy.lock`): it ends with its holder, so none is left behind, and it is seen from other
 * containers that share the folder. Neither file is ever removed: a process that had opened the
 * removed one would lock nothing.
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
    // The process that holds the folder, for the message alone; on Windows a locked file cannot be read.
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

/** Takes a folder for this process; undefined when another one has it, or this platform has no such locks. */
export async function holdFolder(folder: string): Promise<DataLock | undefined> {
  try {
    return await acquireDataLock(folder);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return undefined;
    throw error;
  }
}

/** Loaded when it is needed, as there is no build of it for some platforms, where DATABASE_URL works all the same. */
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

/** ` (pid 7)`, with the host when it is another one; nothing when the holder has not written it yet. */
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
