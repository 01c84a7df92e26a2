import { type Agent, ANONYMOUS, type Caller, confinedTo, viewingAs } from '../security/caller.ts';
import { type Account, findByLogin, loadAccount } from './accounts.ts';
import type { AccessLimits, ProofRequest } from './authenticator.ts';
import { parseCredentials } from './credentials.ts';
import type { TokenClaims } from './keyring.ts';
import { type AuthContext, checkPassword, isPlausible } from './login.ts';
import { needsPasswordOnly } from './second-factor.ts';
import { verifySessionToken } from './session-tokens.ts';

/** The caller: `account` is null for Anonymous, `token` is null unless the caller has a session token. */
export type Authentication = {
  readonly caller: Caller;
  readonly account: Account | null;
  readonly token: TokenClaims | null;
  /** Limits of the credentials; null for all rights of their user. */
  readonly limits: AccessLimits | null;
  /** False for credentials that a person gave to a program, see `Proof`. */
  readonly inPerson: boolean;
  /** True if the credentials are no login but show content to everybody who has them: responses are not cached. */
  readonly isPreview?: true;
  /** The expiry of the credentials, in milliseconds since 1970. */
  readonly until: number;
};

/** The parts of a request that can authenticate the caller; `header` has every header by its name in lower case. */
export type RequestWithProof = Omit<ProofRequest, 'header' | 'path' | 'service' | 'parameter'> &
  Partial<Pick<ProofRequest, 'header' | 'path' | 'service' | 'parameter'>>;

const FOREVER = Number.POSITIVE_INFINITY;

const NOBODY: Authentication = Object.freeze({
  caller: ANONYMOUS,
  account: null,
  token: null,
  limits: null,
  inPerson: true,
  until: FOREVER,
});

/** The authentication of a user who may do all that the account may. */
const inPerson = (account: Account, token: TokenClaims | null = null): Authentication => ({
  caller: account.caller,
  account,
  token,
  limits: null,
  inPerson: true,
  until: token?.exp ? token.exp * 1000 : FOREVER,
});

/**
 * Authenticates the caller of every request. Missing, malformed, wrong, expired or forged credentials are no error but make the caller Anonymous:
 * public content is served, and other content gets 401.
 * @throws TooManyRequests when a password is being guessed through HTTP Basic.
 */
export async function authenticate(context: AuthContext, request: RequestWithProof): Promise<Authentication> {
  const byFeature = await byAuthenticators(context, request);
  if (byFeature !== undefined) return byFeature ?? NOBODY;
  const credentials = parseCredentials(request);
  if (!credentials) return NOBODY;
  if (credentials.kind === 'token') {
    const session = await verifySessionToken(context, credentials.token);
    return session ? inPerson(session.account, session.claims) : NOBODY;
  }
  const account = await basicAccount(context, credentials, request.address);
  if (!account) return NOBODY;
  await context.confirm(account.versions);
  // The header has no place for a second factor.
  return needsPasswordOnly(context.tokenOptions(), account) ? inPerson(account) : NOBODY;
}

const agentOf = ({ name, publishes }: { name: string; publishes: boolean }): Agent => ({
  kind: 'agent',
  id: name,
  ...(publishes ? {} : { publishes }),
});

/** Returns the result of the features' authenticators; undefined for a request without credentials for them, null for wrong ones. */
async function byAuthenticators(
  context: AuthContext,
  request: RequestWithProof,
): Promise<Authentication | null | undefined> {
  const { header = () => undefined, parameter = () => undefined, path = '/', service = '' } = request;
  for (const { headers = [], parameters = [], authenticate: prove } of context.authenticators) {
    const proof = await prove({
      ...request,
      ...{ path, service },
      header: (name) => (headers.includes(name) ? header(name) : undefined),
      parameter: (name) => (parameters.includes(name) ? parameter(name) : undefined),
    });
    if (proof === undefined) continue;
    const account = proof && (await loadAccount(context.db, proof.user, context.now()));
    if (!account) return null;
    if (proof.shows)
      return { ...NOBODY, caller: viewingAs(account.caller, proof.shows), inPerson: false, isPreview: true };
    const { limits = null, until } = proof;
    const user = proof.agent === undefined ? account.caller : { ...account.caller, agent: agentOf(proof.agent) };
    const caller = limits?.paths ? confinedTo(user, limits.paths) : user;
    return { caller, account, token: null, limits, inPerson: proof.inPerson, until: until?.getTime() ?? FOREVER };
  }
  return undefined;
}

type Pair = { login: string; password: string };

async function basicAccount(context: AuthContext, pair: Pair, address: string): Promise<Account | null> {
  if (!isPlausible(pair)) return null;
  const known = await rememberedAccount(context, pair);
  if (known) return known;
  return context.throttle.attempt(pair.login, address, async () => {
    // Of many concurrent requests, the first one has done the work, and the others waited for it.
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
