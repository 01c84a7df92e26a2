import { createHash, randomBytes } from 'node:crypto';
import { type Authenticator, type AuthenticatorOf, clientNetwork } from '#core';
import { noteUse, tokenByHash } from './statements.ts';

/** The prefix of all tokens, by which programs find leaked secrets. */
const PREFIX = 'canopy_';
const RANDOM_BYTES = 32;
const BEARER = /^Bearer +(canopy_[A-Za-z0-9_-]{43}) *$/i;
const PREFIXED = /^Bearer +canopy_/i;

/** Milliseconds within which further uses of a token are not noted, so that requests need no write each. */
const NOTED_MS = 5 * 60_000;

/** A new token: 256 random bits behind the prefix. */
export const newToken = (): string => PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');

/** The hash under which a token is stored. A plain digest is enough, because tokens are random. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * Personal access tokens in the header `Authorization`. They are read for each request, so that a revoked one is worth nothing
 * at once on all processes. Responses are kept in memory until the next use is to be noted at most.
 */
export const accessTokens: AuthenticatorOf = ({ kernel, auth }): Authenticator => ({
  name: 'access-tokens',
  async authenticate({ authorization = '', address }) {
    if (!PREFIXED.test(authorization)) return undefined;
    const token = BEARER.exec(authorization)?.[1];
    const now = auth().now();
    const found = token && (await tokenByHash(kernel.db, hashToken(token), now));
    if (!found) return null;
    const { id, account, methods, expires, paths, used } = found;
    const before = new Date(now.getTime() - NOTED_MS);
    if (used === null || used < before)
      await noteUse(kernel.db, { token: id, used: now, network: clientNetwork(address), before });
    const noted = new Date(now.getTime() + NOTED_MS);
    return {
      user: account,
      inPerson: false,
      limits: { methods: methods ?? undefined, paths: paths ?? undefined },
      until: expires !== null && expires < noted ? expires : noted,
    };
  },
});
