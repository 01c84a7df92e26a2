import { Readable } from 'node:stream';
import { S3mini, S3ServiceError } from 's3mini';
import { RangeNotSatisfiable } from '../lib/errors.ts';
import { blobPath, derivedPath, isBlobHash } from './blob-hash.ts';
import { BlobSpool } from './blob-spool.ts';
import type { BlobInfo, BlobStore, ByteRange, OpenDerived } from './blob-store.ts';
import { BlobMissing } from './blob-store.ts';
import { checkBlobStore } from './check-blob-store.ts';
import { uploadFile } from './s3-blob-upload.ts';

/** Where the bucket is and who asks. `prefix` is put before every key, so that sites can share a bucket. */
export type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  prefix?: string;
};

/**
 * Blobs as objects `<prefix>/ab/cd/<hash>` of a bucket of S3 or a service like it, addressed by path. The account
 * needs s3:GetObject, PutObject, DeleteObject, AbortMultipartUpload and ListBucket: without the last one S3 says 403
 * for what is not there. Several processes may share the bucket.
 */
export class S3BlobStore implements BlobStore {
  readonly kind = 's3';
  readonly #client: S3mini;
  readonly #prefix: string;
  readonly #spool: BlobSpool;

  private constructor(settings: S3Settings, spool: BlobSpool) {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix = '' } = settings;
    const address = new URL(endpoint);
    address.pathname = `${address.pathname.split('/').filter(Boolean).concat(bucket).join('/')}`;
    this.#client = new S3mini({ endpoint: address.href, region, accessKeyId, secretAccessKey, fetch: fetchIdentity });
    this.#prefix = prefix
      .split('/')
      .filter(Boolean)
      .map((segment) => `${segment}/`)
      .join('');
    this.#spool = spool;
  }

  /**
   * Opens the store. Nothing is asked of the service yet: `check` does that. Uploads wait in `spoolDir`, which is made
   * when it is not there, until their hash is known. Throws a TypeError when the endpoint is no URL.
   */
  static async open(settings: S3Settings, spoolDir: string): Promise<S3BlobStore> {
    return new S3BlobStore(settings, await BlobSpool.open(spoolDir));
  }

  async put(source: Readable | Uint8Array): Promise<BlobInfo> {
    return this.#spool.through(source, async (path, info) => {
      if ((await this.size(info.hash)) === undefined) {
        await uploadFile(this.#client, this.#key(blobPath(info.hash)), path, info.size);
      }
      return info;
    });
  }

  async open(hash: string, range?: ByteRange): Promise<Readable> {
    const key = this.#key(blobPath(hash));
    try {
      // The end of s3mini's range is not included.
      const response = range
        ? await this.#client.getObjectRaw(key, false, range.start, range.end + 1)
        : await this.#client.getObjectRaw(key);
      return streamOf(response);
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) throw new BlobMissing(hash);
      if (status === 416) throw new RangeNotSatisfiable((await this.size(hash)) ?? 0);
      throw error;
    }
  }

  async size(hash: string): Promise<number | undefined> {
    if (!isBlobHash(hash)) return undefined;
    try {
      return await this.#client.getContentLength(this.#key(blobPath(hash)));
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async remove(hash: string): Promise<void> {
    if (!isBlobHash(hash)) return;
    await this.#client.deleteObject(this.#key(blobPath(hash)));
    const derived = await this.#client.listObjects('/', this.#key(`${derivedPath(hash)}/`));
    for (const { Key: key } of derived ?? []) await this.#client.deleteObject(key);
  }

  async putDerived(hash: string, name: string, bytes: Uint8Array): Promise<void> {
    const key = this.#key(derivedPath(hash, name));
    await this.#spool.through(bytes, (path, { size }) => uploadFile(this.#client, key, path, size));
  }

  async openDerived(hash: string, name: string): Promise<OpenDerived | undefined> {
    try {
      const response = await this.#client.getObjectRaw(this.#key(derivedPath(hash, name)));
      const size = lengthOf(response);
      return { stream: streamOf(response), size };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async check(): Promise<void> {
    await checkBlobStore(this);
  }

  #key(path: string): string {
    return `${this.#prefix}${path}`;
  }
}

/** `fetch` asks for compressed answers of itself; then the length of what arrives is not the length of the blob. */
const fetchIdentity: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('accept-encoding', 'identity');
  return fetch(input, { ...init, headers });
};

function streamOf(response: Response): Readable {
  return response.body ? Readable.from(response.body, { objectMode: false }) : Readable.from([]);
}

function lengthOf(response: Response): number {
  const length = response.headers.get('content-length');
  if (length === null) throw new Error('The S3 service does not tell the length of an object');
  return Number(length);
}

/** The HTTP status with which the service refused; s3mini wraps it once in some calls. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof S3ServiceError) return error.status;
  return error instanceof Error && error.cause instanceof S3ServiceError ? error.cause.status : undefined;
}
