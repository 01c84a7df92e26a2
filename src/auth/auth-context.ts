import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../storage/database.ts';
import { type CredentialCache, createCredentialCache } from './credential-cache.ts';
import { type Keyring, loadKeyring } from './keyring.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';
import type { TokenOptions } from './tokens.ts';

/** All that authentication needs; one for each process, made by `createAuthContext`. */
export type AuthContext = {
  readonly db: Database;
  readonly keyring: Keyring;
  /** The options in force now; asked each time, for a Manager may change them. */
  readonly tokenOptions: () => TokenOptions;
  readonly throttle: LoginThrottle;
  readonly credentialCache: CredentialCache;
  readonly now: () => Date;
};

/** Loads the keys and makes the context. `now` and `sleep` (milliseconds) are the real ones unless given. */
export async function createAuthContext(
  db: Database,
  tokenOptions: () => TokenOptions,
  time: { now?: () => Date; sleep?: (milliseconds: number) => Promise<void> } = {},
): Promise<AuthContext> {
  const now = time.now ?? (() => new Date());
  return {
    db,
    keyring: await loadKeyring(db),
    tokenOptions,
    throttle: createLoginThrottle(db, now, time.sleep ?? ((milliseconds) => sleep(milliseconds))),
    credentialCache: createCredentialCache(now),
    now,
  };
}
