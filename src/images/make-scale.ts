import { availableParallelism } from 'node:os';
import type { Sharp } from 'sharp';
import { createWorkQueue } from '../lib/work-queue.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import { type Box, fitInside } from './image-scales.ts';
import { MAX_PIXELS, readImage, withLocalCopy } from './read-image.ts';

/** Formats that scales keep: those that every browser shows. */
const KEPT: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/**
 * The media type of the scales of a picture of this type, without parameters. An SVG drawing is its own scale; TIFF
 * becomes JPEG, and what is known as no picture PNG, which loses nothing.
 */
export function scaleMediaType(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (KEPT.has(type) || type === 'image/svg+xml') return type;
  return type === 'image/tiff' ? 'image/jpeg' : 'image/png';
}

/** At most two pictures at a time, to leave threads for files and passwords, and 500 waiting. */
const queue = createWorkQueue({
  concurrency: Math.min(2, availableParallelism()),
  maxWaiting: 500,
  refusal: 'Too many pictures are being scaled at present.',
  retryAfter: 5,
});

/** Plone's quality of scales, from 1 to 100. */
const DEFAULT_QUALITY = 88;
/** AVIF looks alike at far lower figures; its slower efforts take many seconds for a large scale. */
const AVIF_OPTIONS = { quality: 60, effort: 2 };

/** Formats whose quality can be chosen. */
const WITH_QUALITY: ReadonlySet<string> = new Set(['image/jpeg', 'image/webp']);

/** Under what name the scale of this box is kept beside its original: the same for the same work. */
export function scaleName([width, height]: Box, contentType: string, quality = DEFAULT_QUALITY): string {
  const other = quality !== DEFAULT_QUALITY && WITH_QUALITY.has(scaleMediaType(contentType)) ? `-q${quality}` : '';
  return `scale-${width}x${height}${other}.${scaleMediaType(contentType).replace(/^.*\//, '').replace('+xml', '')}`;
}

/**
 * Makes a scale of the picture in the blob, as JPEG and WebP of the given quality: inside the box and never enlarged, turned as its EXIF data ask, without
 * metadata, an animation with all its frames unless that is more than MAX_PIXELS. Keeps it in the blob store under
 * `scaleName`. Returns false when the picture cannot be decoded. SVG is not scaled: false.
 * Throws TooManyRequests when too many pictures wait, BlobMissing when there is no such blob.
 */
export async function makeScale(
  blobs: BlobStore,
  hash: string,
  box: Box,
  contentType: string,
  quality = DEFAULT_QUALITY,
): Promise<boolean> {
  const bytes = await queue.run(async () =>
    withLocalCopy(await blobs.open(hash), (path) => scaled(path, box, scaleMediaType(contentType), quality)),
  );
  if (!bytes) return false;
  await blobs.putDerived(hash, scaleName(box, contentType, quality), bytes);
  return true;
}

/** The bytes of the scale, or undefined when the decoder cannot read the picture: a result here, not a fault. */
async function scaled(path: string, box: Box, mediaType: string, quality: number): Promise<Buffer | undefined> {
  try {
    const { width, height, pages = 1, autoOrient } = await readImage(path).metadata();
    const animated = pages > 1 && (mediaType === 'image/gif' || mediaType === 'image/webp');
    const image = readImage(path, { animated: animated && width * height * pages <= MAX_PIXELS });
    // The exact size, as it was promised in the representation: the decoder rounds in its own way.
    const size = fitInside(autoOrient, box);
    return await encoded(image.autoOrient().resize({ ...size, fit: 'fill' }), mediaType, quality).toBuffer();
  } catch {
    return undefined;
  }
}

function encoded(image: Sharp, mediaType: string, quality: number): Sharp {
  switch (mediaType) {
    case 'image/jpeg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true });
    case 'image/webp':
      return image.webp({ quality });
    case 'image/gif':
      return image.gif();
    case 'image/avif':
      return image.avif(AVIF_OPTIONS);
    default:
      return image.png();
  }
}
