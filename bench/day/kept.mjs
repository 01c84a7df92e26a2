import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDataDir } from '../../scripts/lib/server.mjs';

const run = promisify(execFile);

/**
 * Does some work in a folder unless it was done there with the same key; a file in the folder has the key. What was there under
 * another key is removed first. Returns the folder.
 */
export async function once(folder, key, work) {
  const mark = join(folder, 'done.txt');
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === key) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await work(folder);
  await writeFile(mark, key);
  return folder;
}

/** A copy of a folder with its owners, removed when this process ends. Others may look for files in it, as databases of other users do. */
export async function copyOf(folder) {
  const copy = await temporaryDataDir();
  await chmod(copy, 0o755);
  await run('cp', ['-a', '--reflink=auto', `${folder}/.`, copy]);
  return copy;
}
