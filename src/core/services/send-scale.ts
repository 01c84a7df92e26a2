import { pipeline, type Readable, Transform } from 'node:stream';
import { type StaticDecode, Type } from 'typebox';
import { acceptedByName } from '../../lib/http/accept.ts';
import { type ByteRange, etagMatches } from '../../lib/http/http-headers.ts';
import { extensionFor } from '../../lib/http/media-type.ts';
import { siteQualities, smallerFormats } from '../configuration/panels/content.ts';
import { type Cut, regionText } from '../files/images/image-scales.ts';
import { type SmallerFormat, scaleMediaType } from '../files/images/make-scale.ts';
import { type OpenPicture, openScale, openSmallestScale } from '../files/images/open-scale.ts';
import { headerOf } from './content/represent-path.ts';
import {
  cacheControl,
  canonicalLink,
  DispositionQuery,
  dispositionOf,
  type FILE_RESPONSES,
  type FoundFile,
  mediaTypeOf,
  requestedPart,
} from './files.ts';
import type { ResultOf } from './response.ts';
import { Choice } from './schemas.ts';
import { notFoundHere, type RequestContext } from './service.ts';
import { VERSION_PARAMETER } from './versions.ts';

/** Names of the formats that can be asked for. */
const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const;

/** The query of a request for a picture. */
export const PictureQuery = Type.Object({
  ...DispositionQuery.properties,
  ...VERSION_PARAMETER,
  width: Type.Optional(
    Type.Integer({
      description: 'Width in pixels of a scale without a name: one that the site has configured.',
      minimum: 1,
      maximum: 10_000,
    }),
  ),
  format: Type.Optional(
    Choice([...FORMATS], {
      description: 'Format of a scale: its own, or one of the smaller formats that the site has configured.',
    }),
  ),
});

/** A request for a picture: by the name of its field, perhaps with a scale, or by a file name with the hash of the bytes. */
export type PictureRequest = RequestContext<
  { field: string; scale?: string },
  StaticDecode<typeof PictureQuery>,
  object
>;

/**
 * Meaning of an address of `@@images`: the original or a scale of the picture; `forever` when the address contains the hash of the
 * bytes.
 */
export type FoundPicture = FoundFile & { cut: Cut | 'original'; forever: boolean };

/** Other formats that a picture of this type may be sent in; drawings and GIF pictures have no other format. */
export function otherFormats({ site }: PictureRequest, scaleType: string): SmallerFormat[] {
  if (scaleType === 'image/svg+xml' || scaleType === 'image/gif') return [];
  return smallerFormats(site).filter((type) => type !== scaleType);
}

/** The name of the original with the extension of the scale's type. */
function scaleName(filename: string, contentType: string): string {
  const extension = extensionFor(contentType, filename);
  if (filename.toLowerCase().endsWith(`.${extension}`)) return filename;
  return `${filename.replace(/\.[a-z0-9]{1,10}$/i, '')}.${extension}`;
}

/** A part of a stream. The bytes before and behind the part are read, too, because scales are small. */
function partOf(stream: Readable, { start, end }: ByteRange): Readable {
  let at = 0;
  const cut = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
      at += chunk.length;
      done(null, part);
    },
  });
  // The reader of the part gets the error, and both streams end together.
  return pipeline(stream, cut, () => {});
}

/** `requestedPart` of a scale, whose stream is closed when there is no such part. */
function requestedScalePart(
  context: PictureRequest,
  etag: string,
  { size, stream }: OpenPicture,
): ReturnType<typeof requestedPart> {
  try {
    return requestedPart(context, etag, size);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/**
 * Sends a scale, or the requested part of it. The first request makes the scale. Pages contain addresses with a hash, so a browser shows such a
 * picture (Plone); other addresses are downloads (specification). Without the parameter `format` a client gets the scale in another accepted format
 * if that is smaller.
 */
export async function sendScale(
  context: PictureRequest,
  { field, file, open, until, forever }: FoundPicture,
  cut: Cut,
): Promise<ResultOf<typeof FILE_RESPONSES>> {
  const { site, query, kernel } = context;
  const { blobs } = kernel;
  const contentType = mediaTypeOf(file);
  const scaleType = scaleMediaType(contentType);
  const others = query.format === undefined ? otherFormats(context, scaleType) : [];
  const accepted = acceptedByName(headerOf(context, 'accept'), others);
  const ownType = query.format === undefined ? scaleType : `image/${query.format}`;
  const qualities = siteQualities(site);
  const etagOf = (type: string): string => {
    const quality = Object.entries(qualities).find(([format]) => format === type)?.[1] ?? '';
    return `"${[file.hash, cut.box.join('x'), regionText(cut.region) ?? '', type, quality].join('-')}"`;
  };
  const shared = {
    'Cache-Control': cacheControl(open, forever, until),
    Link: canonicalLink(context, field),
    ...(others.length > 0 ? { Vary: 'Accept' } : {}),
  };
  // The client may get the scale in any of these formats, so any of them that it has is still valid.
  const known = [...accepted, ownType].map(etagOf).find((tag) => etagMatches(headerOf(context, 'if-none-match'), tag));
  if (known !== undefined) return { status: 304, headers: { ...shared, ETag: known } };
  const request = { blobs, hash: file.hash, contentType, cut, qualities };
  const scale =
    query.format === undefined
      ? await openSmallestScale(request, accepted)
      : await openScale({ ...request, format: ownType });
  if (!scale) throw notFoundHere(context, '@@images');
  if (scale.isProvisional) context.noCache?.();
  const etag = etagOf(scale.contentType);
  const { status, headers, part } = requestedScalePart(context, etag, scale);
  return {
    status,
    headers: {
      ...shared,
      ...headers,
      ETag: etag,
      'Content-Disposition': dispositionOf(
        forever || query.disposition === 'inline',
        scale.contentType,
        scaleName(file.filename, scale.contentType),
      ),
    },
    contentType: scale.contentType,
    stream: part ? partOf(scale.stream, part) : scale.stream,
  };
}
