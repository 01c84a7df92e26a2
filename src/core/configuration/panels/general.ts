import { isTimeZone } from '../../../lib/time/time-zone.ts';
import { isMailAddress } from '../../queue/mail/mail.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { Site } from '../site/site.ts';
import { definePanel, panelSettings } from './panel.ts';
import { choice, flag, line, password, plainChoices, several, whole } from './setting-forms.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const timeZones = plainChoices([...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]);
const weekdays = WEEKDAYS.map((title, i): [string, string] => [String(i), title]);

/** The present date and time of the site. */
export const dateAndTimePanel = definePanel({
  id: 'date-and-time',
  title: 'Date and Time',
  group: 'General',
  settings: [
    choice('portal_timezone', {
      title: 'Time zone',
      description:
        'By its clocks events recur, listings know what today is, and times are meant that come without an offset. Front ends show dates in it.',
      default: 'UTC',
      choices: () => timeZones,
    }),
    choice('first_weekday', {
      title: 'First day of the week',
      description: 'Front ends begin their calendars with it.',
      default: '0',
      choices: () => weekdays,
    }),
    several('available_timezones', {
      title: 'Available time zones',
      description: 'What forms offer to choose from; all time zones where none is named.',
      default: [],
      choices: () => timeZones,
    }),
  ],
});

/** The time zone of the site, or the time zone that a user has `chosen`; UTC if this system lacks the zone. */
export function siteTimeZone(site: Site, chosen?: string): string {
  if (chosen !== undefined && isTimeZone(chosen)) return chosen;
  const name = panelSettings(site, dateAndTimePanel).portal_timezone;
  return name !== 'UTC' && isTimeZone(name) ? name : 'UTC';
}

/** The server that takes the mails of the site. The operator of this server can read the mails, also the links for passwords of Managers. */
export const mailPanel = definePanel({
  id: 'mail',
  title: 'Mail',
  group: 'General',
  permission: MANAGE_PORTAL,
  settings: [
    line('smtp_host', {
      title: 'SMTP server',
      description: 'Name or address of the mail server. Empty: that of the setting SMTP_URL of the process.',
      default: '',
      alias: 'host',
      aliasRequired: true,
      maxLength: 253,
      problem: (host) => (/^[\w.:-]+$/.test(host) ? undefined : 'Must be the name or the address of a server.'),
    }),
    whole('smtp_port', {
      title: 'SMTP port',
      description: 'The port of the mail server, usually 25, 465 or 587.',
      default: 25,
      minimum: 1,
      maximum: 65_535,
      required: true,
      alias: 'port',
    }),
    flag('secure', {
      title: 'TLS from the start',
      description: 'On for port 465. Otherwise the connection is encrypted as soon as the server offers it.',
      default: false,
      record: 'canopy.mail.secure',
    }),
    line('smtp_userid', {
      title: 'User name',
      description: 'For servers that ask who sends.',
      default: '',
      alias: 'user',
    }),
    password('smtp_pass', {
      title: 'Password',
      description: 'Of that user. It is not shown; leave it empty to keep it.',
      default: '',
      alias: 'pass',
    }),
    line('email_from_name', {
      title: 'Name of the sender',
      description: 'Whom mails of the site come from.',
      default: '',
      required: true,
    }),
    line('email_from_address', {
      title: 'Address of the sender',
      description: 'Where answers go, and what is written to the site.',
      default: '',
      required: true,
      problem: (address) => (isMailAddress(address) ? undefined : 'Is not an e-mail address.'),
    }),
    flag('debug', {
      title: 'Log the delivery',
      description: 'Writes each step of sending a mail to the log, but nothing of what is in it.',
      default: false,
      record: 'canopy.mail.debug',
    }),
  ],
});

const nameProblem = (name: string): string | undefined =>
  /^@?[\w.-]+$/.test(name) ? undefined : 'Must be a name, not an address.';

/** Settings for social networks, which front ends publish. */
export const socialmediaPanel = definePanel({
  id: 'socialmedia',
  title: 'Social Media',
  group: 'General',
  settings: [
    flag('share_social_data', {
      title: 'Share social data',
      description:
        'Whether front ends describe pages for social networks. Where it is off, no name below is given away.',
      default: true,
    }),
    line('twitter_username', {
      title: 'Name on X (Twitter)',
      description: 'The account that pages are said to belong to.',
      default: '',
      maxLength: 100,
      problem: nameProblem,
    }),
    line('facebook_app_id', {
      title: 'Facebook app',
      description: 'The number of the app.',
      default: '',
      maxLength: 100,
      problem: (id) => (/^\d+$/.test(id) ? undefined : 'Must be a number.'),
    }),
    line('facebook_username', {
      title: 'Name on Facebook',
      description: 'The account that pages are said to belong to.',
      default: '',
      maxLength: 100,
      problem: nameProblem,
    }),
  ],
});
