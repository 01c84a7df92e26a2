import { availableParallelism } from 'node:os';
import type { Sharp } from 'sharp';
import { createWorkQueue } from '../../../lib/process/work-queue.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type Box, type Cut, fitInside, regionText, type Size, sizeOfCut } from './image-scales.ts';
import { loadDecoder, MAX_PIXELS, withLocalCopy } from './read-image.ts';

/** Formats that scales keep, because every browser shows them. */
const KEPT: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/**
 * The media type of the scales of a picture of this type, without parameters. An SVG drawing is its own scale; TIFF becomes JPEG, and an unknown type
 * PNG, which is lossless.
 */
export function scaleMediaType(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (KEPT.has(type) || type === 'image/svg+xml') return type;
  return type === 'image/tiff' ? 'image/jpeg' : 'image/png';
}

/** Formats in which many pictures are smaller, the smallest first. */
export const SMALLER_FORMATS = ['image/avif', 'image/webp'] as const;
export type SmallerFormat = (typeof SMALLER_FORMATS)[number];

/** At most two pictures at a time, to leave threads for files and passwords, and 500 waiting. */
const queue = createWorkQueue({
  concurrency: Math.min(2, availableParallelism()),
  maxWaiting: 500,
  refusal: 'Too many pictures are being scaled at present.',
  retryAfter: 5,
});

/** AVIF takes ten times as long as other formats: if not needed, one picture at a time, so that it does not delay others. */
const spareQueue = createWorkQueue({
  concurrency: 1,
  maxWaiting: 10,
  refusal: 'Too many pictures are being written as AVIF at present.',
  retryAfter: 10,
});

/** Quality from 1 to 100 of the formats that have one, by media type. */
export type Qualities = Readonly<Record<'image/jpeg' | 'image/webp' | 'image/avif', number>>;

/** Plone's quality of JPEG; the other formats look the same at lower values. */
export const DEFAULT_QUALITIES: Qualities = { 'image/jpeg': 88, 'image/webp': 80, 'image/avif': 60 };

/** Higher efforts take many seconds for a large scale. */
const AVIF_EFFORT = 2;

/** Recipe of a scale: the part of the picture, its box, the media type of the result, and the quality of each format. */
export type Recipe = Cut & { mediaType: string; qualities?: Qualities | undefined };

function qualityOf({ mediaType, qualities = DEFAULT_QUALITIES }: Recipe): number | undefined {
  return isWithQuality(mediaType) ? qualities[mediaType] : undefined;
}

const isWithQuality = (mediaType: string): mediaType is keyof Qualities => Object.hasOwn(DEFAULT_QUALITIES, mediaType);

/** The name under which the scale is stored beside its original, the same for the same recipe. */
export function scaleName(recipe: Recipe): string {
  const { box, region, mediaType } = recipe;
  const quality = qualityOf(recipe);
  const parts = [
    `scale-${box.join('x')}`,
    ...(region ? [`c${regionText(region)}`] : []),
    ...(quality !== undefined && quality !== qualityOf({ ...recipe, qualities: undefined }) ? [`q${quality}`] : []),
  ];
  return `${parts.join('-')}.${mediaType.replace(/^.*\//, '').replace('+xml', '')}`;
}

/**
 * Makes a scale of the picture in the blob: inside the box and never enlarged, turned by its EXIF data, without metadata, an animation with all its
 * frames unless these have more than MAX_PIXELS. Undefined when the picture cannot be decoded, for drawings, and for an animation in a format without
 * animations. Throws TooManyRequests when too many pictures wait, BlobMissing for a missing blob.
 */
export async function makeScale(blobs: BlobStore, hash: string, recipe: Recipe): Promise<Buffer | undefined> {
  return queue.run(async () => withLocalCopy(await blobs.open(hash), (path) => scaled(path, recipe)));
}

/** Scales a picture to fit inside a box and stores it as a file of its own. Returns the picture itself if it fits or cannot be scaled. */
export async function scaleToFit<Picture extends { hash: string; 'content-type': string } & Partial<Size>>(
  blobs: BlobStore,
  picture: Picture,
  box: Box,
): Promise<Picture> {
  const { width = 0, height = 0, 'content-type': contentType } = picture;
  if (width <= box[0] && height <= box[1]) return picture;
  const mediaType = scaleMediaType(contentType);
  const bytes = await makeScale(blobs, picture.hash, { box, mediaType });
  if (!bytes) return picture;
  return { ...picture, ...fitInside({ width, height }, box), ...(await blobs.put(bytes)), 'content-type': mediaType };
}

/** Makes an optional scale: throws TooManyRequests when more than a few slow scales wait. */
export const makeSpareScale: typeof makeScale = (blobs, hash, recipe) =>
  recipe.mediaType === 'image/avif'
    ? spareQueue.run(() => makeScale(blobs, hash, recipe))
    : makeScale(blobs, hash, recipe);

/** The bytes of the scale, or undefined when the decoder cannot read the picture: a result here, not a fault. */
async function scaled(path: string, recipe: Recipe): Promise<Buffer | undefined> {
  const { mediaType, region } = recipe;
  const readImage = await loadDecoder();
  try {
    const { width, height, pages = 1, autoOrient } = await readImage(path).metadata();
    const moves = mediaType === 'image/gif' || mediaType === 'image/webp';
    if (pages > 1 && mediaType === 'image/avif') return undefined;
    const image = readImage(path, {
      animated: pages > 1 && moves && width * height * pages <= MAX_PIXELS,
    }).autoOrient();
    // The exact size that the representation has; the decoder would round in its own way.
    const size = sizeOfCut(autoOrient, recipe);
    const part = region ? image.extract(region) : image;
    return await encoded(part.resize({ ...size, fit: 'fill' }), mediaType, qualityOf(recipe)).toBuffer();
  } catch {
    return undefined;
  }
}

function encoded(image: Sharp, mediaType: string, quality = 100): Sharp {
  switch (mediaType) {
    case 'image/jpeg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true });
    case 'image/webp':
      return image.webp({ quality });
    case 'image/gif':
      return image.gif();
    case 'image/avif':
      return image.avif({ quality, effort: AVIF_EFFORT });
    default:
      return image.png();
  }
}
