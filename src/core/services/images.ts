import { pipeline, type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type StaticDecode, Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { acceptsByName } from '../../lib/http/accept.ts';
import { type ByteRange, etagMatches } from '../../lib/http/http-headers.ts';
import { extensionFor } from '../../lib/http/media-type.ts';
import { isRequestedWidth, siteQualities, siteScales, smallerFormats } from '../configuration/panels/content.ts';
import { type Cut, cutFor, cutForWidth, regionText, sizeOfCut, UNLIMITED } from '../files/images/image-scales.ts';
import { SMALLER_FORMATS, type SmallerFormat, scaleMediaType } from '../files/images/make-scale.ts';
import { type OpenPicture, openScale, openSmallestScale, parseScaleFileName } from '../files/images/open-scale.ts';
import type { MarkedPicture } from '../files/images/picture-marks.ts';
import { VIEW } from '../security/permissions.ts';
import type { StoredFile } from '../types/field-kind.ts';
import { headerOf } from './content/represent-path.ts';
import {
  cacheControl,
  canonicalLink,
  DispositionQuery,
  dispositionOf,
  FILE_RESPONSES,
  type FoundFile,
  findFile,
  mediaTypeOf,
  requestedPart,
  sendFile,
} from './files.ts';
import type { ResultOf } from './response.ts';
import { Choice } from './schemas.ts';
import { defineService, notFoundHere, type RequestContext, type Service } from './service.ts';
import { atRequestedVersion, VERSION_PARAMETER } from './versions.ts';

/** Names of the formats that can be asked for. */
const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const;

const PictureQuery = Type.Object({
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
type PictureRequest = RequestContext<{ field: string; scale?: string }, StaticDecode<typeof PictureQuery>, object>;

/**
 * Meaning of an address of `@@images`: the original or a scale of the picture; `forever` when the address contains the hash of the
 * bytes.
 */
type FoundPicture = FoundFile & { cut: Cut | 'original'; forever: boolean };

const pictureOf = (file: StoredFile): MarkedPicture => ({
  ...file,
  width: file.width ?? -1,
  height: file.height ?? -1,
});

/** The picture that a name with a hash means; undefined when the name does not have that form. */
function byFileName(context: PictureRequest, name: string): FoundPicture | undefined {
  const parts = parseScaleFileName(name);
  if (!parts) return undefined;
  const found = findFile(context, '@@images', parts.field, { images: true });
  // Clients may send any hash; only the hash of the picture in the field is served.
  const cut =
    parts.hash === found.file.hash ? cutForWidth(pictureOf(found.file), parts, siteScales(context.site)) : undefined;
  if (!cut) throw notFoundHere(context, '@@images');
  return { ...found, cut, forever: true };
}

/** A scale that would not be smaller than the picture is the picture itself. */
function smallerCut(picture: MarkedPicture, cut: Cut): Cut | 'original' {
  return picture.width > 0 && !cut.region && sizeOfCut(picture, cut).width === picture.width ? 'original' : cut;
}

/** Returns the cut that the address asks for; throws NotFound for a scale that the site does not have. */
function cutOf(context: PictureRequest, picture: MarkedPicture): Cut | 'original' {
  const { params, query, site } = context;
  if (params.scale !== undefined) {
    const scales = siteScales(site);
    const box = Object.hasOwn(scales, params.scale) ? scales[params.scale] : undefined;
    if (!box) throw notFoundHere(context, '@@images');
    return smallerCut(picture, cutFor(picture, params.scale, box));
  }
  return query.width === undefined ? 'original' : smallerCut(picture, { box: [query.width, UNLIMITED] });
}

/** The picture behind `@@images`: `<field>`, `<field>/<scale>` or `<field>-<width>-<hash>.<ext>`. Throws NotFound. */
function findPicture(context: PictureRequest): FoundPicture {
  const { field, scale } = context.params;
  const named = scale === undefined ? byFileName(context, field) : undefined;
  if (named) return named;
  const found = findFile(context, '@@images', field, { images: true });
  return { ...found, cut: cutOf(context, pictureOf(found.file)), forever: false };
}

/** Other formats that a picture of this type may be sent in; drawings and GIF pictures have no other format. */
function otherFormats({ site }: PictureRequest, scaleType: string): SmallerFormat[] {
  if (scaleType === 'image/svg+xml' || scaleType === 'image/gif') return [];
  return smallerFormats(site).filter((type) => type !== scaleType);
}

/**
 * Throws BadRequest for a width or a format that the site has not configured: the server makes and stores a picture for each, so clients must not
 * choose their number.
 */
function checkQuery(context: PictureRequest, { file, forever }: FoundPicture): void {
  const { params, query, site } = context;
  const { width, format } = query;
  if (width === undefined && format === undefined) return;
  if (forever || (width !== undefined && params.scale !== undefined))
    throw new BadRequest(
      'The address names a scale already: leave out the width, and the format of an address with a hash.',
    );
  if (width === undefined && params.scale === undefined)
    throw new BadRequest('A format needs a scale: name one in the address, or send a width as well.');
  if (width !== undefined && !isRequestedWidth(site, width))
    throw new BadRequest(`Pictures of the width ${width} are not configured: use that of a scale, or have it added.`);
  const scaleType = scaleMediaType(mediaTypeOf(file));
  const types = [scaleType, ...otherFormats(context, scaleType)];
  if (format !== undefined && !types.includes(`image/${format}`))
    throw new BadRequest(
      `The format must be one of ${types.map((type) => type.slice('image/'.length)).join(', ')} here.`,
    );
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
async function sendScale(
  context: PictureRequest,
  { field, file, open, until, forever }: FoundPicture,
  cut: Cut,
): Promise<ResultOf<typeof FILE_RESPONSES>> {
  const { site, query, kernel } = context;
  const { blobs } = kernel;
  const contentType = mediaTypeOf(file);
  const scaleType = scaleMediaType(contentType);
  const others = query.format === undefined ? otherFormats(context, scaleType) : [];
  const accepted = others.filter((type) => acceptsByName(headerOf(context, 'accept'), type));
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

/** Largest picture in bytes that is read at once, so that it may be cached with its response. */
const MAX_WHOLE_BYTES = 128 * 1024;

type PictureResponse = ResultOf<typeof FILE_RESPONSES>;

/** The response with the bytes of a small whole picture, which may be cached, instead of their stream. */
async function withSmallPicture(response: PictureResponse): Promise<PictureResponse> {
  if (response.status !== 200 || !('stream' in response)) return response;
  const { stream, ...rest } = response;
  return Number(rest.headers?.['Content-Length']) > MAX_WHOLE_BYTES
    ? response
    : { ...rest, bytes: await buffer(stream) };
}

/** The picture that an address means, or its scale. */
function sendPicture(context: PictureRequest, found: FoundPicture): Promise<PictureResponse> {
  const { width, height } = pictureOf(found.file);
  if (found.cut !== 'original') return sendScale(context, found, found.cut);
  if (context.query.format !== undefined && width > 0) return sendScale(context, found, { box: [width, height] });
  return sendFile(context, found, {
    inline: found.forever || context.query.disposition === 'inline',
    forever: found.forever,
  });
}

/** GET `@@images/…`: a picture of the content, or a scale of it. */
const getImage = defineService({
  name: '@@images',
  method: 'GET',
  cacheable: true,
  ignoresOtherParameters: true,
  variant: (header) =>
    header('range') === undefined
      ? SMALLER_FORMATS.filter((type) => acceptsByName(header('accept'), type)).join()
      : undefined,
  context: 'content',
  permission: VIEW,
  summary:
    'The picture in a field, a scale of it, or the picture that a name with a hash means, which may be cached for ever. Scales are sent as AVIF or WebP to clients that accept it by name, where that is smaller.',
  rest: ['{field}', '{field}/{scale}'],
  query: PictureQuery,
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    const found = findPicture(context);
    checkQuery(context, found);
    // How long others may keep it is counted from now.
    if (found.until !== null) context.noCache?.();
    return withSmallPicture(await sendPicture(context, found));
  },
});

export const imagesServices: Service[] = [getImage];
