import { type StaticDecode, Type } from 'typebox';
import { type Box, boxForWidth, fitInside, type Size } from '../images/image-scales.ts';
import { openScale, parseScaleFileName } from '../images/open-scale.ts';
import { etagMatches } from '../lib/http-headers.ts';
import { extensionFor } from '../lib/media-type.ts';
import { VIEW } from '../security/permissions.ts';
import { panelSettings } from '../site/panel.ts';
import { imagingPanel, siteScales } from '../site/panels/content.ts';
import type { StoredFile } from '../types/field-kind.ts';
import { headerOf } from './content/represent-path.ts';
import {
  asksInline,
  cacheControl,
  canonicalLink,
  DispositionQuery,
  dispositionOf,
  FILE_RESPONSES,
  type FoundFile,
  fileNotFound,
  findFile,
  mediaTypeOf,
  sendFile,
} from './files.ts';
import { defineService, type RequestContext, type Service, type ServiceResponse } from './service.ts';
import { atRequestedVersion, VERSION_PARAMETER } from './versions.ts';

const PictureQuery = Type.Object({ ...DispositionQuery.properties, ...VERSION_PARAMETER });

/** A request for a picture: by the name of its field, perhaps with a scale, or by a name that says which bytes. */
type PictureRequest = RequestContext<{ field: string; scale?: string }, StaticDecode<typeof PictureQuery>, object>;

/** What an address of `@@images` means: the original or a scale of the picture; `forever` when it names the bytes. */
type FoundPicture = FoundFile & { box: Box | 'original'; forever: boolean };

const sizeOf = ({ width = -1, height = -1 }: StoredFile): Size => ({ width, height });

/** The picture that a name with a hash means; undefined when the name does not have that form. */
function byFileName(context: PictureRequest, name: string): FoundPicture | undefined {
  const parts = parseScaleFileName(name);
  if (!parts) return undefined;
  const found = findFile(context, '@@images', parts.field, { images: true });
  // Clients may send any hash: only that of the picture in the field is served.
  const box =
    parts.hash === found.file.hash ? boxForWidth(sizeOf(found.file), parts.width, siteScales(context.site)) : undefined;
  return box ? { ...found, box, forever: true } : fileNotFound(context, '@@images');
}

/** A scale that would not be smaller than the picture is the picture itself. */
function boxOf(context: PictureRequest, size: Size, scale: string): Box | 'original' {
  const scales = siteScales(context.site);
  const box = Object.hasOwn(scales, scale) ? scales[scale] : undefined;
  if (!box) return fileNotFound(context, '@@images');
  return size.width > 0 && fitInside(size, box).width === size.width ? 'original' : box;
}

/** The picture behind `@@images`: `<field>`, `<field>/<scale>` or `<field>-<width>-<hash>.<ext>`. Throws NotFound. */
function findPicture(context: PictureRequest): FoundPicture {
  const { field, scale } = context.params;
  const named = scale === undefined ? byFileName(context, field) : undefined;
  if (named) return named;
  const found = findFile(context, '@@images', field, { images: true });
  return {
    ...found,
    box: scale === undefined ? 'original' : boxOf(context, sizeOf(found.file), scale),
    forever: false,
  };
}

/** The name of the original with the extension of the scale's type. */
function scaleName(filename: string, contentType: string): string {
  const extension = extensionFor(contentType, filename);
  if (filename.toLowerCase().endsWith(`.${extension}`)) return filename;
  return `${filename.replace(/\.[a-z0-9]{1,10}$/i, '')}.${extension}`;
}

/**
 * Sends a scale, which is made at its first request. It is small, so ranges are not supported. An address that names the bytes
 * stands in pages, so a browser that opens it shows the picture (Plone); the others are downloads (specification).
 */
async function sendScale(
  context: PictureRequest,
  { field, file, open, until, forever }: FoundPicture,
  box: Box,
): Promise<ServiceResponse> {
  const { quality } = panelSettings(context.site, imagingPanel);
  const etag = `"${file.hash}-${box.join('x')}-${quality}"`;
  const shared = {
    ETag: etag,
    'Cache-Control': cacheControl(open, forever, until),
    Link: canonicalLink(context, field),
  };
  if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const { blobs } = context.kernel;
  const scale = await openScale({ blobs, hash: file.hash, contentType: mediaTypeOf(file), box, quality });
  if (!scale) return fileNotFound(context, '@@images');
  const { size, stream, contentType } = scale;
  return {
    status: 200,
    headers: {
      ...shared,
      'Content-Length': size,
      'Content-Disposition': dispositionOf(
        forever || asksInline(context.query),
        contentType,
        scaleName(file.filename, contentType),
      ),
    },
    contentType,
    stream,
  };
}

/** GET `@@images/…`: a picture of the content, or a scale of it. */
const getImage = defineService({
  name: '@@images',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary:
    'The picture in a field, a scale of it, or the picture that a name with a hash means, which may be cached for ever.',
  rest: ['{field}', '{field}/{scale}'],
  query: PictureQuery,
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    const found = findPicture(context);
    if (found.box !== 'original') return sendScale(context, found, found.box);
    return sendFile(context, found, {
      inline: found.forever || asksInline(context.query),
      forever: found.forever,
    });
  },
});

export const imagesServices: Service[] = [getImage];
