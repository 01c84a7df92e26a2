import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RangeNotSatisfiable } from '../lib/errors.ts';
import { blobPath, derivedPath, isBlobHash } from './blob-hash.ts';
import { BlobSpool, isNoSuchFile } from './blob-spool.ts';
import type { BlobInfo, BlobStore, ByteRange, OpenDerived } from './blob-store.ts';
import { BlobMissing } from './blob-store.ts';
import { checkBlobStore } from './check-blob-store.ts';

/**
 * Blobs as files in a folder, `ab/cd/<hash>`. A file gets its name only when it is complete and on the disk, so
 * whatever has a name is whole. Several processes may share the folder.
 */
export class FileBlobStore implements BlobStore {
  readonly kind = 'filesystem';
  readonly #dir: string;
  readonly #spool: BlobSpool;

  private constructor(dir: string, spool: BlobSpool) {
    this.#dir = dir;
    this.#spool = spool;
  }

  /** Opens the store in this folder, which is made when it is not there, and clears what crashes left in it. */
  static async open(dir: string): Promise<FileBlobStore> {
    // Inside the store, so that renaming never crosses from one file system to another.
    return new FileBlobStore(dir, await BlobSpool.open(join(dir, 'tmp')));
  }

  async put(source: Readable | Uint8Array): Promise<BlobInfo> {
    return this.#spool.through(source, async (path, info) => {
      const target = join(this.#dir, blobPath(info.hash));
      if ((await this.size(info.hash)) === undefined) {
        await mkdir(dirname(target), { recursive: true });
        await rename(path, target);
      }
      // For known bytes too: the put that wrote them may not have come so far yet.
      await this.#syncFoldersOf(target);
      return info;
    });
  }

  async open(hash: string, range?: ByteRange): Promise<Readable> {
    const file = await openIfThere(join(this.#dir, blobPath(hash)));
    if (!file) throw new BlobMissing(hash);
    if (!range) return file.createReadStream();
    const { size } = await file.stat();
    if (range.start < size) return file.createReadStream(range);
    await file.close();
    throw new RangeNotSatisfiable(size);
  }

  async size(hash: string): Promise<number | undefined> {
    if (!isBlobHash(hash)) return undefined;
    try {
      return (await stat(join(this.#dir, blobPath(hash)))).size;
    } catch (error) {
      if (isNoSuchFile(error)) return undefined;
      throw error;
    }
  }

  async remove(hash: string): Promise<void> {
    if (!isBlobHash(hash)) return;
    await rm(join(this.#dir, blobPath(hash)), { force: true });
    await rm(join(this.#dir, derivedPath(hash)), { recursive: true, force: true });
  }

  async putDerived(hash: string, name: string, bytes: Uint8Array): Promise<void> {
    const target = join(this.#dir, derivedPath(hash, name));
    await this.#spool.through(bytes, async (path) => {
      await mkdir(dirname(target), { recursive: true });
      await rename(path, target);
    });
  }

  async openDerived(hash: string, name: string): Promise<OpenDerived | undefined> {
    const file = await openIfThere(join(this.#dir, derivedPath(hash, name)));
    if (!file) return undefined;
    const { size } = await file.stat();
    return { stream: file.createReadStream(), size };
  }

  async check(): Promise<void> {
    await checkBlobStore(this);
  }

  /** A new name is on the disk only when its folder is flushed, and that one's name when its parent is. */
  async #syncFoldersOf(target: string): Promise<void> {
    // Windows cannot open a folder; NTFS journals names itself.
    if (process.platform === 'win32') return;
    for (const folder of [dirname(target), dirname(dirname(target)), this.#dir]) {
      const handle = await open(folder, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
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
