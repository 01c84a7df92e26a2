import type { Readable } from 'node:stream';
import { TooManyRequests } from '../../../lib/errors.ts';
import { BlobMissing, type BlobStore, type OpenDerived } from '../blobs/blob-store.ts';
import type { Cut } from './image-scales.ts';
import {
  makeScale,
  makeSpareScale,
  type Qualities,
  type Recipe,
  type SmallerFormat,
  scaleMediaType,
  scaleName,
} from './make-scale.ts';

/**
 * The parts of the name of a picture in `@@images/<name>`; `width` is in pixels, 0 for one that was not measured, `region` the
 * part of the picture that a scale shows, if that is not all.
 */
export type ScaleFileName = { field: string; width: number; hash: string; region?: string; ext: string };

const NAME = /^([A-Za-z0-9_.-]{1,200})-(\d{1,6})-([0-9a-f]{64})(?:-(\d{1,6}(?:\.\d{1,6}){3}))?\.([a-z0-9]{1,10})$/;

/**
 * The last segment of the address of a picture or of one of its scales, `image-400-<hash>.png`, or
 * `image-400-<hash>-0.0.600.400.png` for a part. It changes with the bytes, so what it names may be cached for ever. `width`
 * is the one that comes out, `hash` that of the original blob.
 */
export function scaleFileName({ field, width, hash, region, ext }: ScaleFileName): string {
  return `${field}-${Math.max(0, width)}-${hash}${region === undefined ? '' : `-${region}`}.${ext}`;
}

/**
 * Returns the parts of such a name; undefined for other names (it may be the name of a field then). The hash comes from the client:
 * the caller must compare it with the hash in the field. Otherwise the hash alone would give access to any blob.
 */
export function parseScaleFileName(name: string): ScaleFileName | undefined {
  const [, field, width, hash, region, ext] = NAME.exec(name) ?? [];
  if (field === undefined || width === undefined || hash === undefined || ext === undefined) return undefined;
  return { field, width: Number(width), hash, ...(region === undefined ? {} : { region }), ext };
}

/** A picture ready to be sent; `size` is in bytes. The caller reads or destroys the stream. */
export type OpenPicture = { stream: Readable; size: number; contentType: string };

/**
 * Which picture: the blob and type of the original, and the scale; without one the original itself. `format` is the media type
 * of the scale where it is not to be that of the original.
 */
export type PictureRequest = {
  blobs: BlobStore;
  hash: string;
  contentType: string;
  cut?: Cut;
  format?: string | undefined;
  qualities?: Qualities | undefined;
};

type MakeScale = (blobs: BlobStore, hash: string, recipe: Recipe) => Promise<Uint8Array | undefined>;

/** Scales in the making, so that clients who ask for one at the same time wait for the same work. */
const inTheMaking = new WeakMap<BlobStore, Map<string, Promise<boolean>>>();

/**
 * Opens a picture or its scale, which is made at the first request and kept in the blob store. An SVG drawing is its
 * own scale. Undefined when the original cannot be decoded: there is no scale of it then (404).
 * Throws TooManyRequests when too many pictures wait to be scaled, BlobMissing when there is no such blob.
 * The caller has checked that this user may see the content the blob belongs to.
 */
export async function openScale({
  blobs,
  hash,
  contentType,
  cut,
  format,
  qualities,
}: PictureRequest): Promise<OpenPicture | undefined> {
  const scaleType = scaleMediaType(contentType);
  if (!cut || scaleType === 'image/svg+xml') return openOriginal(blobs, hash, contentType);
  const recipe = { ...cut, mediaType: format ?? scaleType, qualities };
  const scale = await openOrMake(blobs, hash, { name: scaleName(recipe), recipe, make: makeScale });
  return scale && { ...scale, contentType: recipe.mediaType };
}

/**
 * Opens the scale in the first of the formats in which it is smaller than in its own, and in its own otherwise, as `openScale`
 * does. A format that would take long is left out while many wait for it.
 */
export async function openSmallestScale(
  request: PictureRequest & { cut: Cut },
  formats: readonly SmallerFormat[],
): Promise<OpenPicture | undefined> {
  for (const format of formats) {
    const smaller = await openSmaller(request, format);
    if (smaller) return smaller;
  }
  return openScale(request);
}

/** The scale in a format, unless it is no smaller: that is kept as an empty one, lest it is found out anew each time. */
async function openSmaller(
  request: PictureRequest & { cut: Cut },
  mediaType: SmallerFormat,
): Promise<OpenPicture | undefined> {
  const { blobs, hash, cut, qualities } = request;
  const recipe = { ...cut, mediaType, qualities };
  const make: MakeScale = async () => {
    const own = await openScale(request);
    own?.stream.destroy();
    const bytes = own && (await makeSpareScale(blobs, hash, recipe));
    return own && bytes && bytes.length < own.size ? bytes : new Uint8Array();
  };
  try {
    const scale = await openOrMake(blobs, hash, { name: `smaller-${scaleName(recipe)}`, recipe, make });
    if (scale && scale.size > 0) return { ...scale, contentType: mediaType };
    scale?.stream.destroy();
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
  }
  return undefined;
}

async function openOriginal(blobs: BlobStore, hash: string, contentType: string): Promise<OpenPicture> {
  const size = await blobs.size(hash);
  if (size === undefined) throw new BlobMissing(hash);
  return { stream: await blobs.open(hash), size, contentType };
}

type Making = { name: string; recipe: Recipe; make: MakeScale };

async function openOrMake(blobs: BlobStore, hash: string, making: Making): Promise<OpenDerived | undefined> {
  const kept = await blobs.openDerived(hash, making.name);
  if (kept) return kept;
  return (await makeOnce(blobs, hash, making)) ? blobs.openDerived(hash, making.name) : undefined;
}

async function makeOnce(blobs: BlobStore, hash: string, { name, recipe, make }: Making): Promise<boolean> {
  const making = inTheMaking.get(blobs.store) ?? new Map<string, Promise<boolean>>();
  inTheMaking.set(blobs.store, making);
  const key = `${hash}/${name}`;
  const begun = making.get(key);
  if (begun) return begun;
  const work = makeAndKeep();
  making.set(key, work);
  try {
    return await work;
  } finally {
    making.delete(key);
  }

  async function makeAndKeep(): Promise<boolean> {
    const bytes = await make(blobs, hash, recipe);
    if (bytes) await blobs.putDerived(hash, name, bytes);
    return bytes !== undefined;
  }
}
