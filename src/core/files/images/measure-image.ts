import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Metadata } from 'sharp';
import type { Size } from './image-scales.ts';
import { measureSvg } from './measure-svg.ts';
import { loadDecoder, withLocalCopy } from './read-image.ts';

/** Formats that can be measured. */
type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff' | 'svg';

/** Size in pixels of the picture as shown, turned by its EXIF data, and the format of its bytes. */
export type ImageMeasure = Size & { format: ImageFormat };

/** Number of first bytes that contain the root of an SVG document. */
const HEAD_LENGTH = 64 * 1024;
const RASTER_FORMATS: ReadonlySet<string> = new Set<ImageFormat>(['jpeg', 'png', 'webp', 'gif', 'tiff']);

/**
 * Measures a picture (bytes, a stream, or the path of a file) without decoding its pixels. Undefined for bytes that are not a
 * picture, and for a picture that is damaged or has more than MAX_PIXELS pixels. Rejects only when the source cannot be read.
 */
export async function measureImage(source: Buffer | Readable | string): Promise<ImageMeasure | undefined> {
  if (typeof source === 'string') return measure(source, await headOf(source));
  if (Buffer.isBuffer(source)) return measure(source, source.subarray(0, HEAD_LENGTH));
  return withLocalCopy(source, async (path) => measure(path, await headOf(path)));
}

async function measure(input: Buffer | string, head: Buffer): Promise<ImageMeasure | undefined> {
  const drawing = measureSvg(decoded(head));
  if (drawing) return { ...drawing, format: 'svg' };
  const metadata = await metadataOf(input);
  const format = metadata && formatOf(metadata);
  return metadata && format ? { ...metadata.autoOrient, format } : undefined;
}

/** Metadata as the decoder reads them, or undefined for bytes that it cannot read: a result here, not a fault. */
async function metadataOf(input: Buffer | string): Promise<Metadata | undefined> {
  const readImage = await loadDecoder();
  try {
    return await readImage(input).metadata();
  } catch {
    return undefined;
  }
}

/** HEIF is a container: of its contents only AV1, that is AVIF, can be decoded here. */
function formatOf({ format, compression }: Metadata): ImageFormat | undefined {
  if (format === 'heif') return compression === 'av1' ? 'avif' : undefined;
  return isRasterFormat(format) ? format : undefined;
}

function isRasterFormat(format: string): format is ImageFormat {
  return RASTER_FORMATS.has(format);
}

function decoded(head: Buffer): string {
  const utf16 = head[0] === 0xff && head[1] === 0xfe;
  return new TextDecoder(utf16 ? 'utf-16le' : 'utf-8').decode(head);
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
