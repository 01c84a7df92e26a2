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
/** Characters of what a program says of itself that are kept. */
const MAX_AGENT_LENGTH = 200;

/** Context of session tokens: the signer and the database. */
export type SessionContext = TokenSigner & {
  db: Database;
  /** Brings keys and options to what the database had at a reading: notifications of changes may be late or lost. */
  confirm: (seen: TokenVersions) => Promise<void>;
};

/** The client of a token without a known client. */
const UNKNOWN: TokenOrigin = { network: '', agent: '' };

/** The authentication method of a login with a provider, which is responsible for second factors. */
const PROVIDER = 'provider';
/** How a user has logged in, beside by a password. */
export type LoginMethod = typeof PROVIDER;

/** A session token for a user, and kept when the options say so, together with where it was asked for. `amr` says how the user has logged in. */
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
 * A new session token in place of `old` (null: the user came with a password). Where tokens are
 * stored the old one is invalid from then on; of two renewals of one token, one succeeds.
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
 * Ends a session. Returns whether the token was invalidated: only stored tokens can be, see
 * `isStored`; another stays valid until it expires.
 */
export async function revokeSessionToken(context: SessionContext, claims: TokenClaims): Promise<boolean> {
  return isStored(context.tokenOptions(), claims.exp) && (await forgetToken(context.db, claims.jti)) !== undefined;
}

/**
 * The user that a session token stands for, with its claims. Null when it is forged, expired,
 * revoked, made for another purpose, older than the user's password, or the user is gone.
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
  // Once more, for the keys and the options may have changed; most often it is found in memory.
  const claims = await verifyToken(context, token, SESSION);
  if (!claims || isOutdated(claims, account, context.now())) return null;
  if (isStored(context.tokenOptions(), claims.exp) && !(await isTokenKept(context.db, claims.jti, claims.sub)))
    return null;
  return { account, claims };
}

/** From where a session is used, of what a request says: the network of its address, and the start of its `User-Agent`. */
export const originOf = (address: string, userAgent: string): TokenOrigin => ({
  network: clientNetwork(address),
  agent: userAgent.replaceAll('\0', '').slice(0, MAX_AGENT_LENGTH),
});

/** The user of a session token, by the keys in memory; null for any other string. Whether it is still valid is not checked. */
export async function sessionOwner(signer: TokenSigner, token: string): Promise<string | null> {
  return (await verifyToken(signer, token, SESSION))?.sub ?? null;
}

/** Verifies a token again with the keys and options of the database: it names a key that may be newer than those in memory. */
async function verifyWithPresentKeys(context: SessionContext, token: string): Promise<TokenClaims | null> {
  if (!namesUnknownKey(context, token)) return null;
  await context.confirm(await loadTokenVersions(context.db));
  return verifyToken(context, token, SESSION);
}

/**
 * Says if a token with this expiry is stored in the database, so that it can be revoked: the option `store_tokens` must be on and,
 * for one that never expires, `use_keyring` off (specification, Authentication 3). Otherwise its row would outlive the key that
 * signed it.
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
