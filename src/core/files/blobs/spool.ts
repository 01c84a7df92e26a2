import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Room } from '../../../database/room.ts';
import { DAY_MS } from '../../../lib/time/milliseconds.ts';
import type { BlobInfo } from './blob-store.ts';

/** Milliseconds after the last write to a temporary file; older files were left by a crash. */
const STALE_AFTER = DAY_MS;

/** Bytes after which a write checks the free space again. */
const LOOK_BYTES = 1024 * 1024;

/** A folder of temporary files in which bytes wait until their hash is known. */
export class BlobSpool {
  readonly #dir: string;
  readonly #room: Room;

  private constructor(dir: string) {
    this.#dir = dir;
    this.#room = new Room(dir);
  }

  /** Makes the folder and removes the files in it that a crash left more than a day ago. */
  static async open(dir: string): Promise<BlobSpool> {
    await mkdir(dir, { recursive: true });
    for (const name of await readdir(dir)) await removeWhenStale(join(dir, name));
    return new BlobSpool(dir);
  }

  /**
   * Writes the bytes to a temporary file, flushed to the disk, and passes its path to `use`, which may move the file. The file is removed afterwards
   * in any case. Rejects when the source fails.
   */
  async through<T>(source: Readable | Uint8Array, use: (path: string, info: BlobInfo) => Promise<T>): Promise<T> {
    const path = join(this.#dir, randomUUID());
    try {
      return await use(path, await write(source, path, this.#room));
    } finally {
      await rm(path, { force: true });
    }
  }
}

async function write(source: Readable | Uint8Array, path: string, room: Room): Promise<BlobInfo> {
  const chunks: AsyncIterable<unknown> | Iterable<unknown> = source instanceof Readable ? source : [source];
  const hash = createHash('sha256');
  let size = 0;
  let looked = Number.NEGATIVE_INFINITY;
  const file = await open(path, 'wx');
  try {
    for await (const chunk of chunks) {
      const bytes = bytesOf(chunk);
      if (size - looked >= LOOK_BYTES) {
        await room.require();
        looked = size;
      }
      hash.update(bytes);
      size += bytes.byteLength;
      await file.appendFile(bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { hash: hash.digest('hex'), size };
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === 'string') return Buffer.from(chunk);
  throw new TypeError('A blob is made of bytes');
}

async function removeWhenStale(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > STALE_AFTER) await rm(path, { force: true });
  } catch (error) {
    // Another process may remove the file between the listing and this check.
    if (!isNoSuchFile(error)) throw error;
  }
}

/** Says if a file system call failed because nothing exists at the path. */
export function isNoSuchFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Flushes a folder, because a new name in it is on the disk only then. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS itself journals names.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
