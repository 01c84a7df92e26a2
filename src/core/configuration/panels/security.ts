import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { definePanel } from './panel.ts';
import { flag, line, list, plainChoices, several, textsOf, whole } from './setting-forms.ts';

const YEAR = 365 * 24 * 3600;

/** Registration of users, and the ways to log in. */
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
    flag('use_uuid_as_userid', {
      title: 'UUIDs as ids of users',
      description: 'Of new users. Else the id is the name that they log in with, which others see.',
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
    several('second_factor_roles', {
      title: 'Roles with a second factor',
      description:
        'Users with one of these roles log in with a code of an authenticator app only, beside the password.',
      default: [],
      record: 'canopy.security.second_factor_roles',
      choices: (site) => site.roles.map(({ id, title }) => [id, title]),
    }),
  ],
});

/** The number of people. */
export const usergroupPanel = definePanel({
  id: 'usergroup',
  title: 'User and Group Settings',
  group: 'Users',
  settings: [
    flag('many_users', {
      title: 'Many users?',
      description: 'Lists of users come in small parts, and front ends let people search instead.',
      default: false,
    }),
    flag('many_groups', {
      title: 'Many groups?',
      description: 'Lists of groups come in small parts, and front ends let people search instead.',
      default: false,
    }),
  ],
});

const METHODS = ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const DAY = 24 * 3600;

/** The ports of front-end tools in development: Next, Nuxt, Astro, Angular, Vite, and servers of files. */
const DEVELOPMENT_PORTS = [3000, 3001, 4200, 4321, 5173, 8000, 8080];
/** Origins of pages that the visitor's own machine serves. Without credentials they only get public data. */
const DEVELOPMENT_ORIGINS = ['localhost', '127.0.0.1'].flatMap((host) =>
  DEVELOPMENT_PORTS.map((port) => `http://${host}:${port}`),
);

function originProblem(origin: string): string | undefined {
  const whole = URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).origin === origin;
  return origin === '*' || whole ? undefined : `"${origin}" must be an origin such as https://www.example.org, or *.`;
}

const headerProblem = (name: string): string | undefined =>
  /^[A-Za-z0-9-]{1,100}$/.test(name) ? undefined : `"${name}" is not the name of a header.`;

/** Pages of other origins that may call the API. A user who may change this setting can let any page act with the rights of its visitors. */
export const corsPanel = definePanel({
  id: 'cors',
  title: 'Cross-origin requests',
  group: 'Security',
  permission: MANAGE_PORTAL,
  settings: [
    list('allow_origin', {
      title: 'Origins',
      description: 'Whose pages may call the API, such as https://www.example.org; * for all.',
      default: DEVELOPMENT_ORIGINS,
      record: 'canopy.cors.allow_origin',
      problem: originProblem,
    }),
    several('allow_methods', {
      title: 'Methods',
      description: 'What those pages may do.',
      default: METHODS,
      record: 'canopy.cors.allow_methods',
      choices: () => plainChoices(METHODS),
    }),
    list('allow_headers', {
      title: 'Request headers',
      description: 'Headers that those pages may send.',
      default: [
        ...['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'Lock-Token'],
        ...['Prefer', 'X-Custom-Header'],
      ],
      record: 'canopy.cors.allow_headers',
      problem: headerProblem,
    }),
    list('expose_headers', {
      title: 'Response headers',
      description: 'Headers of answers that those pages may read.',
      default: ['Content-Disposition', 'Content-Length', 'ETag', 'Link', 'Location', 'Retry-After', 'X-Total-Count'],
      record: 'canopy.cors.expose_headers',
      problem: headerProblem,
    }),
    flag('allow_credentials', {
      title: 'With credentials',
      description: 'Whether browsers send the cookies of the visitor along. Not for all origins.',
      default: false,
      record: 'canopy.cors.allow_credentials',
    }),
    whole('max_age', {
      title: 'Seconds to remember',
      description: 'How long browsers need not ask again.',
      default: 3600,
      minimum: 0,
      maximum: DAY,
      required: true,
      record: 'canopy.cors.max_age',
    }),
  ],
  check: ({ allow_origin: origins, allow_credentials: credentials }) =>
    credentials === true && textsOf(origins).includes('*')
      ? [{ field: 'allow_credentials', message: 'Is not possible with the origin *: name the origins.' }]
      : [],
});
