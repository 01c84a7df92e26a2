import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobInfo } from './blob-store.ts';
import { isNoSuchFile, syncFolder } from './spool.ts';
import {
  checkedUploadId,
  isUploadId,
  type NewPart,
  type StagedUpload,
  type UploadArea,
  UploadGone,
  type UploadPart,
} from './upload-area.ts';

/** Parts of uploads as files `<id>/<number>-<random>` in a folder, which several processes may share. */
export class FileUploadArea implements UploadArea {
  readonly #dir: string;
  readonly #put: (source: Readable) => Promise<BlobInfo>;

  /** `put` stores a blob. */
  constructor(dir: string, put: (source: Readable) => Promise<BlobInfo>) {
    this.#dir = dir;
    this.#put = put;
  }

  async begin(id: string): Promise<string> {
    await mkdir(this.#folder(id), { recursive: true });
    return '';
  }

  async put(upload: StagedUpload, { number, bytes }: NewPart): Promise<UploadPart> {
    const tag = `${number}-${randomUUID()}`;
    try {
      const file = await open(join(this.#folder(upload.id), tag), 'wx');
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
      await syncFolder(this.#folder(upload.id));
    } catch (error) {
      throw isNoSuchFile(error) ? new UploadGone(upload.id, error) : error;
    }
    return { number, size: bytes.length, tag };
  }

  async read(upload: StagedUpload, part: UploadPart): Promise<Buffer> {
    try {
      return await readFile(join(this.#folder(upload.id), part.tag));
    } catch (error) {
      throw isNoSuchFile(error) ? new UploadGone(upload.id, error) : error;
    }
  }

  async finish(upload: StagedUpload, parts: readonly UploadPart[], last: NewPart): Promise<BlobInfo> {
    return this.#put(Readable.from(this.#bytes(upload, parts, last), { objectMode: false }));
  }

  async discard(upload: StagedUpload): Promise<void> {
    await rm(this.#folder(upload.id), { recursive: true, force: true });
  }

  async *list(before: Date): AsyncGenerator<string> {
    try {
      for (const id of (await readdir(this.#dir)).filter(isUploadId))
        if ((await stat(this.#folder(id))).mtime < before) yield id;
    } catch (error) {
      // The folder does not exist yet, or an upload ended meanwhile; the next run lists the rest.
      if (!isNoSuchFile(error)) throw error;
    }
  }

  #folder(id: string): string {
    return join(this.#dir, checkedUploadId(id));
  }

  async *#bytes(upload: StagedUpload, parts: readonly UploadPart[], last: NewPart): AsyncGenerator<Uint8Array> {
    for (const { tag } of parts) {
      try {
        yield* createReadStream(join(this.#folder(upload.id), tag), { highWaterMark: 256 * 1024 });
      } catch (error) {
        throw isNoSuchFile(error) ? new UploadGone(upload.id, error) : error;
      }
    }
    yield last.bytes;
  }
}
