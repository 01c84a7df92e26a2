import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ExportRefused } from '../format.ts';
import { type ExportTarget, PRIVATE_FILE, PRIVATE_FOLDER } from './export-target.ts';

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new ExportRefused(`${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A folder, which is written under another name beside its place. Throws ExportRefused when the folder is not empty, or cannot be made. */
export async function openFolderTarget(name: string): Promise<ExportTarget> {
  const folder = resolve(name);
  const present = await namesIn(folder);
  if (present !== undefined && present.length > 0)
    throw new ExportRefused(`${name} is not empty. Name a new folder, or remove what is in it.`);
  const unfinished = `${folder}.unfinished`;
  const known = new Set<string>();
  const makeFolder = async (path: string) => {
    if (known.has(path)) return;
    await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
    // Exports have a folder for each object, and only the last folders are needed again.
    if (known.size >= 100) known.clear();
    known.add(path);
  };
  try {
    await rm(unfinished, { recursive: true, force: true });
    await makeFolder(unfinished);
  } catch (error) {
    throw new ExportRefused(`${name} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    async write(file, content) {
      const path = join(unfinished, ...file.split('/'));
      await makeFolder(dirname(path));
      await pipeline(Readable.from(content), createWriteStream(path, { mode: PRIVATE_FILE, flags: 'wx' }));
    },
    async finish() {
      if (present) await rmdir(folder);
      await rename(unfinished, folder);
    },
    discard: () => rm(unfinished, { recursive: true, force: true }),
  };
}
