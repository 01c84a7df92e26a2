import type { Readable } from 'node:stream';
import { BlobMissing, type BlobStore } from '../storage/blobs/blob-store.ts';
import type { Box } from './image-scales.ts';
import { makeScale, scaleMediaType, scaleName } from './make-scale.ts';

/** The parts of the name of a picture in `@@images/<name>`; `width` is in pixels, 0 for one that was not measured. */
export type ScaleFileName = { field: string; width: number; hash: string; ext: string };

const NAME = /^([A-Za-z0-9_.-]{1,200})-(\d{1,6})-([0-9a-f]{64})\.([a-z0-9]{1,10})$/;

/**
 * The last segment of the address of a picture or of one of its scales, `image-400-<hash>.png`. It changes with the
 * bytes, so what it names may be cached for ever. `width` is the one that comes out, `hash` that of the original blob.
 */
export function scaleFileName(field: string, width: number, hash: string, ext: string): string {
  return `${field}-${Math.max(0, width)}-${hash}.${ext}`;
}

/**
 * The parts of such a name, or undefined when it is none (it may be the name of a field then). The hash is the client's
 * word: whoever serves it has to compare it with the one in the field, lest any blob is readable by its hash.
 */
export function parseScaleFileName(name: string): ScaleFileName | undefined {
  const [, field, width, hash, ext] = NAME.exec(name) ?? [];
  if (field === undefined || width === undefined || hash === undefined || ext === undefined) return undefined;
  return { field, width: Number(width), hash, ext };
}

/** A picture ready to be sent; `size` is in bytes. Whoever gets it reads or destroys the stream. */
export type OpenPicture = { stream: Readable; size: number; contentType: string };

/**
 * Which picture: the blob and type of the original, and the box and quality of the scale; without a box the original itself.
 */
export type PictureRequest = {
  blobs: BlobStore;
  hash: string;
  contentType: string;
  box?: Box;
  quality?: number | undefined;
};

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
  box,
  quality,
}: PictureRequest): Promise<OpenPicture | undefined> {
  const scaleType = scaleMediaType(contentType);
  if (!box || scaleType === 'image/svg+xml') return openOriginal(blobs, hash, contentType);
  const name = scaleName(box, contentType, quality);
  const kept = await blobs.openDerived(hash, name);
  if (kept) return { ...kept, contentType: scaleType };
  if (!(await makeOnce({ blobs, hash, contentType, box, quality }))) return undefined;
  const made = await blobs.openDerived(hash, name);
  return made && { ...made, contentType: scaleType };
}

async function openOriginal(blobs: BlobStore, hash: string, contentType: string): Promise<OpenPicture> {
  const size = await blobs.size(hash);
  if (size === undefined) throw new BlobMissing(hash);
  return { stream: await blobs.open(hash), size, contentType };
}

async function makeOnce({ blobs, hash, contentType, box, quality }: PictureRequest & { box: Box }): Promise<boolean> {
  const making = inTheMaking.get(blobs) ?? new Map<string, Promise<boolean>>();
  inTheMaking.set(blobs, making);
  const key = `${hash}/${scaleName(box, contentType, quality)}`;
  const begun = making.get(key);
  if (begun) return begun;
  const work = makeScale(blobs, hash, box, contentType, quality);
  making.set(key, work);
  try {
    return await work;
  } finally {
    making.delete(key);
  }
}
