import { sniffMediaType } from '../../../lib/http/media-type.ts';
import { decodeBase64 } from '../../../lib/text/file-text.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { speaksPlone } from '../site/plone-names.ts';
import type { Site } from '../site/site.ts';
import { definePanel, panelSettings } from './panel.ts';
import { flag, line, lines, list, picture } from './setting-forms.ts';

/** The logo of the site: its file name as it was given, and its bytes. */
type SiteLogo = { filename: string; bytes: Buffer };

const NAME = 'filenameb64:';
const DATA = ';datab64:';
const NOT_BASE64 = /[^A-Za-z0-9+/_=-]+/g;

/**
 * Parses `filenameb64:<base64>;datab64:<base64>` (Plone's control panel `site`). Null for anything else. Characters that Base64
 * does not have are left out, as by Python's `b64decode`: Volto 18 writes a brace behind the bytes.
 */
export function parseSiteLogo(value: unknown): SiteLogo | null {
  if (typeof value !== 'string' || !value.startsWith(NAME)) return null;
  const split = value.indexOf(DATA);
  if (split === -1) return null;
  const name = value.slice(NAME.length, split);
  const bytes = decodeBase64(value.slice(split + DATA.length).replace(NOT_BASE64, ''));
  if (!bytes || bytes.length === 0) return null;
  const filename = (Buffer.from(name, 'base64').toString('utf8').split(/[/\\]/).at(-1) ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  // The name becomes the end of an address, where a name of only dots would mean another address.
  return { filename: /^\.*$/.test(filename) ? 'logo' : filename, bytes };
}

/** Maximum size of a logo in bytes, and its length as text. */
const MAX_LOGO_BYTES = 1_500_000;
const MAX_LOGO_LENGTH = 2_100_000;
const NOT_A_PICTURE = 'Is not a picture: send PNG, JPEG, GIF, WebP, AVIF or SVG.';

function logoProblem(value: string): string | undefined {
  const logo = parseSiteLogo(value);
  if (!logo) return 'Must have the form filenameb64:<name in Base64>;datab64:<bytes in Base64>.';
  if (logo.bytes.length > MAX_LOGO_BYTES) return `Is larger than ${MAX_LOGO_BYTES} bytes.`;
  // The bytes decide, not the name: any file can be named logo.png.
  return sniffMediaType(logo.bytes, undefined).startsWith('image/') ? undefined : NOT_A_PICTURE;
}

function frontendProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const whole = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  return whole ? undefined : 'Must be an address such as https://www.example.org.';
}

// Links in mails lead to this address and contain tokens: a user who changes the address receives the tokens.
const frontendDomain = line('frontend_domain', {
  title: 'Address of the front end',
  description: 'Where the links in mails lead, such as https://www.example.org.',
  default: '',
  record: 'volto.frontend_domain',
  permission: MANAGE_PORTAL,
  problem: frontendProblem,
});

/** Name and address of the site. */
export const sitePanel = definePanel({
  id: 'site',
  title: 'Site',
  group: 'General',
  settings: [
    line('site_title', {
      title: 'Site title',
      description: 'In the title of the browser, in mails and in calendars.',
      default: 'Canopy',
      required: true,
    }),
    picture('site_logo', {
      title: 'Site logo',
      description: 'A picture, as filenameb64:…;datab64:….',
      maxLength: MAX_LOGO_LENGTH,
      problem: logoProblem,
    }),
    lines('robots_txt', {
      title: 'robots.txt',
      description: 'The text of robots.txt, for search engines. {portal_url} stands for the address of the site.',
      default: '',
    }),
    frontendDomain,
    flag('enable_sitemap', {
      title: 'Site map for search engines',
      description: 'Whether the site has a sitemap.xml and an llms.txt with the addresses of what anybody may view.',
      default: true,
    }),
    // Plone requires one of these roles only in its classic forms, not in its REST API. By default, every user has one of them.
    list('roles_allowed_to_add_keywords', {
      title: 'Roles that may add tags',
      description: 'Others choose from the tags that content has already.',
      default: ['Manager', 'Site Administrator', 'Reviewer', 'Authenticated', 'Anonymous'],
    }),
  ],
});

/** Settings for front ends of Volto: one setting of the panel `site`, where Plone has it. */
export const voltoPanel = definePanel({
  id: 'volto-settings',
  title: 'Volto settings',
  group: 'General',
  store: sitePanel.id,
  isOffered: speaksPlone,
  settings: [frontendDomain],
});

/** Cached by site, because a site is immutable, and every page needs its logo. */
const decoded = new WeakMap<Site, SiteLogo | null>();

/** The logo in the settings of the site; null for a site without a logo. */
export function siteLogo(site: Site): SiteLogo | null {
  const known = decoded.get(site);
  if (known !== undefined) return known;
  const logo = parseSiteLogo(panelSettings(site, sitePanel).site_logo);
  decoded.set(site, logo);
  return logo;
}
