import type { JsonObject } from '../lib/json-object.ts';
import { listSetting, type Site, textSetting } from './site.ts';
import { siteLogo } from './site-logo.ts';

const SIZE = /^([\w-]{1,100}) (\d{1,5}):(\d{1,5})$/;

/** Name to width and height, of lines such as `large 800:65536`. Lines of another form name no scale. */
function imageScales(lines: readonly string[]): JsonObject {
  const scales = lines.flatMap((line) => {
    const [, name, width, height] = SIZE.exec(line) ?? [];
    return name === undefined ? [] : [[name, [Number(width), Number(height)]] as const];
  });
  return Object.fromEntries(scales);
}

/**
 * What a front end has to know of the site before it shows anything (plone.restapi, Nick and Volto, `@site`). `base` is
 * the address of the site root.
 */
export function siteInfo(site: Site, base: string): JsonObject {
  const logo = siteLogo(site);
  const sizes = listSetting(site, 'imaging', 'allowed_sizes');
  return {
    '@id': `${base}/@site`,
    features: {
      filter_aliases_by_date: true,
      multilingual: site.settings.get('language')?.multilingual === true,
    },
    'plone.allowed_sizes': sizes,
    'plone.available_languages': listSetting(site, 'language', 'available_languages'),
    'plone.default_language': textSetting(site, 'language', 'default_language', 'en'),
    'plone.image_scales': imageScales(sizes),
    'plone.portal_timezone': textSetting(site, 'date-and-time', 'portal_timezone', 'UTC'),
    'plone.robots_txt': textSetting(site, 'site', 'robots_txt', ''),
    'plone.site_logo': logo && `${base}/@@site-logo/${encodeURIComponent(logo.filename)}`,
    'plone.site_title': textSetting(site, 'site', 'site_title', ''),
  };
}
