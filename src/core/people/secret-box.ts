import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Queryable } from '../../database/database.ts';
import { loadSecretKey } from './statements/secret-keys.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SITE_KEY = 'site';

type BoxKey = { id: string; key: Buffer };

/**
 * Encrypts secrets that the site must read again, such as secrets of TOTP. The key is made from a key in the database and the setting SECRETS_KEY:
 * with the setting, a copy of the database alone cannot open the secrets (docs/decisions/0012-secrets-at-rest.md).
 */
export class SecretBox {
  readonly #keys: readonly [BoxKey, ...BoxKey[]];

  constructor(siteSecret: string, settings: readonly string[]) {
    const [first = '', ...older] = settings;
    this.#keys = [keyOf(siteSecret, first), ...older.map((old) => keyOf(siteSecret, old)), keyOf(siteSecret, '')];
  }

  /** Encrypts a text for one place, such as `totp:eva`; it cannot be opened for another place. */
  seal(text: string, place: string): string {
    const [{ id, key }] = this.#keys;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** Decrypts the result of `seal`. Throws when it was changed, belongs to another place, or was made with a key that is missing. */
  open(sealed: string, place: string): string {
    const [id = '', encoded = ''] = sealed.split('.');
    const found = this.#keys.find((key) => key.id === id);
    if (!found) throw new Error(`A secret was encrypted with another key: SECRETS_KEY has changed (${place}).`);
    const bytes = Buffer.from(encoded, 'base64url');
    const decipher = createDecipheriv(ALGORITHM, found.key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** The key for one value of SECRETS_KEY, with an id that does not reveal it. */
function keyOf(siteSecret: string, setting: string): BoxKey {
  const derive = (info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', `${siteSecret}\n${setting}`, 'canopy', info, length));
  return { id: derive('key id', 6).toString('base64url'), key: derive('secrets at rest', KEY_BYTES) };
}

/**
 * Opens the box of a site. Makes the key of the database if it does not exist. `settings` are the values of SECRETS_KEY, the newest
 * first.
 */
export async function openSecretBox(db: Queryable, settings: readonly string[]): Promise<SecretBox> {
  return new SecretBox(await loadSecretKey(db, SITE_KEY, randomBytes(KEY_BYTES).toString('base64url')), settings);
}
