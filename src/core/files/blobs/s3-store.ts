import type { Readable } from 'node:stream';
import { S3Error, S3mini } from 's3mini';
import { RangeNotSatisfiable } from '../../../lib/errors.ts';
import { OutsideFailure, OutsideService, type Patience } from '../../../lib/http/outside-service.ts';
import {
  ASIDE,
  asidePath,
  type BlobInfo,
  BlobMissing,
  type BlobStore,
  type ByteRange,
  blobPath,
  checkBlobStore,
  derivedPath,
  isBlobHash,
  type ListedBlob,
  type OpenDerived,
} from './blob-store.ts';
import { BLOB_TYPE, listBlobObjects, statusOf, streamOf, unlessMissing, uploadFile } from './s3-objects.ts';
import { S3UploadArea } from './s3-upload-area.ts';
import { BlobSpool } from './spool.ts';
import type { UploadArea } from './upload-area.ts';

/** The address of the bucket and the credentials. `prefix` is put before every key, so that sites can share a bucket. */
export type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  prefix?: string;
};

/** Its name in the log. */
const OBJECT_STORE = 'The object store';
/** Milliseconds until S3 begins to answer, and between two pieces of its answer. */
const SILENCE_MS = 10_000;
/** Bytes of an upload that a slow line sends in a millisecond. No response can come while an upload is sent. */
const SLOW_UPLOAD_BYTES_PER_MS = 200;
/** Milliseconds for copies inside of a bucket and for joining the parts of an upload: some services respond only at the end. */
const INSIDE_MS = 60_000;

/** Bytes of the largest object that S3 copies with one request. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;

/**
 * Blobs as objects `<prefix>/ab/cd/<hash>` of a bucket of S3 or a service like it, addressed by path. The account needs s3:GetObject, PutObject,
 * DeleteObject, AbortMultipartUpload and ListBucket: without ListBucket S3 returns 403 for missing objects. Several processes may share the bucket.
 */
export class S3BlobStore implements BlobStore {
  readonly kind = 's3';
  readonly store = this;
  readonly uploads: UploadArea;
  readonly #service = new OutsideService(OBJECT_STORE);
  readonly #client: S3mini;
  readonly #prefix: string;
  readonly #spool: BlobSpool;

