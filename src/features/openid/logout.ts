import { defineService, type loginProvider, logins, type RequestContext, requests } from '#core';
import { NotFound } from '#lib/errors';
import { frontOf } from './addresses.ts';
import { loadClient, PROVIDER_CLIENTS } from './provider.ts';
import { activeProviders, requireProvider } from './providers.ts';
import { linkedAccounts } from './statements/provider-accounts.ts';
import { noProviderCookie, usedProvider } from './used-provider.ts';

/**
 * The provider for the logout of a browser: the provider of its login, else a provider of an account of the user, and after the end of the session
 * the site's provider if it has only one.
 */
async function providerOf(
  context: RequestContext,
  all: readonly loginProvider.LoginProvider[],
): Promise<loginProvider.LoginProvider | undefined> {
  const { db, caller } = context;
  const used = usedProvider(requests.headerOf(context, 'cookie') ?? '');
  const found = all.find(({ id }) => id === used);
  if (found) return found;
  if (caller.id === null) return all.length === 1 ? all[0] : undefined;
  const issuers = new Set((await linkedAccounts(db, caller.id)).map(({ issuer }) => issuer));
  return all.find(({ issuer }) => issuers.has(issuer));
}

/**
 * GET `@logout-openid`: the user is logged out here, and at the provider (OpenID Connect RP-Initiated Logout), which sends the browser on to the
 * front end. Browsers without a provider are redirected to the front end at once.
 */
export const logoutOpenid = defineService({
  name: '@logout-openid',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  waitsFor: 'provider',
  tag: 'login',
  summary: 'Logs a browser out of the site and of the provider.',
  responses: {
    302: {
      description: 'Logged out of the site.',
      headers: {
        Location: { description: 'Where the provider logs the browser out, or the front end.' },
        'Set-Cookie': { description: 'Takes the token away.' },
      },
    },
    404: { description: 'The site has no provider.' },
    503: { description: 'The provider cannot be reached.' },
  },
  async run(context) {
    const { kernel, site, base } = context;
    const all = activeProviders(kernel, site);
    if (all.length === 0) throw new NotFound('/@logout-openid', 'This site has no provider to log out of.');
    const found = await providerOf(context, all);
    const front = `${frontOf(context)}/`;
    const to = found ? await endAddress(context, found.id, front) : front;
    await logins.endSession(context);
    const isSecure = base.startsWith('https:');
    const cookies = [
      `auth_token=; Path=/; SameSite=Lax; Max-Age=0${isSecure ? '; Secure' : ''}`,
      noProviderCookie(isSecure),
    ];
    return { status: 302, headers: { Location: to, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' } };
  },
});

/** The address at which a provider logs a browser out, or the front end when the provider has none. */
async function endAddress({ kernel, site }: RequestContext, id: string, front: string): Promise<string> {
  const provider = await requireProvider(kernel, site, id);
  const configuration = await kernel.slots.get(PROVIDER_CLIENTS).configuration(kernel, provider);
  if (configuration.serverMetadata().end_session_endpoint === undefined) return front;
  return (await loadClient()).buildEndSessionUrl(configuration, { post_logout_redirect_uri: front }).href;
}
