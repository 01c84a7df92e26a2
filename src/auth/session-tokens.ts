import { Unauthorized } from '../lib/errors.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { forgetToken, isTokenKept, keepToken } from '../storage/statements/tokens.ts';
import { type Account, loadAccount } from './accounts.ts';
import type { TokenClaims } from './keyring.ts';
import { isOutdated, signToken, type TokenOptions, type TokenSigner, verifyToken } from './tokens.ts';

/** The purpose of the tokens that `@login` gives out. */
const SESSION = 'session';

/** What the session tokens need: the signer and the database. */
export type SessionContext = TokenSigner & { db: Database };

/** A session token for a user, and kept when the options say so. */
export async function issueSessionToken(context: SessionContext, account: Account): Promise<string> {
  return issue(context, context.db, account);
}

/**
 * A new session token in place of `old` (null: the user came with a password). Where tokens are
 * stored the old one is invalid from then on; of two renewals of one token, one succeeds.
 * @throws Unauthorized when the old token has been revoked in the meantime.
 */
export async function renewSessionToken(
  context: SessionContext,
  account: Account,
  old: TokenClaims | null,
): Promise<string> {
  if (old === null || !isStored(context.tokenOptions(), old.exp)) return issueSessionToken(context, account);
  return context.db.transaction(async (tx) => {
    if (!(await forgetToken(tx, old.jti)))
      throw new Unauthorized('The session has ended. Log in again.', 'Invalid session');
    return issue(context, tx, account);
  });
}

/**
 * Ends a session. Answers whether the token was invalidated: only stored tokens can be, see
 * `isStored`; another stays valid until it expires.
 */
export async function revokeSessionToken(context: SessionContext, claims: TokenClaims): Promise<boolean> {
  return isStored(context.tokenOptions(), claims.exp) && (await forgetToken(context.db, claims.jti));
}

/**
 * The user that a session token stands for, with its claims. Null when it is forged, expired,
 * revoked, made for another purpose, older than the user's password, or the user is gone.
 */
export async function verifySessionToken(
  context: SessionContext,
  token: string,
): Promise<{ account: Account; claims: TokenClaims } | null> {
  const claims = await verifyToken(context, token, SESSION);
  if (!claims) return null;
  if (isStored(context.tokenOptions(), claims.exp) && !(await isTokenKept(context.db, claims.jti, claims.sub)))
    return null;
  const account = await loadAccount(context.db, claims.sub, context.now());
  return account && !isOutdated(claims, account) ? { account, claims } : null;
}

/**
 * Whether a token with this expiry is kept in the database, which is what makes it revocable: the
 * option `store_tokens` must be on and, for one that never expires, `use_keyring` off
 * (specification, Authentication 3). Otherwise its row would outlive the key that signed it.
 */
function isStored(options: TokenOptions, exp: number | null): boolean {
  return options.store_tokens && (exp !== null || !options.use_keyring);
}

async function issue(context: SessionContext, db: Queryable, account: Account): Promise<string> {
  const options = context.tokenOptions();
  const { token, claims } = await signToken(context, {
    use: SESSION,
    sub: account.caller.id,
    fullname: account.caller.fullname,
    timeout: options.token_timeout,
    asOf: account.asOf,
  });
  if (isStored(options, claims.exp)) {
    const expires = claims.exp === null ? null : new Date(claims.exp * 1000);
    await keepToken(db, { id: claims.jti, account: claims.sub, expires }, context.now());
  }
  return token;
}
