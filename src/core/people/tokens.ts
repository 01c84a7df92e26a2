import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { Keyring, TokenClaims } from './keyring.ts';

/** Options of tokens, by the names of Plone's plugin for tokens. */
export type TokenOptions = {
  /** Lifetime of a session token in seconds; 0 for tokens that never expire. */
  token_timeout: number;
  /** True to sign with the rotating keys of the ring; false for one static secret of the site. */
  use_keyring: boolean;
  /** True to store the id of every session token, so that a logout can invalidate the token. */
  store_tokens: boolean;
  /** Roles whose users can only log in with a second factor. */
  second_factor_roles?: readonly string[];
};

/** Context for signing and verifying: the keys, the options in force, and the time. */
export type TokenSigner = { keyring: Keyring; tokenOptions: () => TokenOptions; now: () => Date };

const ALGORITHM = 'HS256';
// Maximum length of the name in a session token: the token is in a cookie in base64, and browsers cut cookies at 4096 bytes.
const MAX_FULLNAME_LENGTH = 200;
const MAX_TOKEN_LENGTH = 8192;

/**
 * Signs a token for one purpose, `use`: a token for a password reset never counts as a session, and a session token never resets a password.
 *
 * `asOf` is the time at which the data for the token were read from the database; it becomes `iat`, so a password change between the read and the
 * signing makes the token invalid. A later `validFrom` replaces `asOf`, when the clock was set back: see `isOutdated`. `timeout` is the lifetime in
 * seconds; 0 for a token that never expires.
 */
export async function signToken(
  signer: TokenSigner,
  token: {
    use: string;
    sub: string;
    fullname?: string;
    timeout: number;
    asOf: Date;
    validFrom?: Date;
    amr?: string | undefined;
  },
): Promise<{ token: string; claims: TokenClaims }> {
  if (!Number.isSafeInteger(token.timeout) || token.timeout < 0) {
    throw new RangeError(`The life of a token is a whole number of seconds, not ${token.timeout}.`);
  }
  const key = signer.keyring.signing(signer.tokenOptions().use_keyring);
  const asOf = token.asOf.getTime() / 1000;
  const claims: TokenClaims = {
    use: token.use,
    sub: token.sub,
    fullname: Array.from(token.fullname ?? '')
      .slice(0, MAX_FULLNAME_LENGTH)
      .join(''),
    // A fraction is a valid NumericDate (RFC 7519, 2). With whole seconds, a token from just before a password change could have the same time as a
    // token from just after it.
    iat: Math.max(asOf, (token.validFrom?.getTime() ?? 0) / 1000),
    exp: token.timeout === 0 ? null : Math.ceil(asOf) + token.timeout,
    jti: randomUUID(),
    ...(token.amr === undefined ? {} : { amr: token.amr }),
  };
  const { exp, ...lasting } = claims;
  const signed = await new SignJWT(exp === null ? lasting : { ...lasting, exp })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.id })
    .sign(key.key);
  return { token: signed, claims };
}

/**
 * The claims of a token that this site signed for the purpose `use` and that has not expired; null for any other string. It does not check if the
 * user still exists and if the token was revoked.
 */
export async function verifyToken(signer: TokenSigner, token: string, use: string): Promise<TokenClaims | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const claims = recall(signer, token) ?? (await checkSignature(signer, token));
  return claims?.use === use ? claims : null;
}

/** Says if a token names a signing key that is not in memory or does not count with the present options. */
export function namesUnknownKey({ keyring, tokenOptions }: TokenSigner, token: string): boolean {
  if (token.length > MAX_TOKEN_LENGTH) return false;
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' && keyring.find(kid, tokenOptions().use_keyring) === null;
  } catch (error) {
    // The parser reports a text that is no token by a TypeError.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The claims of a token whose signature was checked before; undefined if its key no longer counts or it has expired. */
function recall({ keyring, tokenOptions, now }: TokenSigner, token: string): TokenClaims | undefined {
  const known = keyring.verified.get(token);
  if (!known || !keyring.find(known.key, tokenOptions().use_keyring)) return undefined;
  const { exp } = known.claims;
  return exp === null || exp * 1000 > now().getTime() ? known.claims : undefined;
}

async function checkSignature(signer: TokenSigner, token: string): Promise<TokenClaims | null> {
  const useKeyring = signer.tokenOptions().use_keyring;
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      ({ kid }) => {
        const found = typeof kid === 'string' ? signer.keyring.find(kid, useKeyring) : null;
        if (!found) throw new errors.JWKSNoMatchingKey();
        return found.key;
      },
      { algorithms: [ALGORITHM], currentDate: signer.now() },
    );
    const { use, sub, fullname, iat, exp = null, jti } = payload;
    if (typeof use !== 'string' || typeof fullname !== 'string') return null;
    if (sub === undefined || iat === undefined || jti === undefined) return null;
    const { amr } = payload;
    const claims = { use, sub, fullname, iat, exp, jti, ...(typeof amr === 'string' ? { amr } : {}) };
    signer.keyring.verified.set(token, { key: protectedHeader.kid ?? '', claims });
    return claims;
  } catch (error) {
    // A faulty token means an anonymous caller. Faults of the server are not of this class.
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Maximum difference of the clocks of two processes, in milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 300_000;

/** The earliest `iat` of a valid token of an account. */
export const validFrom = (account: { created: Date; tokensValidFrom: Date }): Date =>
  new Date(Math.max(account.created.getTime(), account.tokensValidFrom.getTime()));

/**
 * Says if a token was issued before its user changed the password, or to an earlier user of the same id. Check this for every token of a user, for
 * any purpose. A token from the future was issued before the clock was set back, and would stay valid after changes of the password. It does not
 * count, unless its time is exactly `validFrom` of the account, which `signToken` sets while the clock is behind.
 */
export function isOutdated(claims: TokenClaims, account: { created: Date; tokensValidFrom: Date }, now: Date): boolean {
  const issued = Math.round(claims.iat * 1000);
  const first = validFrom(account).getTime();
  return issued < first || (issued > first && issued > now.getTime() + MAX_CLOCK_DIFFERENCE_MS);
}