  private constructor(settings: S3Settings, spool: BlobSpool) {
    this.#client = connectBucket(settings, this.#service);
    this.#prefix = prefixOf(settings);
    this.#spool = spool;
    this.uploads = new S3UploadArea(this.#client, this.#prefix, {
      put: (source) => this.put(source),
      adopt: (key, info) => this.#adopt(key, info),
    });
  }

  /**
   * Opens the store. No request is sent to the service yet, only by `check`. Uploads wait in `spoolDir`, which is made if missing, until their hash
   * is known. Throws a TypeError when the endpoint is no URL.
   */
  static async open(settings: S3Settings, spoolDir: string): Promise<S3BlobStore> {
    return new S3BlobStore(settings, await BlobSpool.open(spoolDir));
  }

  async put(source: Readable | Uint8Array): Promise<BlobInfo> {
    // The store is checked before the bytes are received.
    this.#service.rejectWhileResting();
    return this.#spool.through(source, async (path, info) => {
      const key = this.#key(blobPath(info.hash));
      if (!(await this.#isRenewed(key, info.size))) await uploadFile(this.#client, key, path, info.size);
      return info;
    });
  }

  async open(hash: string, range?: ByteRange): Promise<Readable> {
    try {
      // The end of s3mini's range is not included.
      const response = await this.#find(hash, (key) =>
        range ? this.#client.getObjectRaw(key, false, range.start, range.end + 1) : this.#client.getObjectRaw(key),
      );
      if (!response) throw new BlobMissing(hash);
      return streamOf(response);
    } catch (error) {
      if (statusOf(error) === 416) throw new RangeNotSatisfiable((await this.size(hash)) ?? 0);
      throw error;
    }
  }

  async size(hash: string): Promise<number | undefined> {
    return isBlobHash(hash) ? this.#find(hash, (key) => this.#client.getContentLength(key)) : undefined;
  }

  async remove(hash: string): Promise<void> {
    if (!isBlobHash(hash)) return;
    await this.#client.deleteObject(this.#key(blobPath(hash)));
    await this.discard(hash);
  }

  list(): AsyncIterable<ListedBlob> {
    return listBlobObjects(this.#client, this.#prefix);
  }

  async setAside(hash: string, since: Date): Promise<boolean> {
    const key = this.#key(blobPath(hash));
    const [found] = (await this.#client.listObjects('/', key, 1)) ?? [];
    if (found?.Key !== key || found.LastModified >= since || found.Size > MAX_COPY_BYTES) return false;
    // A write that renews the blob between these two requests finds it in its new place, like all readers.
    if (!(await this.#isCopied(key, this.#key(asidePath(hash))))) return false;
    await this.#client.deleteObject(key);
    return true;
  }

  listAside(): AsyncIterable<ListedBlob> {
    return listBlobObjects(this.#client, `${this.#prefix}${ASIDE}/`);
  }

  async takeBack(hash: string): Promise<void> {
    const aside = this.#key(asidePath(hash));
    if (await this.#isCopied(aside, this.#key(blobPath(hash)))) await this.#client.deleteObject(aside);
  }

  async discard(hash: string): Promise<void> {
    await this.#client.deleteObject(this.#key(asidePath(hash)));
    const derived = await this.#client.listObjects('/', this.#key(`${derivedPath(hash)}/`));
    for (const { Key: key } of derived ?? []) await this.#client.deleteObject(key);
  }

  async putDerived(hash: string, name: string, bytes: Uint8Array): Promise<void> {
    const key = this.#key(derivedPath(hash, name));
    await this.#spool.through(bytes, (path, { size }) => uploadFile(this.#client, key, path, size));
  }

  async openDerived(hash: string, name: string): Promise<OpenDerived | undefined> {
    const response = await unlessMissing(this.#client.getObjectRaw(this.#key(derivedPath(hash, name))));
    return response && { stream: streamOf(response), size: lengthOf(response) };
  }

  async check(): Promise<void> {
    await checkBlobStore(this);
  }

  #key(path: string): string {
    return `${this.#prefix}${path}`;
  }

  /** Looks for a blob in both places, more than once, because it may be moved between two looks. */
  async #find<T>(hash: string, look: (key: string) => Promise<T>): Promise<T | undefined> {
    const key = this.#key(blobPath(hash));
    return (
      (await unlessMissing(look(key))) ??
      (await unlessMissing(look(this.#key(asidePath(hash))))) ??
      (await unlessMissing(look(key)))
    );
  }

  /** Copies an object, also onto itself; returns false for a missing object. The copy has the time of a new object. */
  async #isCopied(from: string, to: string): Promise<boolean> {
    const copied = this.#client.copyObject(from, to, { metadataDirective: 'REPLACE', contentType: BLOB_TYPE });
    return (await unlessMissing(copied)) !== undefined;
  }

  /** Makes a blob of another object in the bucket; returns false when the object is too large to be copied. */
  async #adopt(from: string, { hash, size }: BlobInfo): Promise<boolean> {
    if (size > MAX_COPY_BYTES) return false;
    const key = this.#key(blobPath(hash));
    return (await this.#isRenewed(key, size)) || this.#isCopied(from, key);
  }

  /** Gives an object the present time, like a new one; returns false when the object is missing, or must be uploaded for that. */
  async #isRenewed(key: string, size: number): Promise<boolean> {
    if (size > MAX_COPY_BYTES || !(await this.#client.objectExists(key))) return false;
    return this.#isCopied(key, key);
  }
}

/** A client of the bucket. */
export function connectBucket(settings: S3Settings, service = new OutsideService(OBJECT_STORE)): S3mini {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  const address = new URL(endpoint);
  address.pathname = `${address.pathname.split('/').filter(Boolean).concat(bucket).join('/')}`;
  return new S3mini({ endpoint: address.href, region, accessKeyId, secretAccessKey, fetch: fetchIdentity(service) });
}

/** The beginning of all keys, with a slash at its end; empty without a prefix. */
export const prefixOf = ({ prefix = '' }: S3Settings): string =>
  prefix
    .split('/')
    .filter(Boolean)
    .map((segment) => `${segment}/`)
    .join('');

/** Maximum duration of a request to S3. Sending a body counts, because its progress is unknown. */
function patienceOf({ method = 'GET', headers, body }: RequestInit): Patience {
  const isInside =
    new Headers(headers).has('x-amz-copy-source') || (method === 'POST' && typeof body === 'string' && body !== '');
  const bytes = body instanceof Uint8Array ? body.byteLength : 0;
  const answerMs = isInside ? INSIDE_MS : SILENCE_MS + Math.ceil(bytes / SLOW_UPLOAD_BYTES_PER_MS);
  return { answerMs, silenceMs: isInside ? INSIDE_MS : SILENCE_MS };
}

/** Requests of S3. `fetch` asks for compressed responses by default; then the received length is not the length of the blob. */
const fetchIdentity =
  (service: OutsideService): typeof fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    return service.fetch(input, { ...init, headers }, patienceOf(init));
  };

function lengthOf(response: Response): number {
  const length = response.headers.get('content-length');
  if (length === null) throw new Error('The S3 service does not tell the length of an object');
  return Number(length);
}

/** Says if an error means that the object store could not be reached or refused its work. */
export const isS3Failure = (error: unknown): boolean =>
  error instanceof S3Error || (error instanceof OutsideFailure && error.service.name === OBJECT_STORE);
