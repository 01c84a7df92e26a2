import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Kernel } from '#core';

/**
 * Random bytes in front of a file in its blob. They give the blob an address that no content has, so that it can be removed as soon as nothing
 * needs it any more.
 */
const PREFIX_BYTES = 32;

type Blobs = Pick<Kernel, 'blobs'>;

/** A stored file: its blob, and its size without the prefix. */
export type PrivateBlob = { blob: string; bytes: number };

/** Stores the bytes of a file behind a prefix. Nothing is left behind when `source` fails. */
export async function storePrivately({ blobs }: Blobs, source: AsyncIterable<Buffer>): Promise<PrivateBlob> {
  async function* prefixed(): AsyncGenerator<Buffer> {
    yield randomBytes(PREFIX_BYTES);
    yield* source;
  }
  const { hash, size } = await blobs.put(Readable.from(prefixed(), { objectMode: false }));
  return { blob: hash, bytes: size - PREFIX_BYTES };
}

/** Opens a stored file, or its bytes from `start` to `end`. Throws BlobMissing when the store has lost it. */
export const openPrivately = (
  { blobs }: Blobs,
  { blob, bytes }: PrivateBlob,
  { start, end } = { start: 0, end: bytes - 1 },
): Promise<Readable> => blobs.open(blob, { start: PREFIX_BYTES + start, end: PREFIX_BYTES + end });
