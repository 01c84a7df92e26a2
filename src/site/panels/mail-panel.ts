import { isMailAddress } from '../../mail/mail.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { definePanel } from '../panel.ts';
import { flag, line, password, whole } from './setting-forms.ts';

/** The server that takes the mails of the site. Who chooses it can read them, also the links for passwords of Managers. */
export const mailPanel = definePanel({
  id: 'mail',
  title: 'Mail',
  group: 'General',
  permission: MANAGE_PORTAL,
  settings: [
    line('host', {
      title: 'SMTP server',
      description: 'Name or address of the mail server. Empty: that of the setting SMTP_URL of the process.',
      default: '',
      required: true,
      record: 'plone.smtp_host',
      alias: 'smtp_host',
      maxLength: 253,
      problem: (host) => (/^[\w.:-]+$/.test(host) ? undefined : 'Must be the name or the address of a server.'),
    }),
    whole('port', {
      title: 'SMTP port',
      description: 'The port of the mail server, usually 25, 465 or 587.',
      default: 25,
      minimum: 1,
      maximum: 65_535,
      required: true,
      record: 'plone.smtp_port',
      alias: 'smtp_port',
    }),
    flag('secure', {
      title: 'TLS from the start',
      description: 'On for port 465. Otherwise the connection is encrypted as soon as the server offers it.',
      default: false,
      record: 'canopy.mail.secure',
    }),
    line('user', {
      title: 'User name',
      description: 'For servers that ask who sends.',
      default: '',
      record: 'plone.smtp_userid',
      alias: 'smtp_userid',
    }),
    password('pass', {
      title: 'Password',
      description: 'Of that user. It is not shown; leave it empty to keep it.',
      default: '',
      record: 'plone.smtp_pass',
      alias: 'smtp_pass',
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
