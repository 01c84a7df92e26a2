import { type Authenticator, type AuthenticatorOf, requests } from '#core';
import { hashToken, newToken } from '#lib/text/random-token';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { noteUse, tokenByHash } from './statements.ts';

/** The prefix of all tokens, by which programs find leaked secrets. */
const PREFIX = 'canopy_';
const BEARER = /^Bearer +(canopy_[A-Za-z0-9_-]{43}) *$/i;
const PREFIXED = /^Bearer +canopy_/i;

/** Milliseconds within which further uses of a token are not noted, so that requests need no write each. */
const NOTED_MS = 5 * MINUTE_MS;

/** Makes a token behind the prefix. */
export const newAccessToken = (): string => newToken(PREFIX);

/**
 * Personal access tokens in the header `Authorization`. The database is asked for the token of each request, so that a revoked token ends at once on
 * all processes. Responses are cached no longer than until the next use has to be noted.
 */
export const accessTokens: AuthenticatorOf = ({ kernel, auth }): Authenticator => ({
  name: 'access-tokens',
  async authenticate({ authorization = '', address }) {
    if (!PREFIXED.test(authorization)) return undefined;
    const token = BEARER.exec(authorization)?.[1];
    const now = auth().now();
    const found = token && (await tokenByHash(kernel.db, hashToken(token), now));
    if (!found) return null;
    const { id, account, name, methods, scopes, publishes, expires, paths, used } = found;
    const before = new Date(now.getTime() - NOTED_MS);
    if (used === null || used < before)
      await noteUse(kernel.db, { token: id, used: now, network: requests.networkOf(address), before });
    const noted = new Date(now.getTime() + NOTED_MS);
    return {
      user: account,
      inPerson: false,
      limits: { methods: methods ?? undefined, paths: paths ?? undefined, scopes: scopes ?? undefined },
      ...(scopes && { agent: { name, publishes } }),
      until: expires !== null && expires < noted ? expires : noted,
    };
  },
});
