import { NotFound } from '../../../lib/errors.ts';
import { etagMatches } from '../../../lib/etag-matches.ts';
import { VIEW } from '../../../security/permissions.ts';
import { headerOf } from '../../../services/content/represent-path.ts';
import { loggedStream } from '../../../services/download/logged-stream.ts';
import { cacheControl, dispositionOf, mediaTypeOf } from '../../../services/download/send-file.ts';
import { defineService } from '../../../services/service.ts';
import { BlobMissing } from '../../../storage/blob-store.ts';
import { isStoredFile } from '../../../types/fields/files.ts';
import { portraitOf } from '../statements/people-accounts.ts';

/**
 * GET `@portrait/<user>` or, for one's own, `@portrait`: a picture. One answer for a user without a picture and for no
 * user. Types that could run code, such as SVG, are sent as attachments (plone.restapi, U16).
 */
export const getPortrait = defineService({
  name: '@portrait',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: "The picture of a user; without an id one's own.",
  rest: ['', '{id}'],
  responses: {
    200: { description: 'The picture.', contentType: 'application/octet-stream' },
    304: { description: 'The client has this picture already (If-None-Match).' },
    404: { description: 'There is no picture.' },
  },
  async run(context) {
    const { kernel, db, caller, rest } = context;
    const id = rest[0] ?? caller.id;
    const file = id === null ? undefined : await portraitOf(db, id);
    if (!isStoredFile(file)) throw new NotFound(['/@portrait', ...rest].join('/'));
    const etag = `"${file.hash}"`;
    // The picture behind the address without an id is another one for everybody.
    const headers = { ETag: etag, 'Cache-Control': cacheControl(false, false), Vary: 'Authorization, Cookie' };
    if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers };
    const size = await kernel.blobs.size(file.hash);
    if (size === undefined) throw new BlobMissing(file.hash);
    const contentType = mediaTypeOf(file);
    return {
      status: 200,
      headers: {
        ...headers,
        'Content-Length': size,
        'Content-Disposition': dispositionOf(true, contentType, file.filename),
      },
      contentType,
      stream: loggedStream(kernel.log, () => kernel.blobs.open(file.hash)),
    };
  },
});
