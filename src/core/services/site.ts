import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import { etagMatches } from '../../lib/http/http-headers.ts';
import { sniffMediaType } from '../../lib/http/media-type.ts';
import { siteLogo } from '../configuration/panels/site.ts';
import { siteInfo } from '../configuration/site/site-info.ts';
import { headerOf } from './content/represent-path.ts';
import { cacheControl, dispositionOf } from './files.ts';
import { defineService, ok, type RequestContext, type Service, type ServiceResponse } from './service.ts';

const SiteInfo = Type.Object(
  {
    '@id': Type.String({ format: 'uri' }),
    features: Type.Object({ filter_aliases_by_date: Type.Boolean(), multilingual: Type.Boolean() }),
    'plone.allowed_sizes': Type.Array(Type.String()),
    'plone.available_languages': Type.Array(Type.String()),
    'plone.default_language': Type.String(),
    'plone.first_weekday': Type.Integer({ description: '0 is Monday.' }),
    'plone.image_scales': Type.Record(Type.String(), Type.Array(Type.Integer()), {
      description: 'Largest width and height of each scale.',
    }),
    'plone.portal_timezone': Type.String(),
    'plone.robots_txt': Type.String(),
    'plone.site_logo': Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    'plone.site_title': Type.String(),
    'plone.share_social_data': Type.Boolean(),
    'plone.twitter_username': Type.Union([Type.String(), Type.Null()]),
    'plone.facebook_app_id': Type.Union([Type.String(), Type.Null()]),
    'plone.facebook_username': Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: true },
);

/** GET `@site`: what everybody may know of the site, also where its content is private. */
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

/** Sends the logo, or 304 to a client that has it. It is small, so ranges are not supported. */
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

/** GET `@@site-logo[/<filename>]`: the logo of the site, whatever name the address has for it. */
const getSiteLogo = defineService({
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

export const siteServices: Service[] = [getSite, getSiteLogo];
