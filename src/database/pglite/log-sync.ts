import { closeSync, fsync, fsyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { messageOf } from '../../lib/errors.ts';
import { DatabaseUnavailable } from '../database.ts';

const sync = promisify(fsync);

/** The means to write a file through to the disk. */
export type SyncFile = { later(file: number): Promise<void>; now(file: number): void };

const OF_SYSTEM: SyncFile = { later: (file) => sync(file), now: (file) => fsyncSync(file) };

/**
 * Writes the log of the embedded database through to the disk beside the work of the engine. The engine asks for it with each commit and
 * goes on at once; who commits, and who reads meanwhile, waits for `settled`. Commits that come during a write to the disk share the next
 * one. Before anything else of the database is written, `now` has to be called: the log must be on the disk first.
 */
export class LogSync {
  readonly #files: SyncFile;
  /** The files of the log with records that are to be written through. */
  #asked = new Set<string>();
  /** Those of them that are being written through. */
  #underWay: ReadonlySet<string> = new Set();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Files that this process has opened by itself: the engine closes its own while they are being written through. */
  readonly #open = new Map<string, number>();
  #failure: DatabaseUnavailable | undefined;

  constructor(files: SyncFile = OF_SYSTEM) {
    this.#files = files;
  }

  /** False when all of the log is on the disk. */
  get isPending(): boolean {
    return this.#asked.size > 0 || this.#running !== undefined || this.#failure !== undefined;
  }

  /** The engine asks for a file of the log to be written through. */
  ask(path: string): void {
    this.#asked.add(path);
  }

  /** Writes through at once what was asked for and is not on the disk for certain. Throws DatabaseUnavailable when that fails. */
  now(): void {
    this.requireWorking();
    const paths = [...this.#underWay, ...this.#asked];
    try {
      for (const path of new Set(paths)) this.#files.now(this.#fileOf(path));
    } catch (error) {
      throw this.#failed(error);
    }
    this.#underWay = new Set();
    this.#asked = new Set();
    if (!this.#running) this.#closeBut(paths.at(-1));
  }

  /** Waits until all that was asked for before the call is on the disk. Throws DatabaseUnavailable when that has failed. */
  async settled(): Promise<void> {
    this.requireWorking();
    if (this.#asked.size === 0) return this.#running;
    this.#next ??= this.#begin(this.#running);
    return this.#next;
  }

  /**
   * Throws DatabaseUnavailable once a write to the disk has failed: the system may have dropped the records, and says so only once, so
   * that nothing is certain until the database is opened again.
   */
  requireWorking(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Ends the use of the files. */
  async close(): Promise<void> {
    await this.#running?.catch(() => {});
    this.#closeBut(undefined);
  }

  async #begin(earlier: Promise<void> | undefined): Promise<void> {
    await earlier;
    this.#next = undefined;
    this.#underWay = this.#asked;
    this.#asked = new Set();
    this.#running = this.#write([...this.#underWay]);
    return this.#running;
  }

  async #write(paths: readonly string[]): Promise<void> {
    try {
      for (const path of paths) await this.#files.later(this.#fileOf(path));
    } catch (error) {
      throw this.#failed(error);
    } finally {
      this.#underWay = new Set();
      this.#running = undefined;
      this.#closeBut(paths.at(-1));
    }
  }

  #fileOf(path: string): number {
    // Windows writes through only what may be written to.
    const file = this.#open.get(path) ?? openSync(path, 'r+');
    this.#open.set(path, file);
    return file;
  }

  /** Closes all files but the last of the log, which is most often the next one. */
  #closeBut(last: string | undefined): void {
    for (const [path, file] of this.#open) {
      if (path === last) continue;
      this.#open.delete(path);
      closeSync(file);
    }
  }

  #failed(error: unknown): DatabaseUnavailable {
    this.#failure ??= new DatabaseUnavailable(
      `The log of the embedded database could not be written to the disk: ${messageOf(error)}. Whether the last changes are stored is unknown. Restart the server when the disk works again.`,
      error,
    );
    return this.#failure;
  }
}
