import { constants, type Stats } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Milliseconds within which two changes of a file may have the same time on the coarsest file system. A file that changed this shortly before its
 * copy is copied again.
 */
const COARSE_MS = 2000;

/** The state of a file when it was copied. */
type Copied = { mtimeMs: number; size: number; at: number };

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The result of work on a file; undefined for a removed file. */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Copies a folder whose files may change meanwhile, in rounds: each round copies the files that have changed since the previous one, so that the last
 * round, during which the writer must pause, is short. Copies share blocks if the file system can.
 */
export class FolderCopy {
  readonly #from: string;
  readonly #to: string;
  readonly #copied = new Map<string, Copied>();

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** Brings the copy up to date. The copy is exact if nothing changed during the round. */
  async round(): Promise<void> {
    const present = new Set<string>();
    await this.#copyFolder('', present);
    for (const path of this.#copied.keys()) {
      if (present.has(path)) continue;
      await rm(join(this.#to, path), { force: true });
      this.#copied.delete(path);
    }
  }

  async #copyFolder(path: string, present: Set<string>): Promise<void> {
    await mkdir(join(this.#to, path), { recursive: true, mode: 0o700 });
    const entries = (await unlessGone(readdir(join(this.#from, path), { withFileTypes: true }))) ?? [];
    // Files are copied concurrently, because the process does other work between the steps of each copy. A folder of a database has some hundred
    // files.
    await Promise.all(
      entries.map(async (entry) => {
        const inner = join(path, entry.name);
        if (entry.isDirectory()) await this.#copyFolder(inner, present);
        else if (entry.isFile() && (await this.#copyFile(inner))) present.add(inner);
      }),
    );
  }

  /** Copies a file that has changed; returns false for a removed file. */
  async #copyFile(path: string): Promise<boolean> {
    const at = Date.now();
    const file = await unlessGone(stat(join(this.#from, path)));
    if (!file) return false;
    if (this.#isUnchanged(path, file)) return true;
    this.#copied.set(path, { mtimeMs: file.mtimeMs, size: file.size, at });
    const copied = copyFile(join(this.#from, path), join(this.#to, path), constants.COPYFILE_FICLONE);
    return (await unlessGone(copied.then(() => true))) ?? false;
  }

  #isUnchanged(path: string, { mtimeMs, size }: Stats): boolean {
    const copied = this.#copied.get(path);
    return copied?.mtimeMs === mtimeMs && copied.size === size && mtimeMs < copied.at - COARSE_MS;
  }
}
