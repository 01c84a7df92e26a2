import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { NotFound } from '../../lib/errors.ts';
import { etagMatches } from '../../lib/http/http-headers.ts';
import { sniffMediaType } from '../../lib/http/media-type.ts';
import { siteLogo } from '../configuration/panels/site.ts';
import { SiteInfo, siteInfo } from '../configuration/site/site-info.ts';
import { headerOf } from './content/represent-path.ts';
import { cacheControl, dispositionOf } from './files.ts';
import { ok, type ResultOf } from './response.ts';
import { defineService, type RequestContext, type Service } from './service.ts';

/** GET `@site`: the public facts about the site, also if its content is private. */
const getSite = defineService({
  name: '@site',
  method: 'GET',
  cacheable: true,
  context: 'site',
  permission: null,
  summary: 'Title, logo, languages, picture sizes and features of the site.',
  responses: { 200: { description: 'The site.', schema: SiteInfo } },
  run: async ({ site, base }) => ok(siteInfo(site, base)),
});

const LOGO_RESPONSES = {
  200: { description: 'The picture, under its own media type.', contentType: 'application/octet-stream' },
  304: { description: 'The client has it already (If-None-Match).' },
  404: { description: 'The site has no logo.' },
};

/** Sends the logo, or 304 to a client that has it. It is small, so ranges are not supported. */
async function sendLogo(context: RequestContext): Promise<ResultOf<typeof LOGO_RESPONSES>> {
  const logo = siteLogo(context.site);
  if (!logo) throw new NotFound(['', '@@site-logo', ...context.rest].join('/'));
  const { bytes, filename } = logo;
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  const shared = { ETag: etag, 'Cache-Control': cacheControl(true, false) };
  if (etagMatches(headerOf(context, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const contentType = sniffMediaType(bytes, undefined, filename);
  return {
    status: 200,
    // Pages show an SVG all the same: browsers ignore the disposition of embedded pictures.
    headers: {
      ...shared,
      'Content-Length': bytes.length,
      'Content-Disposition': dispositionOf(true, contentType, filename),
    },
    contentType,
    stream: Readable.from([bytes]),
  };
}

/** GET `@@site-logo[/<filename>]`: the logo of the site, with any file name. */
const getSiteLogo = defineService({
  name: '@@site-logo',
  method: 'GET',
  context: 'site',
  permission: null,
  tag: 'site',
  summary: 'The logo of the site.',
  rest: ['', '{filename}'],
  responses: LOGO_RESPONSES,
  run: sendLogo,
});

export const siteServices: Service[] = [getSite, getSiteLogo];
