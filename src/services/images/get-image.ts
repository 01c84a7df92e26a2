import { Type } from 'typebox';
import type { Box } from '../../images/image-scales.ts';
import { openScale } from '../../images/open-scale.ts';
import { etagMatches } from '../../lib/http-headers.ts';
import { extensionFor } from '../../lib/media-type.ts';
import { VIEW } from '../../security/permissions.ts';
import { headerOf } from '../content/represent-path.ts';
import { asksInline, DispositionQuery } from '../download/disposition.ts';
import { FILE_RESPONSES } from '../download/file-responses.ts';
import { fileNotFound } from '../download/find-file.ts';
import { cacheControl, canonicalLink, dispositionOf, mediaTypeOf, sendFile } from '../download/send-file.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService, type RequestContext, type ServiceResponse } from '../service.ts';
import { atRequestedVersion } from '../versions/at-requested-version.ts';
import { VERSION_PARAMETER } from '../versions/version-parameter.ts';
import { type FoundPicture, findPicture } from './find-picture.ts';

/** The name of the original with the extension of the scale's type. */
function scaleName(filename: string, contentType: string): string {
  const extension = extensionFor(contentType, filename);
  if (filename.toLowerCase().endsWith(`.${extension}`)) return filename;
  return `${filename.replace(/\.[a-z0-9]{1,10}$/i, '')}.${extension}`;
}

/** Sends a scale, made now if nobody asked for it before. Parts of it are not served: it is small. */
async function sendScale(
  context: RequestContext,
  { field, file, open, forever }: FoundPicture,
  box: Box,
): Promise<ServiceResponse> {
  const etag = `"${file.hash}-${box.join('x')}"`;
  const shared = { ETag: etag, 'Cache-Control': cacheControl(open, forever), Link: canonicalLink(context, field) };
  if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const scale = await openScale({ blobs: context.kernel.blobs, hash: file.hash, contentType: mediaTypeOf(file), box });
  if (!scale) return fileNotFound(context, '@@images');
  const { size, stream, contentType } = scale;
  return {
    status: 200,
    headers: {
      ...shared,
      'Content-Length': size,
      'Content-Disposition': dispositionOf(
        asksInline(context.searchParams),
        contentType,
        scaleName(file.filename, contentType),
      ),
    },
    contentType,
    stream,
  };
}

/** GET `@@images/…`: a picture of the content, or a scale of it. */
export const getImage = defineService({
  name: '@@images',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary:
    'The picture in a field, a scale of it, or the picture that a name with a hash means, which may be cached for ever.',
  rest: ['{field}', '{field}/{scale}'],
  query: documentedQuery(Type.Object({ ...DispositionQuery.properties, ...VERSION_PARAMETER })),
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    const found = findPicture(context);
    if (found.box !== 'original') return sendScale(context, found, found.box);
    return sendFile(context, found, { inline: asksInline(context.searchParams), forever: found.forever });
  },
});
