import type { Kernel, Queryable } from '#core';
import { BLOB_LIST, type BlobLine, blobFile } from './format.ts';
import { listBlobs, noteBlobs, openBlobList, placeBlob } from './statements/blobs.ts';
import type { ExportTarget } from './target/export-target.ts';

/** Maximum number of missing files that are named one by one. */
const MAX_NAMED = 200;

const HASH = /(?<![0-9A-Za-z_])[0-9a-f]{64}(?![0-9A-Za-z_])/g;

/** A file to write: its hash, and the name `place` for it, which belongs to `of`. */
type WantedFile = { hash: string; place: string; of: string };

/** The files of an export: present files beside their objects, and other files, such as those of old versions, in a folder of their own. */
export class ExportFiles {
  readonly #tx: Queryable;
  readonly #blobs: Kernel['blobs'];
  readonly #target: ExportTarget;
  /** Files that are not in the store, and the number of further ones. */
  readonly missing: string[] = [];
  missingCount = 0;
  count = 0;
  bytes = 0;

  private constructor(tx: Queryable, blobs: Kernel['blobs'], target: ExportTarget) {
    this.#tx = tx;
    this.#blobs = blobs;
    this.#target = target;
  }

  static async open(tx: Queryable, blobs: Kernel['blobs'], target: ExportTarget): Promise<ExportFiles> {
    await openBlobList(tx);
    return new ExportFiles(tx, blobs, target);
  }

  /** Notes the hashes in rows, which may belong to files: `writeRest` writes their bytes unless they are written before. */
  async note(rows: readonly string[]): Promise<void> {
    const hashes = new Set(rows.flatMap((row) => row.match(HASH) ?? []));
    if (hashes.size > 0) await noteBlobs(this.#tx, [...hashes]);
  }

  /** Writes a file. Reports a file that is not in the store, and returns false for it. */
  async write({ hash, place, of }: WantedFile): Promise<boolean> {
    const size = await this.#blobs.size(hash);
    if (size === undefined) {
      this.missingCount += 1;
      if (this.missing.length < MAX_NAMED) this.missing.push(`${of}: ${place.split('/').at(-1)}`);
      return false;
    }
    await this.#target.write(place, await this.#blobs.open(hash));
    await placeBlob(this.#tx, { hash, file: place, size });
    this.count += 1;
    this.bytes += size;
    return true;
  }

  /** Writes the files that no object has at present, such as those of versions. */
  async writeRest(): Promise<void> {
    for await (const { hash } of listBlobs(this.#tx, false)) {
      // Rows contain hashes of other things as well.
      if ((await this.#blobs.size(hash)) !== undefined)
        await this.write({ hash, place: blobFile(hash), of: 'versions' });
    }
  }

  /** Writes the list of all files by their hashes. Returns the number of files. */
  async writeList(): Promise<number> {
    let count = 0;
    const lines = async function* (tx: Queryable): AsyncGenerator<string> {
      for await (const { hash, file, size } of listBlobs(tx, true)) {
        if (file === null || size === null) continue;
        count += 1;
        const line: BlobLine = { hash, size, file };
        yield `${JSON.stringify(line)}\n`;
      }
    };
    await this.#target.write(BLOB_LIST, lines(this.#tx));
    return count;
  }
}
