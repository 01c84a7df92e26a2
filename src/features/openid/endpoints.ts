import { Type } from 'typebox';
import { accounts, defineService, logins, type RequestContext, type Service } from '#core';
import { Unauthorized } from '#lib/errors';
import { frontOf, loginAddress } from './addresses.ts';
import { personOf } from './claims.ts';
import { beginWith, claimsOf, requirePending } from './exchange.ts';
import { accountOf } from './find-account.ts';
import { endedCookie, safePath } from './pending-login.ts';
import { activeProviders, requireProvider } from './providers.ts';
import { usedProviderCookie } from './used-provider.ts';

/** Returns the providers for the list of `@login`: a login service for each. */
export const openidOptions = ({ kernel, site, base }: Pick<RequestContext, 'kernel' | 'site' | 'base'>) =>
  activeProviders(kernel, site).map(({ id, title }) => ({
    ...{ id, plugin: 'openid', title },
    url: loginAddress(base, id),
  }));

const UNAVAILABLE = { description: 'The provider cannot be reached.' };

export const CAME_FROM = Type.String({
  description: 'Path of the front end to come back to; `/` for any other address.',
  maxLength: 2000,
});

const login = {
  name: '@login-openid',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  waitsFor: 'provider',
  tag: 'login',
} as const;

/** GET `@login-openid/<provider>`: redirects to the provider. */
const beginLogin = defineService({
  ...login,
  summary: 'Sends a browser to a provider to log in there (OpenID Connect, authorization code with PKCE).',
  rest: ['', '{provider}'],
  query: Type.Object({ came_from: Type.Optional(CAME_FROM) }),
  responses: {
    302: { description: 'The address of the provider.', headers: { Location: { description: 'Where to go.' } } },
    404: { description: 'The site has no such provider.' },
    503: UNAVAILABLE,
  },
  async run(context) {
    const { kernel, site, params, query } = context;
    const provider = await requireProvider(kernel, site, params.provider);
    const { url, cookie } = await beginWith(context, provider, { cameFrom: safePath(query.came_from), link: null });
    return { status: 302, headers: { Location: url, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } };
  },
});

/** GET `@login-openid/<provider>/callback`: ends the login when the browser returns from the provider. */
const endLogin = defineService({
  ...login,
  summary:
    'Takes a browser back from a provider, logs its user in or links the account, and sends it to the front end.',
  rest: ['callback', '{provider}/callback'],
  overrides: true,
  responses: {
    302: {
      description: 'Logged in: the cookie `auth_token` has the token. Nothing of it where an account was linked.',
      headers: { Location: { description: 'The front end.' }, 'Set-Cookie': { description: 'The token.' } },
    },
    401: { description: 'The provider has not logged the user in, or there is no account for the user.' },
    404: { description: 'The site has no such provider.' },
    409: { description: 'The account was to be linked, and is linked with another user.' },
    503: UNAVAILABLE,
  },
  async run(context) {
    const { kernel, site, auth, base, params } = context;
    const provider = await requireProvider(kernel, site, params.provider);
    const pending = await requirePending(context, provider);
    const { link } = pending;
    if (link !== null && !(await accounts.load(kernel.db, link, auth.now())))
      throw new Unauthorized('You cannot log in on this site any more.', 'No account');
    const claims = await claimsOf(context, provider, pending);
    const id = await accountOf(kernel, provider, { subject: claims.sub, person: personOf(claims, provider), link });
    const isSecure = base.startsWith('https:');
    const cookies = [endedCookie(isSecure)];
    if (link === null) {
      const account = await accounts.load(kernel.db, id, auth.now());
      if (!account) throw new Unauthorized('You cannot log in on this site any more.', 'No account');
      const token = await logins.startSession(context, account, 'provider');
      const { token_timeout: seconds } = auth.tokenOptions();
      const age = seconds > 0 ? `; Max-Age=${seconds}` : '';
      // Front ends read the token by script, so the cookie is not HttpOnly.
      cookies.push(
        `auth_token=${token}; Path=/; SameSite=Lax${age}${isSecure ? '; Secure' : ''}`,
        usedProviderCookie(provider.id, isSecure),
      );
    }
    return {
      status: 302,
      headers: { Location: frontOf(context) + pending.cameFrom, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' },
    };
  },
});

export const openidServices: Service[] = [beginLogin, endLogin];
