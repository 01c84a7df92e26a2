import { Type } from 'typebox';
import { siteInfo } from '../../site/site-info.ts';
import { defineService, ok } from '../service.ts';

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
export const getSite = defineService({
  name: '@site',
  method: 'GET',
  cacheable: true,
  context: 'site',
  permission: null,
  summary: 'Title, logo, languages, picture sizes and features of the site.',
  responses: { 200: { description: 'The site.', schema: SiteInfo } },
  run: async ({ site, base }) => ok(siteInfo(site, base)),
});
