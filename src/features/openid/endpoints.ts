import { Type } from 'typebox';
import { loadAccount } from '../../auth/accounts.ts';
import { PROVIDER } from '../../auth/session-tokens.ts';
import { Unauthorized } from '../../lib/errors.ts';
import { headerOf } from '../../services/content/represent-path.ts';
import type { LoginOptions } from '../../services/feature.ts';
import { startSession } from '../../services/login.ts';
import { defineService, type RequestContext, type Service } from '../../services/service.ts';
import type { OpenidSettings } from '../../site/config.ts';
import { frontOf, requireSettings } from './addresses.ts';
import { type Claims, personOf } from './claims.ts';
import { accountOf } from './find-account.ts';
import { findPending, type PendingLogin, pendingCookie, safePath } from './pending-login.ts';
import { loadClient, openidSettings, PROVIDER_SLOT } from './provider.ts';

/** Below `++api++`, so that the proxy of a front end leads it here, too. */
const addressOf = (base: string): string => `${base}/++api++/@login-openid`;

/** The provider as `@login` lists it. */
export const openidOptions: LoginOptions = ({ kernel, base }) => {
  const settings = openidSettings(kernel);
  return settings ? [{ id: 'openid', plugin: 'openid', title: settings.title, url: addressOf(base) }] : [];
};

/** GET `@login-openid`: to the provider. */
const beginLogin = defineService({
  name: '@login-openid',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  tag: 'login',
  summary: 'Sends a browser to the provider to log in there (OpenID Connect, authorization code with PKCE).',
  query: Type.Object({
    came_from: Type.Optional(
      Type.String({
        description: 'Path of the front end to come back to; `/` for any other address.',
        maxLength: 2000,
      }),
    ),
  }),
  responses: {
    302: { description: 'The address of the provider.', headers: { Location: { description: 'Where to go.' } } },
    404: { description: 'The site has no provider.' },
    502: { description: 'The provider does not answer.' },
  },
  async run(context) {
    const { kernel, base, query } = context;
    const settings = requireSettings(context);
    const configuration = await kernel.slots.get(PROVIDER_SLOT).configuration(settings);
    const client = await loadClient();
    const login: PendingLogin = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      cameFrom: safePath(query.came_from),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${addressOf(base)}/callback`,
      scope: settings.scope,
      state: login.state,
      nonce: login.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: 'S256',
    });
    const cookie = await pendingCookie(kernel, login, base.startsWith('https:'));
    return { status: 302, headers: { Location: url.href, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } };
  },
});

/** Whom the provider has logged in. Throws Unauthorized when anything in its response is wrong. */
async function claimsOf(
  { kernel, base, searchParams }: RequestContext,
  settings: OpenidSettings,
  login: PendingLogin,
): Promise<Claims & { sub: string }> {
  const configuration = await kernel.slots.get(PROVIDER_SLOT).configuration(settings);
  const client = await loadClient();
  try {
    const answer = await client.authorizationCodeGrant(
      configuration,
      new URL(`${addressOf(base)}/callback?${searchParams}`),
      {
        pkceCodeVerifier: login.verifier,
        expectedState: login.state,
        expectedNonce: login.nonce,
        idTokenExpected: true,
      },
    );
    const claims = answer.claims();
    if (!claims) throw new Error('The provider sent no ID token');
    const { userinfo_endpoint: more } = configuration.serverMetadata();
    const info = more ? await client.fetchUserInfo(configuration, answer.access_token, claims.sub) : {};
    return { ...info, ...claims };
  } catch (error) {
    // What a browser brings can be anything, and what a provider refuses is no fault of this server.
    kernel.log.warn({ err: error }, 'a login with the provider failed');
    throw new Unauthorized('The login with the provider has failed. Try again.', 'Provider login failed');
  }
}

/** GET `@login-openid/callback`: back from the provider. */
const endLogin = defineService({
  name: '@login-openid',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  tag: 'login',
  summary: 'Takes a browser back from the provider, logs its user in and sends it to the front end.',
  rest: ['callback'],
  responses: {
    302: {
      description: 'Logged in: the cookie `auth_token` has the token.',
      headers: { Location: { description: 'The front end.' }, 'Set-Cookie': { description: 'The token.' } },
    },
    401: { description: 'The provider has not logged the user in, or there is no account for the user.' },
    404: { description: 'The site has no provider.' },
  },
  async run(context) {
    const { kernel, auth, base } = context;
    const settings = requireSettings(context);
    const login = await findPending(kernel, headerOf(context, 'cookie') ?? '');
    if (!login || context.searchParams.get('state') !== login.state)
      throw new Unauthorized('This login was not begun here, or took too long. Begin again.', 'Provider login failed');
    const claims = await claimsOf(context, settings, login);
    const id = await accountOf(kernel, settings, { subject: claims.sub, person: personOf(claims, settings) });
    const account = await loadAccount(kernel.db, id, auth.now());
    if (!account) throw new Unauthorized('You cannot log in on this site any more.', 'No account');
    const token = await startSession(context, account, PROVIDER);
    const front = frontOf(context);
    const secure = base.startsWith('https:') ? '; Secure' : '';
    const { token_timeout: seconds } = auth.tokenOptions();
    // Front ends read the token by script, so it cannot be kept from them.
    const cookie = `auth_token=${token}; Path=/; SameSite=Lax${seconds > 0 ? `; Max-Age=${seconds}` : ''}${secure}`;
    return {
      status: 302,
      headers: { Location: front + login.cameFrom, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' },
    };
  },
});

export const openidServices: Service[] = [beginLogin, endLogin];
