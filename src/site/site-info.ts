import type { JsonObject } from '../lib/json-object.ts';
import { siteScales } from './image-sizes.ts';
import { listSetting, type Site, textSetting } from './site.ts';
import { siteLogo } from './site-logo.ts';

/** What front ends may tell social networks; without a name where the site shares nothing (panel `socialmedia`). */
function socialData(site: Site): JsonObject {
  const shares = site.settings.get('socialmedia')?.share_social_data !== false;
  const nameOf = (name: string) => (shares && textSetting(site, 'socialmedia', name, '')) || null;
  return {
    'plone.share_social_data': shares,
    'plone.twitter_username': nameOf('twitter_username'),
    'plone.facebook_app_id': nameOf('facebook_app_id'),
    'plone.facebook_username': nameOf('facebook_username'),
  };
}

/**
 * What a front end has to know of the site before it shows anything (plone.restapi, Nick and Volto, `@site`). `base` is
 * the address of the site root.
 */
export function siteInfo(site: Site, base: string): JsonObject {
  const logo = siteLogo(site);
  return {
    '@id': `${base}/@site`,
    features: {
      filter_aliases_by_date: true,
      multilingual: site.settings.get('language')?.multilingual === true,
    },
    'plone.allowed_sizes': listSetting(site, 'imaging', 'allowed_sizes'),
    'plone.available_languages': listSetting(site, 'language', 'available_languages'),
    'plone.default_language': textSetting(site, 'language', 'default_language', 'en'),
    'plone.first_weekday': Number(textSetting(site, 'date-and-time', 'first_weekday', '0')),
    'plone.image_scales': siteScales(site),
    'plone.portal_timezone': textSetting(site, 'date-and-time', 'portal_timezone', 'UTC'),
    'plone.robots_txt': textSetting(site, 'site', 'robots_txt', ''),
    'plone.site_logo': logo && `${base}/@@site-logo/${encodeURIComponent(logo.filename)}`,
    'plone.site_title': textSetting(site, 'site', 'site_title', ''),
    ...socialData(site),
  };
}
