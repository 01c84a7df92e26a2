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
 * The parts of the name of a picture in `@@images/<name>`; `width` is in pixels, 0 for a picture that was not measured; `region` is the shown part,
 * absent for the whole picture.
 */
export type ScaleFileName = { field: string; width: number; hash: string; region?: string; ext: string };

const NAME = /^([A-Za-z0-9_.-]{1,200})-(\d{1,6})-([0-9a-f]{64})(?:-(\d{1,6}(?:\.\d{1,6}){3}))?\.([a-z0-9]{1,10})$/;

/**
 * The last segment of the address of a picture or of one of its scales, `image-400-<hash>.png`, or `image-400-<hash>-0.0.600.400.png` for a part. It
 * changes with the bytes, so the response may be cached for ever. `width` is the width of the result, `hash` the hash of the original blob.
 */
export function scaleFileName({ field, width, hash, region, ext }: ScaleFileName): string {
  return `${field}-${Math.max(0, width)}-${hash}${region === undefined ? '' : `-${region}`}.${ext}`;
}

/**
 * Returns the parts of such a name; undefined for other names, such as names of fields. The hash comes from the client: the caller must compare it
 * with the hash in the field. Otherwise the hash alone would give access to any blob.
 */
export function parseScaleFileName(name: string): ScaleFileName | undefined {
  const [, field, width, hash, region, ext] = NAME.exec(name) ?? [];
  if (field === undefined || width === undefined || hash === undefined || ext === undefined) return undefined;
  return { field, width: Number(width), hash, ...(region === undefined ? {} : { region }), ext };
}

/**
 * A picture ready to be sent; `size` is in bytes. It is provisional if a smaller format could not be made now, but may be made later. The caller reads
 * or destroys the stream.
 */
export type OpenPicture = { stream: Readable; size: number; contentType: string; isProvisional?: boolean };

/**
 * A request for a picture: the blob and type of the original, and the scale; without a scale the original itself. `format` is the media type of the
 * scale if it differs from that of the original.
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

/** Scales in the making, so that concurrent requests for the same scale wait for the same work. */
const inTheMaking = new WeakMap<BlobStore, Map<string, Promise<boolean>>>();

/**
 * Opens a picture or its scale, which is made at the first request and stored in the blob store. An SVG drawing is its own scale. Undefined when the
 * original cannot be decoded, so that it has no scale (404). Throws TooManyRequests when too many pictures wait to be scaled, BlobMissing for a
 * missing blob. The caller must check that the user may see the content of the blob.
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
 * Opens the scale in the first of the formats in which it is smaller than in its own format, else in its own, as `openScale` does. A slow format is
 * left out while many scales wait for it.
 */
export async function openSmallestScale(
  request: PictureRequest & { cut: Cut },
  formats: readonly SmallerFormat[],
): Promise<OpenPicture | undefined> {
  let isProvisional = false;
  for (const format of formats) {
    try {
      const smaller = await openSmaller(request, format);
      if (smaller) return { ...smaller, isProvisional };
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      isProvisional = true;
    }
  }
  const own = await openScale(request);
  return own && { ...own, isProvisional };
}

/** The scale in a format if that is smaller. A scale that is not smaller is stored as an empty file, so that it is not made again. */
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
  const scale = await openOrMake(blobs, hash, { name: `smaller-${scaleName(recipe)}`, recipe, make });
  if (scale && scale.size > 0) return { ...scale, contentType: mediaType };
  scale?.stream.destroy();
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
