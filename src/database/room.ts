import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
/**
 * Bytes of a disk that writes leave free: the embedded database writes changed pages, maps of its tables and its log while it
 * reads. The log grows by 16 MiB at once.
 */
const MIN_FREE_BYTES = 48 * MEBIBYTE;
/** Bytes of a file that is removed when others have filled the disk, so that reading goes on. */
const RESERVE_BYTES = 24 * MEBIBYTE;
/** Below this the reserve is given free. */
const LOW_BYTES = 24 * MEBIBYTE;
/** Milliseconds for which a measured free space is used: until then writes do not look again. */
const SEEN_MS = 250;
/** With this many bytes free nobody looks again at once: a write takes far less in that time. */
const AMPLE_BYTES = 1024 * MEBIBYTE;

/** There is no room left for a write, as the file system says it. */
class NoRoom extends Error {
  readonly code = 'ENOSPC';
}

/**
 * The room on the disk of a folder. Writes end before the disk is full: a database that cannot write a page cannot read either
 * once its memory is full of changed ones.
 */
export class Room {
  readonly #folder: string;
  #seen = Number.NEGATIVE_INFINITY;
  #free = 0;
  #isReleased = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get #reserve(): string {
    return join(this.#folder, 'reserve');
  }

  async #look(): Promise<number> {
    if (performance.now() - this.#seen < SEEN_MS && this.#free > AMPLE_BYTES) return this.#free;
    const { bavail, bsize } = await statfs(this.#folder);
    this.#free = bavail * bsize;
    this.#seen = performance.now();
    return this.#free;
  }

  /** Throws an error with the code ENOSPC unless there is room for writes of ordinary size. */
  async require(): Promise<void> {
    const free = await this.#look();
    if (free >= MIN_FREE_BYTES) {
      if (this.#isReleased) await this.keep();
      return;
    }
    if (free < LOW_BYTES) {
      await rm(this.#reserve, { force: true });
      this.#isReleased = true;
    }
    throw new NoRoom(`Less than ${MIN_FREE_BYTES / MEBIBYTE} MB are free on the disk of ${this.#folder}`);
  }

  /** Makes the reserve if the disk has room for it. */
  async keep(): Promise<void> {
    const kept = await stat(this.#reserve).catch(() => undefined);
    if (kept?.size !== RESERVE_BYTES) {
      if ((await this.#look()) < MIN_FREE_BYTES + RESERVE_BYTES) return;
      await writeFile(this.#reserve, Buffer.alloc(RESERVE_BYTES, 1));
    }
    this.#isReleased = false;
  }
}
