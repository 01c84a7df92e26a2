import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp, { type Sharp } from 'sharp';

/**
 * Writes the stream to a temporary file and hands its path to `work`: a decoder reads a file piece by piece, but holds
 * a whole stream in memory. The file is gone afterwards. Rejects when the stream fails.
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
 * Pictures with more pixels, over all frames of an animation, are not decoded: 128 megapixels take half a gigabyte
 * in memory, and a file of some kilobytes can claim any size.
 */
export const MAX_PIXELS = 2 ** 27;

/** Seconds after which work on one picture is given up. */
const TIME_LIMIT = 60;

// One thread a picture: the work queue decides how many are worked on at a time.
sharp.concurrency(1);
// libvips keeps files open and results in memory by their path, which here is a temporary file of a single use.
sharp.cache(false);
// Readers of rare formats are where the holes are; SVG in particular could read other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** Opens a picture (bytes, or the path of a file), bounded in pixels and time; damaged ones are read as far as possible. */
export function readImage(input: Buffer | string, { animated = false } = {}): Sharp {
  return sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'none', animated }).timeout({ seconds: TIME_LIMIT });
}
