import type { Stats } from 'node:fs';
import { opendir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlobHash } from './blob-hash.ts';
import { isNoSuchFile } from './blob-spool.ts';
import type { ListedBlob } from './blob-store.ts';

/** The two levels of folders that blobs lie in. */
const LEVEL = /^[0-9a-f]{2}$/;

/** Paths of the folders of one level, at most 256; none when the folder is not there. */
async function levelIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => LEVEL.test(name)).map((name) => join(folder, name));
  } catch (error) {
    if (isNoSuchFile(error)) return [];
    throw error;
  }
}

/** What a file is; undefined when it is gone, as others remove and move files meanwhile. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isNoSuchFile(error)) return undefined;
    throw error;
  }
}

/** The blobs in a folder, `ab/cd/<hash>`, as they are found; `since` says which of its times counts, in milliseconds. */
export async function* listBlobFiles(dir: string, since: (file: Stats) => number): AsyncGenerator<ListedBlob> {
  for (const first of await levelIn(dir))
    for (const second of await levelIn(first))
      for await (const { name: hash } of await opendir(second)) {
        const file = isBlobHash(hash) ? await statIfThere(join(second, hash)) : undefined;
        if (file) yield { hash, size: file.size, since: new Date(since(file)) };
      }
}
