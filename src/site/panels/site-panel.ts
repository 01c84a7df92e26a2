import { sniffMediaType } from '../../lib/media-type.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { Panel } from '../panel.ts';
import { parseSiteLogo } from '../site-logo.ts';
import { line, lines, picture } from './setting-forms.ts';

/** Largest logo in bytes, and what that makes as text. */
const MAX_LOGO = 1_500_000;
const MAX_LOGO_TEXT = 2_100_000;

function logoProblem(value: string): string | undefined {
  const logo = parseSiteLogo(value);
  if (!logo) return 'Must have the form filenameb64:<name in Base64>;datab64:<bytes in Base64>.';
  if (logo.bytes.length > MAX_LOGO) return `Is larger than ${MAX_LOGO} bytes.`;
  return sniffMediaType(logo.bytes, undefined, logo.filename).startsWith('image/') ? undefined : 'Is not a picture.';
}

function frontendProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const whole = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  return whole ? undefined : 'Must be an address such as https://www.example.org.';
}

/** What the site is called, and where it is. */
export const sitePanel: Panel = {
  id: 'site',
  title: 'Site',
  group: 'General',
  settings: [
    line('site_title', {
      title: 'Site title',
      description: 'In the title of the browser, in mails and in calendars.',
      default: 'Canopy',
    }),
    picture('site_logo', {
      title: 'Site logo',
      description: 'A picture, as filenameb64:…;datab64:….',
      maxLength: MAX_LOGO_TEXT,
      problem: logoProblem,
    }),
    lines('robots_txt', {
      title: 'robots.txt',
      description: 'What search engines are told. {portal_url} stands for the address of the site.',
      default: '',
    }),
    // Links in mails lead there: whoever changes it is given the tokens in them.
    line('frontend_domain', {
      title: 'Address of the front end',
      description: 'Where the links in mails lead, such as https://www.example.org.',
      default: '',
      record: 'volto.frontend_domain',
      permission: MANAGE_PORTAL,
      problem: frontendProblem,
    }),
  ],
};
