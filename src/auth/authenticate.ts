import { ANONYMOUS, type Caller } from '../security/caller.ts';
import { type Account, findByLogin } from './accounts.ts';
import { type CredentialHeaders, parseCredentials } from './credentials.ts';
import type { TokenClaims } from './keyring.ts';
import { type AuthContext, checkPassword, isPlausible } from './login.ts';
import { verifySessionToken } from './session-tokens.ts';

/** Who asks: `account` is null for Anonymous, `token` is null unless a session token said so. */
export type Authentication = {
  readonly caller: Caller;
  readonly account: Account | null;
  readonly token: TokenClaims | null;
};

const NOBODY: Authentication = Object.freeze({ caller: ANONYMOUS, account: null, token: null });

/**
 * Finds out who asks, for every request. Credentials that are missing, malformed, wrong, expired or
 * forged make the caller Anonymous, not an error: what is public is served still, and what is not
 * gets 401.
 * @throws TooManyRequests when a password is being guessed through HTTP Basic.
 */
export async function authenticate(
  context: AuthContext,
  request: CredentialHeaders & { address: string },
): Promise<Authentication> {
  const credentials = parseCredentials(request);
  if (!credentials) return NOBODY;
  if (credentials.kind === 'token') {
    const session = await verifySessionToken(context, credentials.token);
    if (!session) return NOBODY;
    return { caller: session.account.caller, account: session.account, token: session.claims };
  }
  const account = await basicAccount(context, credentials, request.address);
  return account ? { caller: account.caller, account, token: null } : NOBODY;
}

type Pair = { login: string; password: string };

async function basicAccount(context: AuthContext, pair: Pair, address: string): Promise<Account | null> {
  if (!isPlausible(pair)) return null;
  const known = await rememberedAccount(context, pair);
  if (known) return known;
  return context.throttle.attempt(pair.login, address, async () => {
    // Of many requests that arrive together the first does the work, the others waited for it.
    const found = await rememberedAccount(context, pair);
    if (found) return found;
    const account = await checkPassword(context, pair.login, pair.password);
    if (account) context.credentialCache.remember(pair.login, pair.password, account);
    return account;
  });
}

async function rememberedAccount(context: AuthContext, { login, password }: Pair): Promise<Account | null> {
  if (!context.credentialCache.has(login, password)) return null;
  const account = await findByLogin(context.db, login, context.now());
  return account && context.credentialCache.confirms(login, password, account) ? account : null;
}
