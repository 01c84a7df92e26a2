import { rmSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdFolder } from '#core';
import { PRIVATE_FOLDER } from '../target/export-target.ts';

/** A temporary folder that no other user may read. */
export type PrivateFolder = { folder: string; remove(): Promise<void> };

const PREFIX = 'canopy-unpacked-';

/** Age in milliseconds from which an unlocked folder counts as abandoned; a younger folder may not be locked yet. */
const LEFT_OVER_MS = 60_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes a folder below the temporary folder. `remove` and the end of the process remove it, except after a kill. A lock that ends with the process
 * shows `removeLeftOvers` which folders killed processes have left. With `endsInOrder` the process handles signals by itself, as a server does.
 */
export async function makePrivateFolder({ endsInOrder = false } = {}): Promise<PrivateFolder> {
  const outer = await mkdtemp(join(tmpdir(), PREFIX));
  const lock = await holdFolder(outer);
  const folder = join(outer, 'export');
  await mkdir(folder, { mode: PRIVATE_FOLDER });
  const removeNow = () => rmSync(outer, { recursive: true, force: true, maxRetries: 3 });
  const onSignal = (signal: NodeJS.Signals) => {
    removeNow();
    forget();
    // Ends the process with the exit code of the signal, as without this handler.
    process.kill(process.pid, signal);
  };
  const forget = () => {
    process.off('exit', removeNow);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on('exit', removeNow);
  if (!endsInOrder) for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    folder,
    async remove() {
      forget();
      await rm(outer, { recursive: true, force: true });
      await lock?.release();
    },
  };
}

/** Removes the folders that killed processes of this user have left. */
export async function removeLeftOvers(now = Date.now()): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((one) => one.startsWith(PREFIX))) {
    const outer = join(tmpdir(), name);
    const found = await lstat(outer).catch(() => undefined);
    if (!found?.isDirectory() || now - found.mtimeMs < LEFT_OVER_MS) continue;
    if (process.getuid !== undefined && found.uid !== process.getuid()) continue;
    const lock = await holdFolder(outer);
    if (!lock) continue;
    await rm(outer, { recursive: true, force: true });
    await lock.release();
  }
}
