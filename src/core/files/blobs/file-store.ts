import type { Stats } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RangeNotSatisfiable } from '../../../lib/errors.ts';
import {
  ASIDE,
  asidePath,
  type BlobInfo,
  BlobMissing,
  type BlobStore,
  type ByteRange,
  blobPath,
  checkBlobStore,
  derivedPath,
  isBlobHash,
  type ListedBlob,
  type OpenDerived,
} from './blob-store.ts';
import { FileUploadArea } from './file-upload-area.ts';
import { BlobSpool, isNoSuchFile, syncFolder } from './spool.ts';
import type { UploadArea } from './upload-area.ts';

/**
 * Blobs as files in a folder, `ab/cd/<hash>`. A file gets its name only when it is complete and on the disk, so every named file is complete. Several
 * processes may share the folder.
 */
export class FileBlobStore implements BlobStore {
  readonly kind = 'filesystem';
  readonly store = this;
  readonly uploads: UploadArea;
  readonly #dir: string;
  readonly #spool: BlobSpool;

  private constructor(dir: string, spool: BlobSpool) {
    this.#dir = dir;
    this.#spool = spool;
    this.uploads = new FileUploadArea(join(dir, 'uploads'), (source) => this.put(source));
  }

  /** Opens the store in this folder, which is made if missing, and removes files that crashes left in it. */
  static async open(dir: string): Promise<FileBlobStore> {
    // The spool is inside the store, so that files are never moved between file systems.
    return new FileBlobStore(dir, await BlobSpool.open(join(dir, 'tmp')));
  }

  async put(source: Readable | Uint8Array): Promise<BlobInfo> {
    return this.#spool.through(source, async (path, info) => {
      const target = join(this.#dir, blobPath(info.hash));
      if (!(await isRenewed(target))) await moveTo(path, target);
      // Known bytes also need this: another `put` may have written them without flushing the folders yet.
      await this.#syncFoldersOf(target);
      return info;
    });
  }

  async open(hash: string, range?: ByteRange): Promise<Readable> {
    const file = await this.#find(hash, openIfThere);
    if (!file) throw new BlobMissing(hash);
    if (!range) return file.createReadStream();
    const { size } = await file.stat();
    if (range.start < size) return file.createReadStream(range);
    await file.close();
    throw new RangeNotSatisfiable(size);
  }

  async size(hash: string): Promise<number | undefined> {
    return isBlobHash(hash) ? (await this.#find(hash, statIfThere))?.size : undefined;
  }

  async remove(hash: string): Promise<void> {
    if (!isBlobHash(hash)) return;
    await rm(join(this.#dir, blobPath(hash)), { force: true });
    await this.discard(hash);
  }

  async putDerived(hash: string, name: string, bytes: Uint8Array): Promise<void> {
    const target = join(this.#dir, derivedPath(hash, name));
    await this.#spool.through(bytes, (path) => moveTo(path, target));
  }

  async openDerived(hash: string, name: string): Promise<OpenDerived | undefined> {
    const file = await openIfThere(join(this.#dir, derivedPath(hash, name)));
    if (!file) return undefined;
    const { size } = await file.stat();
    return { stream: file.createReadStream(), size };
  }

  list(): AsyncIterable<ListedBlob> {
    return listBlobFiles(this.#dir, ({ mtimeMs }) => mtimeMs);
  }

  async setAside(hash: string, since: Date): Promise<boolean> {
    const [path, aside] = [join(this.#dir, blobPath(hash)), join(this.#dir, asidePath(hash))];
    if (!(await isMoved(path, aside))) return false;
    // A blob that is set aside cannot be renewed: a concurrent write either renewed it before the move, or stores it anew.
    const file = await statIfThere(aside);
    if (file && file.mtime < since) return isRenewed(aside);
    await isMoved(aside, path);
    return false;
  }

  listAside(): AsyncIterable<ListedBlob> {
    // Both times count: a crash may come between the move, which some file systems do not count as a change, and the change of the time.
    return listBlobFiles(join(this.#dir, ASIDE), ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs));
  }

  async takeBack(hash: string): Promise<void> {
    await isMoved(join(this.#dir, asidePath(hash)), join(this.#dir, blobPath(hash)));
  }

  async discard(hash: string): Promise<void> {
    await rm(join(this.#dir, asidePath(hash)), { force: true });
    await rm(join(this.#dir, derivedPath(hash)), { recursive: true, force: true });
  }

  async check(): Promise<void> {
    await checkBlobStore(this);
  }

  /** Looks for a blob in both places, more than once, because it may be moved between two looks. */
  async #find<T>(hash: string, look: (path: string) => Promise<T | undefined>): Promise<T | undefined> {
    const path = join(this.#dir, blobPath(hash));
    return (await look(path)) ?? (await look(join(this.#dir, asidePath(hash)))) ?? (await look(path));
  }

  /** A new name is on the disk only when its folder is flushed, and the name of this folder only when the parent folder is flushed. */
  async #syncFoldersOf(target: string): Promise<void> {
    for (const folder of [dirname(target), dirname(dirname(target)), this.#dir]) await syncFolder(folder);
  }
}

/** Moves a file to a path in a folder, which is made if missing. */
async function moveTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

/** Moves a file; returns false for a missing file. */
async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await moveTo(from, to);
    return true;
  } catch (error) {
    if (isNoSuchFile(error)) return false;
    throw error;
  }
}

/** Gives a file the present time, like a new one; returns false for a missing file. */
async function isRenewed(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (isNoSuchFile(error)) return false;
    throw error;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isNoSuchFile(error)) return undefined;
    throw error;
  }
}

/** The names of both levels of folders with blobs. */
const LEVEL = /^[0-9a-f]{2}$/;

/** Paths of the folders of one level, at most 256; none for a missing folder. */
async function levelIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => LEVEL.test(name)).map((name) => join(folder, name));
  } catch (error) {
    if (isNoSuchFile(error)) return [];
    throw error;
  }
}

/** Returns the state of a file; undefined for a missing file, because other processes remove and move files. */
async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isNoSuchFile(error)) return undefined;
    throw error;
  }
}

/** The blobs in a folder, `ab/cd/<hash>`, one by one; `since` chooses the time of a file that counts, in milliseconds. */
async function* listBlobFiles(dir: string, since: (file: Stats) => number): AsyncGenerator<ListedBlob> {
  for (const first of await levelIn(dir))
    for (const second of await levelIn(first))
      for await (const { name: hash } of await opendir(second)) {
        const file = isBlobHash(hash) ? await statIfThere(join(second, hash)) : undefined;
        if (file) yield { hash, size: file.size, since: new Date(since(file)) };
      }
}
