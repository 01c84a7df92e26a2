import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { Unauthorized } from '../../lib/errors.ts';
import { type Account, type CredentialCache, createCredentialCache, findByLogin, replaceHash } from './accounts.ts';
import type { Authenticator } from './authenticator.ts';
import { type Keyring, loadKeyring } from './keyring.ts';
import { createLoginThrottle, type LoginThrottle, type OnLoginFailure } from './login-throttle.ts';
import { hashPassword, isPasswordTooLong, needsRehash, verifyDummy, verifyPassword } from './passwords.ts';
import { checkSecondFactor, type SecondFactor } from './second-factor.ts';
import type { TokenVersions } from './statements/tokens.ts';
import type { TokenOptions } from './tokens.ts';

/** The context of authentication; one for each process, made by `createAuthContext`. */
export type AuthContext = {
  readonly db: Database;
  readonly keyring: Keyring;
  /** The options in force, as of the last `confirm`; called each time, because a Manager may change them. */
  readonly tokenOptions: () => TokenOptions;
  readonly confirm: (seen: TokenVersions) => Promise<void>;
  readonly throttle: LoginThrottle;
  readonly credentialCache: CredentialCache;
  readonly now: () => Date;
  /** Authenticators of features. */
  readonly authenticators: readonly Authenticator[];
  /** The headers that authenticators read beside `Authorization` and `Cookie`, in lower case. */
  readonly authenticatingHeaders: readonly string[];
  /** The parameters of the query that authenticators read. */
  readonly authenticatingParameters: readonly string[];
  /** The second factors of features, which are checked after the password. */
  readonly secondFactors: readonly SecondFactor[];
};

/** The source of the options of tokens: the options in memory, which `follow` updates to a version of the configuration. */
export type TokenOptionsSource = { current(): TokenOptions; follow(configuration: string): Promise<void> };

/**
 * Loads the keys and makes the context. `now` and `sleep` (milliseconds) are the real functions unless given; `authenticators` are those of features;
 * `onLoginFailure` runs after a wrong password or code.
 */
export async function createAuthContext(
  db: Database,
  options: TokenOptionsSource,
  {
    authenticators = [],
    secondFactors = [],
    onLoginFailure,
    ...time
  }: {
    now?: () => Date;
    sleep?: (milliseconds: number) => Promise<void>;
    authenticators?: readonly Authenticator[];
    secondFactors?: readonly SecondFactor[];
    onLoginFailure?: OnLoginFailure;
  } = {},
): Promise<AuthContext> {
  const now = time.now ?? (() => new Date());
  const keyring = await loadKeyring(db);
  return {
    db,
    keyring,
    tokenOptions: () => options.current(),
    async confirm({ keys, configuration }) {
      await options.follow(configuration);
      await keyring.follow(db, keys);
    },
    throttle: createLoginThrottle(db, now, time.sleep ?? ((milliseconds) => sleep(milliseconds)), onLoginFailure),
    credentialCache: createCredentialCache(now),
    now,
    authenticators,
    authenticatingHeaders: authenticators.flatMap(({ headers = [] }) => headers),
    authenticatingParameters: authenticators.flatMap(({ parameters = [] }) => parameters),
    secondFactors,
  };
}

const MAX_LOGIN_LENGTH = 1024;

/** Says if a login and password are possible; rejecting others early does not reveal which users exist. */
export function isPlausible({ login, password }: { login: string; password: string }): boolean {
  return login.length <= MAX_LOGIN_LENGTH && !login.includes('\0') && !isPasswordTooLong(password);
}

/**
 * The account of this login if the password is right, else null. An unknown login, a user without a password and a wrong password cost the same work.
 * A hash of an older kind is replaced. It does not throttle, so call it inside an attempt of the throttle.
 */
export async function checkPassword(context: AuthContext, login: string, password: string): Promise<Account | null> {
  const account = await findByLogin(context.db, login, context.now());
  if (!account || account.password === null) {
    await verifyDummy(password);
    return null;
  }
  if (!(await verifyPassword(account.password, password))) return null;
  if (!needsRehash(account.password)) return account;
  const hash = await hashPassword(password);
  await replaceHash(context.db, account.caller.id, account.password, hash);
  return { ...account, password: hash };
}

/**
 * The account of a login name with its password. `address` is the client's, for the throttle.
 * @throws Unauthorized of type 'Invalid credentials', the same and after the same work for an
 *   unknown login and a wrong password.
 * @throws TooManyRequests after too many failures, see `createLoginThrottle`.
 */
export async function checkedPassword(
  context: AuthContext,
  attempt: { login: string; password: string; address: string },
): Promise<Account> {
  const account = isPlausible(attempt)
    ? await context.throttle.attempt(attempt.login, attempt.address, () =>
        checkPassword(context, attempt.login, attempt.password),
      )
    : null;
  if (!account) throw new Unauthorized('Wrong login and/or password.', 'Invalid credentials');
  return account;
}

/**
 * Logs a user in by name and password, and by a code (`otp`) if the account has a second factor, for `@login`.
 * @throws Unauthorized as `checkedPassword`, or of other types when a second factor is missing or wrong; TooManyRequests.
 */
export async function login(
  context: AuthContext,
  { otp, ...attempt }: { login: string; password: string; otp?: string | undefined; address: string },
): Promise<Account> {
  const account = await checkedPassword(context, attempt);
  await context.confirm(account.versions);
  const known = { factors: context.secondFactors, options: context.tokenOptions() };
  await checkSecondFactor(known, account, { otp, address: attempt.address });
  return account;
}
