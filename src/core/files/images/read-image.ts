import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes the stream to a temporary file and passes its path to `work`: a decoder reads a file piece by piece, but holds a whole stream in memory. The
 * file is removed afterwards. Rejects when the stream fails.
 */
export async function withLocalCopy<T>(source: Readable, work: (path: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'canopy-image-'));
  try {
    const path = join(dir, 'original');
    await pipeline(source, createWriteStream(path));
    return await work(path);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Maximum number of pixels, over all frames of an animation, of a picture that is decoded: 128 megapixels take half a gigabyte in memory, and a file
 * of some kilobytes can claim any size.
 */
export const MAX_PIXELS = 2 ** 27;

/** Loads the decoder of pictures with the first picture: the program starts faster without it, and many sites have no pictures. */
export const loadDecoder = async () => (await import('./decoder.ts')).readImage;
