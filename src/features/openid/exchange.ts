import { type loginProvider, type RequestContext, requests } from '#core';
import { Unauthorized } from '#lib/errors';
import { callbackAddress } from './addresses.ts';
import type { Claims } from './claims.ts';
import { findPending, LIFETIME_SECONDS, type PendingLogin, pendingCookie } from './pending-login.ts';
import { isDown, loadClient, PROVIDER_CLIENTS, reportDown } from './provider.ts';
import { spendLogin } from './statements/spent-logins.ts';

type Begun = { url: string; cookie: string };

/**
 * Begins a login with a provider: returns the address for the browser, and the cookie that it needs to return. `link` is the user who links an
 * account of the provider with their own, null for a login.
 */
export async function beginWith(
  { kernel, base }: Pick<RequestContext, 'kernel' | 'base'>,
  provider: loginProvider.LoginProvider,
  { cameFrom, link }: Pick<PendingLogin, 'cameFrom' | 'link'>,
): Promise<Begun> {
  const configuration = await kernel.slots.get(PROVIDER_CLIENTS).configuration(kernel, provider);
  const client = await loadClient();
  const login: PendingLogin = {
    ...{ provider: provider.id, cameFrom, link },
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackAddress(base, provider.id),
    scope: provider.scope,
    state: login.state,
    nonce: login.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, cookie: await pendingCookie(kernel, login, base.startsWith('https:')) };
}

/**
 * Uses up and returns the login that a browser has begun with a provider and returns with. @throws Unauthorized when the login was not begun in this
 * browser or with this provider, or was used before
 */
export async function requirePending(
  context: RequestContext,
  provider: loginProvider.LoginProvider,
): Promise<PendingLogin> {
  const { kernel, auth, searchParams } = context;
  const login = await findPending(kernel, requests.headerOf(context, 'cookie') ?? '');
  if (!login || searchParams.get('state') !== login.state || login.provider !== provider.id)
    throw new Unauthorized('This login was not begun here, or took too long. Begin again.', 'Provider login failed');
  const now = auth.now();
  const before = new Date(now.getTime() - 2 * LIFETIME_SECONDS * 1000);
  if (!(await spendLogin(kernel.db, { state: login.state, now, before })))
    throw new Unauthorized('This login has come back already. Begin again.', 'Provider login failed');
  return login;
}

/**
 * Returns the claims of a provider about the user who has logged in there.
 * @throws Unauthorized when anything in the provider's response is wrong, ServiceUnavailable when it does not respond
 */
export async function claimsOf(
  { kernel, base, searchParams }: RequestContext,
  provider: loginProvider.LoginProvider,
  login: PendingLogin,
): Promise<Claims & { sub: string }> {
  const configuration = await kernel.slots.get(PROVIDER_CLIENTS).configuration(kernel, provider);
  const client = await loadClient();
  try {
    const answer = await client.authorizationCodeGrant(
      configuration,
      new URL(`${callbackAddress(base, provider.id)}?${searchParams}`),
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
    if (isDown(error)) throw reportDown(kernel, provider, error);
    // Neither wrong data from a browser nor a rejection by the provider is a fault of this server.
    kernel.log.warn({ err: error, provider: provider.id }, 'a login with the provider failed');
    throw new Unauthorized('The login with the provider has failed. Try again.', 'Provider login failed');
  }
}
