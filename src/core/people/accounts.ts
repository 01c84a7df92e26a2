import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.ts';
import { type Caller, callerFor } from '../security/caller.ts';
import { type AccountRow, accountById, accountByLogin } from './statements/accounts.ts';
import type { TokenVersions } from './statements/tokens.ts';

export { replaceHash, setPassword } from './statements/accounts.ts';

/** A user as stored in the database at the time `asOf` or a little later. */
export type Account = {
  readonly caller: Caller & { readonly id: string };
  readonly email: string;
  /** The stored hash; null when the user has no password yet. */
  readonly password: string | null;
  readonly created: Date;
  /** The language that the user prefers; null for none. */
  readonly language: string | null;
  /** The name of the second factor that the user has set up; null for none. */
  readonly secondFactor: string | null;
  /** Tokens that were issued earlier are invalid. */
  readonly tokensValidFrom: Date;
  /** The time before the row was read; tokens that are issued after this read have this date. */
  readonly asOf: Date;
  /** The versions of the keys and of the configuration at the time of the read. */
  readonly versions: TokenVersions;
};

/**
 * Loads the user of this id with all groups, nested ones included, and all roles, in one statement; null for unknown and disabled
 * users.
 */
export function loadAccount(db: Queryable, id: string, asOf: Date = new Date()): Promise<Account | null> {
  return accountOf((value) => accountById(db, value), id, asOf);
}

/** As `loadAccount`, by the name that the user types at login. Upper and lower case differ. */
export function findByLogin(db: Queryable, login: string, asOf: Date = new Date()): Promise<Account | null> {
  return accountOf((value) => accountByLogin(db, value), login, asOf);
}

async function accountOf(
  find: (value: string) => Promise<AccountRow | undefined>,
  value: string,
  asOf: Date,
): Promise<Account | null> {
  // PostgreSQL does not allow this character in texts, so no user has such a name, and a query would fail.
  if (value.includes('\0')) return null;
  const row = await find(value);
  if (!row) return null;
  return {
    caller: { ...callerFor(row), id: row.id },
    email: row.email,
    password: row.password,
    created: row.created,
    language: row.language,
    secondFactor: row.second_factor,
    tokensValidFrom: row.tokens_valid_from,
    asOf,
    versions: { keys: row.keys, configuration: row.configuration },
  };
}

const MAX_ENTRIES = 1000;
const TTL_MS = 60_000;

/**
 * Remembers right pairs of login and password for a minute, so that HTTP Basic does not cost one argon2 for each request. It has only successes,
 * never the password itself: the key is an HMAC under a secret of this process. It has no data of the user, whose row is read for each request.
 */
export type CredentialCache = {
  /** Says if these credentials were verified for the present account: same user, same hash. */
  confirms(login: string, password: string, account: Account): boolean;
  /** Says if these credentials were verified for any account; the account is not loaded for other credentials. */
  has(login: string, password: string): boolean;
  /** Notes that the credentials are right for this account and its present hash. */
  remember(login: string, password: string, account: Account): void;
};

/** An empty cache; `now` is the clock for the age of its entries. */
export function createCredentialCache(now: () => Date): CredentialCache {
  const secret = randomBytes(32);
  const entries = new LRUCache<string, { id: string; hash: string | null }>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
  });
  // JSON, so that different pairs of login and password never make the same text.
  const keyOf = (login: string, password: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([login, password]))
      .digest('base64');
  return {
    confirms(login, password, account) {
      const entry = entries.get(keyOf(login, password));
      return entry !== undefined && entry.id === account.caller.id && entry.hash === account.password;
    },
    has: (login, password) => entries.has(keyOf(login, password)),
    remember(login, password, account) {
      entries.set(keyOf(login, password), { id: account.caller.id, hash: account.password });
    },
  };
}
