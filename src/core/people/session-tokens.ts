import type { Database, Queryable } from '../../database/database.ts';
import { Unauthorized } from '../../lib/errors.ts';
import { type Account, loadAccount } from './accounts.ts';
import { clientNetwork } from './credentials.ts';
import type { TokenClaims } from './keyring.ts';
import { lacksSecondFactor, rejectWithoutFactor } from './second-factor.ts';
import {
  forgetToken,
  isTokenKept,
  keepToken,
  loadTokenVersions,
  type TokenOrigin,
  type TokenVersions,
} from './statements/tokens.ts';
import {
  isOutdated,
  namesUnknownKey,
  signToken,
  type TokenOptions,
  type TokenSigner,
  validFrom,
  verifyToken,
} from './tokens.ts';

/** The purpose of the tokens that `@login` gives out. */
const SESSION = 'session';
/** Maximum number of stored characters of a `User-Agent`. */
const MAX_AGENT_LENGTH = 200;

/** Context of session tokens: the signer and the database. */
export type SessionContext = TokenSigner & {
  db: Database;
  /** Updates keys and options to the versions that were read from the database, because notifications of changes may be late or lost. */
  confirm: (seen: TokenVersions) => Promise<void>;
};

/** The client of a token without a known client. */
const UNKNOWN: TokenOrigin = { network: '', agent: '' };

/** The authentication method of a login with a provider, which is responsible for second factors. */
const PROVIDER = 'provider';
/** Methods of login other than a password. */
export type LoginMethod = typeof PROVIDER;

/** Issues a session token for a user, and if the options say so stores it with its origin. `amr` is the method of the login. */
export async function issueSessionToken(
  context: SessionContext,
  account: Account,
  origin: TokenOrigin = UNKNOWN,
  amr?: string,
): Promise<string> {
  await context.confirm(account.versions);
  return issue(context, context.db, { account, origin, amr });
}

/**
 * A new session token in place of `old` (null: the user came with a password). If tokens are stored, the old token becomes invalid; of two renewals
 * of one token, only one succeeds.
 * @throws Unauthorized when the old token has been revoked in the meantime.
 */
export async function renewSessionToken(
  context: SessionContext,
  { account, token: old }: { account: Account; token: TokenClaims | null },
  origin: TokenOrigin = UNKNOWN,
): Promise<string> {
  await context.confirm(account.versions);
  if (old?.amr !== PROVIDER && lacksSecondFactor(context.tokenOptions(), account)) rejectWithoutFactor();
  const amr = old?.amr;
  if (old === null || !isStored(context.tokenOptions(), old.exp))
    return issueSessionToken(context, account, origin, amr);
  return context.db.transaction(async (tx) => {
    if (!(await forgetToken(tx, old.jti)))
      throw new Unauthorized('The session has ended. Log in again.', 'Invalid session');
    return issue(context, tx, { account, origin, amr });
  });
}

/**
 * Ends a session. Returns true if the token was invalidated: only stored tokens can be, see `isStored`; other tokens stay valid until they expire.
 */
export async function revokeSessionToken(context: SessionContext, claims: TokenClaims): Promise<boolean> {
  return isStored(context.tokenOptions(), claims.exp) && (await forgetToken(context.db, claims.jti)) !== undefined;
}

/**
 * The user of a session token, with its claims. Null when the token is forged, expired, revoked, made for another purpose or older than the user's
 * password, or the user is removed.
 */
export async function verifySessionToken(
  context: SessionContext,
  token: string,
): Promise<{ account: Account; claims: TokenClaims } | null> {
  const early = (await verifyToken(context, token, SESSION)) ?? (await verifyWithPresentKeys(context, token));
  if (!early) return null;
  const account = await loadAccount(context.db, early.sub, context.now());
  if (!account) return null;
  await context.confirm(account.versions);
  // Verified once more, because the keys and the options may have changed; usually the result is in memory.
  const claims = await verifyToken(context, token, SESSION);
  if (!claims || isOutdated(claims, account, context.now())) return null;
  if (isStored(context.tokenOptions(), claims.exp) && !(await isTokenKept(context.db, claims.jti, claims.sub)))
    return null;
  return { account, claims };
}

/** The origin of a session, from a request: the network of its address, and the start of its `User-Agent`. */
export const originOf = (address: string, userAgent: string): TokenOrigin => ({
  network: clientNetwork(address),
  agent: userAgent.replaceAll('\0', '').slice(0, MAX_AGENT_LENGTH),
});

/** The user of a session token, by the keys in memory; null for any other string. It does not check if the token is still valid. */
export async function sessionOwner(signer: TokenSigner, token: string): Promise<string | null> {
  return (await verifyToken(signer, token, SESSION))?.sub ?? null;
}

/** Verifies a token again with the keys and options of the database, because it names a key that may be newer than the keys in memory. */
async function verifyWithPresentKeys(context: SessionContext, token: string): Promise<TokenClaims | null> {
  if (!namesUnknownKey(context, token)) return null;
  await context.confirm(await loadTokenVersions(context.db));
  return verifyToken(context, token, SESSION);
}

/**
 * Says if a token with this expiry is stored in the database, so that it can be revoked: the option `store_tokens` must be on and, for a token that
 * never expires, `use_keyring` off (specification, Authentication 3). Otherwise its row would outlive the key that signed it.
 */
function isStored(options: TokenOptions, exp: number | null): boolean {
  return options.store_tokens && (exp !== null || !options.use_keyring);
}

async function issue(
  context: SessionContext,
  db: Queryable,
  { account, origin, amr }: { account: Account; origin: TokenOrigin; amr: string | undefined },
): Promise<string> {
  const options = context.tokenOptions();
  const { token, claims } = await signToken(context, {
    use: SESSION,
    sub: account.caller.id,
    fullname: account.caller.fullname,
    timeout: options.token_timeout,
    amr,
    asOf: account.asOf,
    validFrom: validFrom(account),
  });
  if (isStored(options, claims.exp)) {
    const expires = claims.exp === null ? null : new Date(claims.exp * 1000);
    const kept = { ...origin, id: claims.jti, account: claims.sub, issued: new Date(claims.iat * 1000), expires };
    await keepToken(db, kept, context.now());
  }
  return token;
}
