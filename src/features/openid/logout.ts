import { endSession } from '../../services/login.ts';
import { defineService } from '../../services/service.ts';
import { frontOf, requireSettings } from './addresses.ts';
import { loadClient, PROVIDER_SLOT } from './provider.ts';
import { linkedAccounts } from './statements.ts';

/**
 * GET `@logout-openid`: the user is logged out here, and at the provider (OpenID Connect RP-Initiated Logout), which sends the browser
 * on to the front end. Who has no account with the provider is sent there at once.
 */
export const logoutOpenid = defineService({
  name: '@logout-openid',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
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
    502: { description: 'The provider does not answer.' },
  },
  async run(context) {
    const { kernel, db, caller, base } = context;
    const settings = requireSettings(context);
    const configuration = await kernel.slots.get(PROVIDER_SLOT).configuration(settings);
    const front = `${frontOf(context)}/`;
    const linked = caller.id === null ? [] : await linkedAccounts(db, caller.id);
    const isKnown = caller.id === null || linked.some(({ issuer }) => issuer === settings.issuer);
    const canEnd = configuration.serverMetadata().end_session_endpoint !== undefined;
    const to =
      isKnown && canEnd
        ? (await loadClient()).buildEndSessionUrl(configuration, { post_logout_redirect_uri: front }).href
        : front;
    await endSession(context);
    const secure = base.startsWith('https:') ? '; Secure' : '';
    const cookie = `auth_token=; Path=/; SameSite=Lax; Max-Age=0${secure}`;
    return { status: 302, headers: { Location: to, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } };
  },
});
