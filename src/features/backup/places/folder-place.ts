import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileStores } from '#core';
import { messageOf } from '#lib/errors';
import { DAY_MS } from '#lib/time/milliseconds';
import { BackupRefused } from '../format.ts';
import type { Place, PlacedFile } from './place.ts';

/** Modes of files and folders, which contain hashes of passwords, keys and unpublished content. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** The folder of files that are being written. */
const UNFINISHED = 'unfinished';
const MAX_UNFINISHED_MS = DAY_MS;

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (fileStores.isNoSuchFile(error)) return undefined;
    throw error;
  }
}

/** The files of a folder and those below, by name. */
async function* filesIn(folder: string, prefix: string): AsyncGenerator<PlacedFile> {
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  // In the order of keys a folder sorts by its name with a slash.
  const keyOf = (entry: (typeof entries)[number]) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  for (const entry of entries.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, `${prefix}${entry.name}/`);
    else {
      const file = await unlessMissing(stat(path));
      if (file) yield { key: prefix + entry.name, size: file.size };
    }
  }
}

/** Removes files that a killed process was writing. */
async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = await unlessMissing(stat(join(folder, name)));
    if (file && Date.now() - file.mtimeMs > MAX_UNFINISHED_MS) await rm(join(folder, name), { force: true });
  }
}

/** Opens a folder for backups; `write` makes it. Throws BackupRefused when it cannot be used. */
export async function openFolderPlace(name: string, { write }: { write: boolean }): Promise<Place> {
  const root = resolve(name);
  const temporary = join(root, UNFINISHED);
  const pathOf = (key: string): string => join(root, ...key.split('/'));
  try {
    if (write) {
      await mkdir(temporary, { recursive: true, mode: PRIVATE_FOLDER });
      await removeStale(temporary);
    } else await readdir(root);
  } catch (error) {
    throw new BackupRefused(`The folder ${name} cannot be ${write ? 'written' : 'read'}: ${messageOf(error)}`);
  }
  return {
    label: root,
    async put(key, source: Readable) {
      const path = join(temporary, randomUUID());
      try {
        await pipeline(source, createWriteStream(path, { mode: PRIVATE_FILE, flags: 'wx', flush: true }));
        const target = pathOf(key);
        await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
        await rename(path, target);
        for (let folder = dirname(target); folder.length >= root.length; folder = dirname(folder))
          await fileStores.syncFolder(folder);
      } finally {
        await rm(path, { force: true });
      }
    },
    async open(key) {
      return (await unlessMissing(open(pathOf(key), 'r')))?.createReadStream();
    },
    size: async (key) => (await unlessMissing(stat(pathOf(key))))?.size,
    list: (prefix) => filesIn(pathOf(prefix.slice(0, -1)), prefix),
    async remove(key) {
      await rm(pathOf(key), { force: true });
      // Folders that have become empty go as well; the others stay.
      for (let folder = dirname(pathOf(key)); folder.length > root.length; folder = dirname(folder)) {
        try {
          await rmdir(folder);
        } catch {
          return;
        }
      }
    },
  };
}
