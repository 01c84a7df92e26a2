import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { S3mini } from 's3mini';
import type { BlobInfo } from './blob-store.ts';
import { BLOB_TYPE, persistently, statusOf, streamOf, unlessMissing } from './s3-objects.ts';
import {
  checkedUploadId,
  isUploadId,
  MIN_PART_BYTES,
  type NewPart,
  type StagedUpload,
  type UploadArea,
  UploadGone,
  type UploadPart,
} from './upload-area.ts';

/** The prefix of the tags of parts that are objects of their own, because S3 takes no parts smaller than MIN_PART_BYTES. */
const SMALL = 'small:';

/** Functions of the store to which this area belongs. */
type BlobSide = {
  put(source: Readable | Uint8Array): Promise<BlobInfo>;
  /** Makes a blob of an object with these bytes. Returns false when S3 cannot copy so large an object. */
  adopt(key: string, info: BlobInfo): Promise<boolean>;
};

/**
 * Parts of uploads as S3's own multipart uploads of an object `uploads/<id>`. A part that is too small for S3 is an object `uploads/<id>/<random>`,
 * until more bytes come. The whole object is read once for its hash and copied inside the bucket.
 */
export class S3UploadArea implements UploadArea {
  readonly #client: S3mini;
  readonly #prefix: string;
  readonly #blobs: BlobSide;

  /** `prefix` is the prefix of the site in the bucket. */
  constructor(client: S3mini, prefix: string, blobs: BlobSide) {
    this.#client = client;
    this.#prefix = `${prefix}uploads/`;
    this.#blobs = blobs;
  }

  async begin(id: string, length: number): Promise<string> {
    const key = this.#key(id);
    return length >= MIN_PART_BYTES ? persistently(() => this.#client.getMultipartUploadId(key, BLOB_TYPE)) : '';
  }

  async put(upload: StagedUpload, { number, bytes }: NewPart): Promise<UploadPart> {
    const size = bytes.length;
    if (size < MIN_PART_BYTES) {
      const tag = SMALL + randomUUID();
      await persistently(() => this.#client.putObject(this.#smallKey(upload.id, tag), bytes, BLOB_TYPE));
      return { number, size, tag };
    }
    const { etag } = await this.#orGone(upload, () =>
      this.#client.uploadPart(this.#key(upload.id), upload.handle, bytes, number),
    );
    return { number, size, tag: etag };
  }

  async read(upload: StagedUpload, { tag }: UploadPart): Promise<Buffer> {
    const object = await this.#orGone(upload, () => this.#client.getObjectRaw(this.#smallKey(upload.id, tag)));
    return Buffer.from(await object.arrayBuffer());
  }

  async finish(upload: StagedUpload, parts: readonly UploadPart[], last: NewPart): Promise<BlobInfo> {
    if (parts.length === 0) return this.#blobs.put(last.bytes);
    const key = this.#key(upload.id);
    const size = parts.reduce((sum, part) => sum + part.size, last.bytes.length);
    // An earlier request that failed later, or a concurrent one, may have completed the upload.
    const isWhole = async () => (await unlessMissing(this.#client.getContentLength(key))) === size;
    try {
      if (!(await isWhole())) await this.#complete(upload, parts, last);
    } catch (error) {
      if (!(await isWhole())) throw error;
    }
    const hash = createHash('sha256');
    for await (const chunk of streamOf(await this.#client.getObjectRaw(key))) hash.update(chunk);
    const info = { hash: hash.digest('hex'), size };
    if (await this.#blobs.adopt(key, info)) return info;
    return this.#blobs.put(streamOf(await this.#client.getObjectRaw(key)));
  }

  async discard({ id, handle }: StagedUpload): Promise<void> {
    const key = this.#key(id);
    if (handle !== '') await unlessMissing(this.#client.abortMultipartUpload(key, handle));
    const objects = (await this.#client.listObjects('/', key)) ?? [];
    for (const { Key: found } of objects) await this.#client.deleteObject(found);
  }

  async *list(before: Date): AsyncGenerator<string> {
    const stored = new Map<string, boolean>();
    for (const { Key: key, LastModified: since } of (await this.#client.listObjects('/', this.#prefix)) ?? []) {
      const id = key.slice(this.#prefix.length).split('/', 1)[0] ?? '';
      if (isUploadId(id)) stored.set(id, (stored.get(id) ?? true) && since < before);
    }
    for (const [id, isOld] of stored) if (isOld) yield id;
  }

  async #complete(upload: StagedUpload, parts: readonly UploadPart[], last: NewPart): Promise<void> {
    const key = this.#key(upload.id);
    const all = parts.map(({ number, tag }) => ({ partNumber: number, etag: tag }));
    const { bytes, number } = last;
    if (bytes.length > 0)
      all.push(await this.#orGone(upload, () => this.#client.uploadPart(key, upload.handle, bytes, number)));
    await this.#orGone(upload, () => this.#client.completeMultipartUpload(key, upload.handle, all));
  }

  /** Makes a request about a multipart upload; throws UploadGone if the upload no longer exists. */
  async #orGone<T>(upload: StagedUpload, request: () => Promise<T>): Promise<T> {
    try {
      return await persistently(request);
    } catch (error) {
      throw statusOf(error) === 404 ? new UploadGone(upload.id, error) : error;
    }
  }

  #key(id: string): string {
    return this.#prefix + checkedUploadId(id);
  }

  #smallKey(id: string, tag: string): string {
    return `${this.#key(id)}/${tag.slice(SMALL.length)}`;
  }
}
