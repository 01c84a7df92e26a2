import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Error, type S3mini, S3ServiceError, type UploadPart } from 's3mini';
import { OutsideFailure } from '../../../lib/http/outside-service.ts';
import { isBlobHash, type ListedBlob } from './blob-store.ts';

/** Maximum number of objects that S3 lists in one response. */
const PAGE = 1000;
/** First folders of blobs, so that other objects under the prefix are not listed. */
const FIRST_FOLDERS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The blobs under a prefix, `<prefix>ab/cd/<hash>`, as the service lists them. */
export async function* listBlobObjects(client: S3mini, prefix: string): AsyncGenerator<ListedBlob> {
  for (const folder of FIRST_FOLDERS) {
    let next: string | undefined;
    do {
      const page = await client.listObjectsPaged('/', `${prefix}${folder}/`, PAGE, next);
      if (!page) throw new Error('The bucket of the blobs is not there');
      for (const { Key: key, Size: size, LastModified: since } of page.objects ?? []) {
        const hash = key.slice(key.lastIndexOf('/') + 1);
        if (isBlobHash(hash)) yield { hash, size, since };
      }
      next = page.nextContinuationToken;
    } while (next !== undefined);
  }
}

/** Bytes of one request, and thus of memory of one upload: S3 requires at least 5 MiB for all parts except the last. */
const PART_SIZE = 8 * 1024 * 1024;
/** S3 takes at most this many parts. */
const MAX_PARTS = 10_000;
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
/** The media type of every object; the real type of a blob is stored in the content that refers to it. */
export const BLOB_TYPE = 'application/octet-stream';

/**
 * Uploads a file of `size` bytes under the key, holding one part at a time in memory; a file of several parts is visible only when it is complete. A
 * failing request is tried three times; then the uploaded parts are removed.
 */
export async function uploadFile(client: S3mini, key: string, path: string, size: number): Promise<void> {
  const file = await open(path, 'r');
  try {
    if (size > PART_SIZE) return await uploadParts(client, key, file, size);
    const bytes = await readPart(file, 0, size);
    await persistently(() => client.putObject(key, bytes, BLOB_TYPE));
  } finally {
    await file.close();
  }
}

// s3mini can cut a stream into parts itself, but there the failure of one part can end as an unhandled rejection,
// which ends the process.
async function uploadParts(client: S3mini, key: string, file: FileHandle, size: number): Promise<void> {
  const partSize = Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS));
  const uploadId = await persistently(() => client.getMultipartUploadId(key, BLOB_TYPE));
  try {
    const parts: UploadPart[] = [];
    for (let from = 0; from < size; from += partSize) {
      const bytes = await readPart(file, from, Math.min(partSize, size - from));
      parts.push(await persistently(() => client.uploadPart(key, uploadId, bytes, parts.length + 1)));
    }
    await client.completeMultipartUpload(key, uploadId, parts);
  } catch (error) {
    await abandon(client, key, uploadId, error);
  }
}

/** Removes the parts, for which the bucket's owner would otherwise pay, and throws the cause. */
async function abandon(client: S3mini, key: string, uploadId: string, cause: unknown): Promise<never> {
  try {
    await client.abortMultipartUpload(key, uploadId);
  } catch (error) {
    throw new AggregateError([cause, error], 'The upload failed, and so did giving up its parts', { cause });
  }
  throw cause;
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) throw new Error('The file became shorter while it was uploaded');
    filled += bytesRead;
  }
  return bytes;
}

/** Says if a request got no response in time, or was not sent because earlier ones got none; s3mini wraps the cause in some calls. */
const isSilence = (error: unknown): boolean =>
  error instanceof OutsideFailure ? error.kind !== 'quick' : error instanceof S3Error && isSilence(error.cause);

/** Tries again after a pause when the service is overloaded or cuts the connection, not when it rejects the request or does not respond. */
export async function persistently<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      const refused = error instanceof S3ServiceError && error.status < 500;
      if (refused || isSilence(error) || attempt === ATTEMPTS) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** The response to a request; undefined for 404. */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** The bytes of a requested object. */
export function streamOf(response: Response): Readable {
  return response.body ? Readable.from(response.body, { objectMode: false }) : Readable.from([]);
}

/** The HTTP status with which the service rejected a request; s3mini wraps the error once in some calls. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof S3ServiceError) return error.status;
  return error instanceof Error && error.cause instanceof S3ServiceError ? error.cause.status : undefined;
}
