import {
  completeProvider,
  FIRST_PROVIDER,
  isIssuer,
  type LoginProvider,
  parseProviders,
} from '../site/login-provider.ts';
import { ConfigError, type GetSetting, parseSwitch } from './setting-names.ts';

/** The provider that has settings of its own; undefined when none of these settings is given. */
function parseOpenid(get: GetSetting): LoginProvider | undefined {
  const [issuer, clientId] = [get('OPENID_ISSUER'), get('OPENID_CLIENT_ID')];
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined)
    throw new ConfigError('A provider to log in with needs both of OPENID_ISSUER and OPENID_CLIENT_ID.');
  if (!isIssuer(issuer))
    throw new ConfigError(
      `OPENID_ISSUER must be an address that begins with https://, unless the provider runs on this machine, not "${issuer}".`,
    );
  const roles = (get('OPENID_ROLES') ?? '')
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map((part) => part.trim()))
    .map(([value = '', role = '']) => [value, role] as const);
  if (roles.some(([value, role]) => value === '' || role === ''))
    throw new ConfigError('OPENID_ROLES must be pairs such as editors=Editor, separated by commas.');
  const [scope, groups, ofRoles] = [get('OPENID_SCOPE'), get('OPENID_GROUPS_CLAIM'), get('OPENID_ROLES_CLAIM')];
  const data = {
    ...{ id: FIRST_PROVIDER, issuer, client_id: clientId, title: get('OPENID_TITLE') ?? 'OpenID Connect' },
    ...(scope === undefined ? {} : { scope }),
    ...(groups === undefined ? {} : { groups_claim: groups }),
    ...(ofRoles === undefined ? {} : { roles_claim: ofRoles }),
    create_users: parseSwitch(get, 'OPENID_CREATE_USERS', '0'),
    link_by_email: parseSwitch(get, 'OPENID_LINK_BY_EMAIL', '0'),
  };
  return { ...completeProvider(data, get('OPENID_CLIENT_SECRET')), roles };
}

/** Parses the login providers of the environment: the provider with settings of its own comes first. Throws ConfigError. */
export function parseLoginProviders(get: GetSetting): LoginProvider[] {
  const first = parseOpenid(get);
  const others = parseProviders(get('OPENID_PROVIDERS') ?? '[]');
  // The text has secrets, so it is not repeated.
  if (typeof others === 'string') throw new ConfigError(`OPENID_PROVIDERS ${others}.`);
  if (first && others.some(({ id }) => id === first.id))
    throw new ConfigError(`OPENID_PROVIDERS has the provider "${first.id}", which OPENID_ISSUER describes as well.`);
  return first ? [first, ...others] : others;
}
