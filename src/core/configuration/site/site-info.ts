import { type Static, Type } from 'typebox';
import { Address, Nullable } from '../../../lib/schema/shapes.ts';
import { imagingPanel, siteScales } from '../panels/content.ts';
import { dateAndTimePanel, socialmediaPanel } from '../panels/general.ts';
import { languagePanel } from '../panels/languages.ts';
import { panelSettings } from '../panels/panel.ts';
import { siteLogo, sitePanel } from '../panels/site.ts';
import type { Site } from './site.ts';

/** Settings for social networks, which front ends publish; without account names if the site does not share them (panel `socialmedia`). */
function socialData(site: Site) {
  const settings = panelSettings(site, socialmediaPanel);
  const shares = settings.share_social_data;
  const shared = (name: string) => (shares && name) || null;
  return {
    'plone.share_social_data': shares,
    'plone.twitter_username': shared(settings.twitter_username),
    'plone.facebook_app_id': shared(settings.facebook_app_id),
    'plone.facebook_username': shared(settings.facebook_username),
  };
}

/** The site as front ends need it. */
export const SiteInfo = Type.Object({
  '@id': Address,
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
  'plone.site_logo': Nullable(Address),
  'plone.site_title': Type.String(),
  'plone.share_social_data': Type.Boolean(),
  'plone.twitter_username': Nullable(Type.String()),
  'plone.facebook_app_id': Nullable(Type.String()),
  'plone.facebook_username': Nullable(Type.String()),
});

/**
 * Returns the data that a front end needs before it shows anything (plone.restapi, Nick and Volto, `@site`). `base` is the address
 * of the site root.
 */
export function siteInfo(site: Site, base: string): Static<typeof SiteInfo> {
  const logo = siteLogo(site);
  return {
    '@id': `${base}/@site`,
    features: {
      filter_aliases_by_date: true,
      multilingual: panelSettings(site, languagePanel).multilingual,
    },
    'plone.allowed_sizes': panelSettings(site, imagingPanel).allowed_sizes,
    'plone.available_languages': panelSettings(site, languagePanel).available_languages,
    'plone.default_language': panelSettings(site, languagePanel).default_language,
    'plone.first_weekday': Number(panelSettings(site, dateAndTimePanel).first_weekday),
    'plone.image_scales': Object.fromEntries(
      Object.entries(siteScales(site)).map(([name, [width, height]]) => [name, [width, height]]),
    ),
    'plone.portal_timezone': panelSettings(site, dateAndTimePanel).portal_timezone,
    'plone.robots_txt': panelSettings(site, sitePanel).robots_txt,
    'plone.site_logo': logo && `${base}/@@site-logo/${encodeURIComponent(logo.filename)}`,
    'plone.site_title': panelSettings(site, sitePanel).site_title,
    ...socialData(site),
  };
}
