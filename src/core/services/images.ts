import { buffer } from 'node:stream/consumers';
import { BadRequest } from '../../lib/errors.ts';
import { acceptedByName } from '../../lib/http/accept.ts';
import { isRequestedWidth, siteScales } from '../configuration/panels/content.ts';
import { type Cut, cutFor, cutForWidth, sizeOfCut, UNLIMITED } from '../files/images/image-scales.ts';
import { SMALLER_FORMATS, scaleMediaType } from '../files/images/make-scale.ts';
import { parseScaleFileName } from '../files/images/open-scale.ts';
import type { MarkedPicture } from '../files/images/picture-marks.ts';
import { VIEW } from '../security/permissions.ts';
import type { StoredFile } from '../types/field-kind.ts';
import { FILE_RESPONSES, findFile, mediaTypeOf, sendFile } from './files.ts';
import type { ResultOf } from './response.ts';
import { type FoundPicture, otherFormats, PictureQuery, type PictureRequest, sendScale } from './send-scale.ts';
import { defineService, notFoundHere, type Service } from './service.ts';
import { atRequestedVersion } from './versions.ts';

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
    header('range') === undefined ? acceptedByName(header('accept'), SMALLER_FORMATS).join() : undefined,
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
