import { definePanel } from '../panel.ts';
import { flag, line, whole } from './setting-forms.ts';

const YEAR = 365 * 24 * 3600;

/** Who gets an account, and how people log in. */
export const securityPanel = definePanel({
  id: 'security',
  title: 'Security',
  group: 'Security',
  settings: [
    flag('enable_self_reg', {
      title: 'Visitors may register',
      description: 'They get an account with the role Member.',
      default: false,
    }),
    flag('enable_user_pwd_choice', {
      title: 'Visitors choose their password',
      description: 'Off: they are sent a link to set it, which proves that the address is theirs.',
      default: false,
    }),
    flag('use_email_as_login', {
      title: 'E-mail address as user name',
      description: 'New users log in with their address.',
      default: false,
    }),
    whole('password_min_length', {
      title: 'Shortest password',
      description: 'In characters.',
      default: 8,
      minimum: 8,
      maximum: 64,
      required: true,
      record: 'canopy.security.password_min_length',
    }),
    line('breached_passwords_file', {
      title: 'List of known passwords',
      description: 'Name of a file in DATA_DIR. Passwords in it are refused. Empty for none.',
      default: '',
      record: 'canopy.security.breached_passwords_file',
      maxLength: 255,
      problem: (name) => (/^[^./\\][^/\\]*$/.test(name) ? undefined : 'Must be the name of a file, without a folder.'),
    }),
    whole('reset_token_hours', {
      title: 'Hours that a link for a new password works',
      description: 'A week, 168, at most.',
      default: 24,
      minimum: 1,
      maximum: 168,
      required: true,
      record: 'canopy.security.reset_token_hours',
    }),
    whole('token_timeout', {
      title: 'Seconds that a login lasts',
      description: 'Clients may renew it before it ends. 0 for no end.',
      default: 43_200,
      minimum: 0,
      maximum: 10 * YEAR,
      required: true,
      record: 'canopy.security.token_timeout',
    }),
    flag('use_keyring', {
      title: 'Renew the keys that sign tokens',
      description: 'Off: one secret of the site signs them all.',
      default: true,
      record: 'canopy.security.use_keyring',
    }),
    flag('store_tokens', {
      title: 'Store tokens',
      description: 'A token works only as long as it is stored, so that logging out ends it.',
      default: false,
      record: 'canopy.security.store_tokens',
    }),
  ],
});
