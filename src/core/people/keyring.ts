import { randomBytes, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../../database/database.ts';
import { addKey, createMissingKeys, loadKeys, removeKeys } from './statements/tokens.ts';

export { KEYRING_CHANNEL } from './statements/tokens.ts';

/** Id of the secret that `use_keyring: false` signs with; rotation does not touch it. */
export const STATIC_KEY = 'static';

// A fixed id, so that two processes that start a new site at once make only one key, which both use.
const FIRST_KEY = 'first';

const MAX_VERIFIED = 1000;

type HmacKey = Awaited<ReturnType<typeof importSecret>>;

/** A key with its id, which the header of a token names (`kid`). */
export type SigningKey = { readonly id: string; readonly key: HmacKey };

/** Claims of a token. Times are in seconds since 1970; `iat` has milliseconds, `exp` null means never. */
export type TokenClaims = {
  readonly use: string;
  readonly sub: string;
  readonly fullname: string;
  readonly iat: number;
  readonly exp: number | null;
  readonly jti: string;
  /** The method of the login; absent for a password. */
  readonly amr?: string | undefined;
};

/**
 * The secrets that tokens are signed with: the keys of the ring, newest first, and the static key. They are in memory; each request that depends on
 * them confirms them by `follow`.
 */
export class Keyring {
  /** Tokens with a verified signature, so that the signature is not computed for each request of a session. */
  readonly verified = new LRUCache<string, { key: string; claims: TokenClaims }>({ max: MAX_VERIFIED });
  #ring: SigningKey[] = [];
  #version = '';
  /** The last reload. Reloads run one after the other, so that none overwrites the result of a later one. */
  #reloading: Promise<void> = Promise.resolve();
  #static: SigningKey | null = null;

  /** The key that signs: the newest of the ring, or the static one. */
  signing(useKeyring: boolean): SigningKey {
    const key = useKeyring ? this.#ring[0] : this.#static;
    if (!key) throw new Error('The keyring has not been loaded.');
    return key;
  }

  /** The key that a token names, if the present mode allows it; null for other keys. */
  find(id: string, useKeyring: boolean): SigningKey | null {
    if (!useKeyring) return this.#static?.id === id ? this.#static : null;
    return this.#ring.find((key) => key.id === id) ?? null;
  }

  /** Loads the keys whose ids another statement has read; runs no SQL when the ring has them. */
  async follow(db: Queryable, version: string): Promise<void> {
    if (version !== this.#version) await this.#afterOthers(() => this.#load(db, version));
  }

  /** Loads the keys from the database; makes the missing keys of a new site. */
  async reload(db: Queryable): Promise<void> {
    await this.#afterOthers(() => this.#load(db));
  }

  #afterOthers(load: () => Promise<void>): Promise<void> {
    const loading = this.#reloading.then(load);
    // The caller of this load gets its failure; the next load only waits until this one ends.
    this.#reloading = loading.catch(() => {});
    return loading;
  }

  async #load(db: Queryable, wanted?: string): Promise<void> {
    if (wanted === this.#version) return;
    let rows = await loadKeys(db);
    if (!rows.some(({ id }) => id === STATIC_KEY) || !rows.some(({ id }) => id !== STATIC_KEY)) {
      await createMissingKeys(
        db,
        { id: FIRST_KEY, secret: randomSecret() },
        { id: STATIC_KEY, secret: randomSecret() },
      );
      rows = await loadKeys(db);
    }
    const keys = await Promise.all(rows.map(async ({ id, secret }) => ({ id, key: await importSecret(secret) })));
    this.verified.clear();
    this.#ring = keys.filter(({ id }) => id !== STATIC_KEY);
    this.#static = keys.find(({ id }) => id === STATIC_KEY) ?? null;
    this.#version = rows.map(({ id }) => id).join(' ');
  }

  /**
   * Adds a key that signs from now on; tokens of the older keys stay valid until `prune`. Other processes are notified by `KEYRING_CHANNEL`. Do not
   * call it inside a transaction, because the key signs at once.
   */
  async rotate(db: Database): Promise<void> {
    await addKey(db, { id: randomUUID(), secret: randomSecret() });
    await this.reload(db);
  }

  /**
   * Removes the keys of the ring that were made before `olderThan`, but never the signing key. Tokens of removed keys become invalid, also tokens
   * that never expire.
   */
  async prune(db: Database, olderThan: Date): Promise<void> {
    await removeKeys(db, STATIC_KEY, olderThan);
    await this.reload(db);
  }
}

/** Loads the keyring of a site; makes its first keys if it has no keys. */
export async function loadKeyring(db: Queryable): Promise<Keyring> {
  const keyring = new Keyring();
  await keyring.reload(db);
  return keyring;
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

function importSecret(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', Buffer.from(secret, 'base64url'), algorithm, false, ['sign', 'verify']);
}
