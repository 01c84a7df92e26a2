import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { type Authenticator, type AuthenticatorOf, callers, type Kernel, type loginProvider } from '#core';
import { PROVIDER_CLIENTS } from '../openid/provider.ts';
import { activeProviders, requireProvider } from '../openid/providers.ts';
import { findProviderAccount } from '../openid/statements/provider-accounts.ts';
import { resourceOf } from './resource.ts';

/** A token in three parts, as JSON Web Tokens are. */
const JWT = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;
/** Characters of a token. */
const MAX_TOKEN_LENGTH = 8192;
/** Seconds by which the clocks of the provider and of this server may differ. */
const CLOCK_TOLERANCE_S = 5;
/** Signatures by private keys, which the provider alone has. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The issuer that a token names, unverified; undefined for what is no token. */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (error) {
    if (error instanceof errors.JWTInvalid || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The claims of an access token of a provider for the endpoint; undefined for a wrong one. Throws ServiceUnavailable. */
async function verified(
  kernel: Kernel,
  provider: loginProvider.LoginProvider,
  { token, audience, now }: { token: string; audience: string; now: Date },
): Promise<JWTPayload | undefined> {
  const keys = await kernel.slots.get(PROVIDER_CLIENTS).keys(kernel, provider);
  if (!keys) return undefined;
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer: provider.issuer, audience, algorithms: ALGORITHMS },
      ...{ clockTolerance: CLOCK_TOLERANCE_S, currentDate: now, requiredClaims: ['exp', 'sub'] },
    });
    return payload;
  } catch (error) {
    // What a client sends can be anything.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The scopes of an access token that this site knows: reading goes with each other. */
function scopesOf({ scope, scp }: JWTPayload): callers.AgentScope[] {
  const given = new Set([scope, scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : [])));
  const known = callers.AGENT_SCOPES.filter((name) => given.has(name));
  return known.length > 0 && !known.includes('read') ? ['read', ...known] : known;
}

/** The program that an access token was given to. */
function clientOf({ client_id: id, azp }: JWTPayload): string {
  const name = [id, azp].find((one) => typeof one === 'string');
  return typeof name === 'string' ? name.slice(0, 200) : 'unknown';
}

/**
 * Access tokens of the site's OpenID providers, for agents. They stand for the user who has logged in here with the same account of the
 * provider before; a token makes no user. They must name the endpoint as their audience: tokens for other services are refused.
 */
export const providerTokens: AuthenticatorOf = ({ kernel, auth }): Authenticator => ({
  name: 'provider-tokens',
  async authenticate({ authorization = '' }) {
    const [, token] = authorization.length > MAX_TOKEN_LENGTH ? [] : (JWT.exec(authorization) ?? []);
    // Those that this site has signed and checked name no issuer.
    if (token === undefined || auth().keyring.verified.has(token)) return undefined;
    const issuer = claimedIssuer(token);
    if (issuer === undefined) return undefined;
    const site = await kernel.sites.current();
    const named = activeProviders(kernel, site).find((one) => one.issuer === issuer);
    if (!named) return undefined;
    const audience = resourceOf(kernel, site);
    if (audience === undefined) return null;
    const provider = await requireProvider(kernel, site, named.id);
    const claims = await verified(kernel, provider, { token, audience, now: auth().now() });
    const { sub, exp } = claims ?? {};
    if (!claims || sub === undefined || exp === undefined) return null;
    const known = await findProviderAccount(kernel.db, issuer, sub);
    if (!known) return null;
    return {
      user: known.account,
      inPerson: false,
      limits: { scopes: scopesOf(claims) },
      agent: { name: clientOf(claims), publishes: false },
      until: new Date(exp * 1000),
    };
  },
});
