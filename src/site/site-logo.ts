import type { Site } from './site.ts';

/** The logo of the site: its file name as it was given, and its bytes. */
type SiteLogo = { filename: string; bytes: Buffer };

const NAME = 'filenameb64:';
const DATA = ';datab64:';
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A site is immutable, and its logo is asked for with every page. */
const decoded = new WeakMap<Site, SiteLogo | null>();

/** Reads `filenameb64:<base64>;datab64:<base64>` (Plone's control panel `site`). Null for anything else. */
export function parseSiteLogo(value: unknown): SiteLogo | null {
  if (typeof value !== 'string' || !value.startsWith(NAME)) return null;
  const split = value.indexOf(DATA);
  if (split === -1) return null;
  const name = value.slice(NAME.length, split);
  const data = value.slice(split + DATA.length).replace(/\s+/g, '');
  if (!BASE64.test(data)) return null;
  const filename = (Buffer.from(name, 'base64').toString('utf8').split(/[/\\]/).at(-1) ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  // The name becomes the end of an address, where dots alone mean another one.
  return { filename: /^\.*$/.test(filename) ? 'logo' : filename, bytes: Buffer.from(data, 'base64') };
}

/** The logo in the settings of the site; null when there is none. */
export function siteLogo(site: Site): SiteLogo | null {
  const known = decoded.get(site);
  if (known !== undefined) return known;
  const logo = parseSiteLogo(site.settings.get('site')?.site_logo);
  decoded.set(site, logo);
  return logo;
}
