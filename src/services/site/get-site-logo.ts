import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { NotFound } from '../../lib/errors.ts';
import { etagMatches } from '../../lib/http-headers.ts';
import { sniffMediaType } from '../../lib/media-type.ts';
import { siteLogo } from '../../site/panels/site.ts';
import { headerOf } from '../content/represent-path.ts';
import { cacheControl, dispositionOf } from '../download/send-file.ts';
import { defineService, type RequestContext, type ServiceResponse } from '../service.ts';

/** Sends the logo, or 304 to a client that has it. It is small, and never sent in parts. */
async function sendLogo(context: RequestContext): Promise<ServiceResponse> {
  const logo = siteLogo(context.site);
  if (!logo) throw new NotFound(['', '@@site-logo', ...context.rest].join('/'));
  const { bytes, filename } = logo;
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  const shared = { ETag: etag, 'Cache-Control': cacheControl(true, false) };
  if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const contentType = sniffMediaType(bytes, undefined, filename);
  return {
    status: 200,
    // A drawing (SVG) is shown in a page all the same: pages do not heed the disposition of their pictures.
    headers: {
      ...shared,
      'Content-Length': bytes.length,
      'Content-Disposition': dispositionOf(true, contentType, filename),
    },
    contentType,
    stream: Readable.from([bytes]),
  };
}

/** GET `@@site-logo[/<filename>]`: the logo of the site, whatever name the address has for it. */
export const getSiteLogo = defineService({
  name: '@@site-logo',
  method: 'GET',
  context: 'site',
  permission: null,
  tag: 'site',
  summary: 'The logo of the site.',
  rest: ['', '{filename}'],
  responses: {
    200: { description: 'The picture, under its own media type.', contentType: 'application/octet-stream' },
    304: { description: 'The client has it already (If-None-Match).' },
    404: { description: 'The site has no logo.' },
  },
  run: sendLogo,
});
