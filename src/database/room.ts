import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
/**
 * Bytes of a disk that writes leave free, because the embedded database writes changed pages, maps of its tables and its log also during reads. The
 * log grows in steps of 16 MiB.
 */
const MIN_FREE_BYTES = 48 * MEBIBYTE;
/** Bytes of a reserve file that is removed when other programs have filled the disk, so that reading goes on. */
const RESERVE_BYTES = 24 * MEBIBYTE;
/** Free bytes below which the reserve file is removed. */
const LOW_BYTES = 24 * MEBIBYTE;
/** Milliseconds for which a measurement of the free space is used. */
const SEEN_MS = 250;
/** Free bytes with which the measurement is used, because writes take far less in that time. */
const AMPLE_BYTES = 1024 * MEBIBYTE;

/** The error for missing space, in the form of the file system. */
class NoRoom extends Error {
  readonly code = 'ENOSPC';
}

/**
 * The room on the disk of a folder. Writes are rejected before the disk is full: a database that cannot write pages can no longer read once its
 * memory is full of changed pages.
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
