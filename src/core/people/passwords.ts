import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import type * as argon2Package from '@node-rs/argon2';
import type * as bcryptPackage from 'bcryptjs';
import { BadRequest } from '../../lib/errors.ts';
import { lazyPackage } from '../../lib/process/lazy-package.ts';
import { createWorkQueue } from '../../lib/process/work-queue.ts';

const argon2 = lazyPackage<typeof argon2Package>('@node-rs/argon2');
const bcrypt = lazyPackage<typeof bcryptPackage>('bcryptjs');

/** The message for logins while too many passwords wait to be verified. */
export const LOGINS_REFUSED = { refusal: 'Too many logins at once. Try again.', retryAfter: 1 };

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const ARGON2ID_PREFIX = '$argon2id$';
// Maximum cost of an imported hash, which names its own cost: one login could otherwise use all memory of the machine.
const MAX_COST = { memoryCost: 262_144, timeCost: 16, parallelism: 16 };
const MAX_STORED_LENGTH = 512;

/** The longest password in bytes of UTF-8. */
const MAX_PASSWORD_BYTES = 1024;

// A hash of no user: the digest is arbitrary, and no password is known for it. It is a constant, so that the first check takes no longer than later
// ones.
const DUMMY_HASH = `${ARGON2ID_PREFIX}v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$bm9ib2R5LXNhbHQtMTZieQ$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY`;

// Uses two of the four threads that Node shares among hashing, files and name lookups; the other threads stay free during many logins. 200 waiting
// passwords are about two seconds of work.
const queue = createWorkQueue({ concurrency: 2, maxWaiting: 200, ...LOGINS_REFUSED });

/** Says if a password is longer than this server takes (`MAX_PASSWORD_BYTES`). */
export function isPasswordTooLong(plain: string): boolean {
  return Buffer.byteLength(plain, 'utf8') > MAX_PASSWORD_BYTES;
}

/** Returns the reason why a text cannot be a new password; undefined for none. `minLength` is in characters. */
export function passwordProblem(plain: string, minLength: number): string | undefined {
  if (plain.length < minLength) return `Must have at least ${minLength} characters.`;
  if (isPasswordTooLong(plain)) return `Must have at most ${MAX_PASSWORD_BYTES} bytes.`;
  // No particular kinds of characters are required (NIST SP 800-63B, 5.1.1.2).
  return plain.isWellFormed() && !plain.includes('\0') ? undefined : 'Has characters that are not allowed here.';
}

/**
 * Hashes a password for storage: argon2id with a random salt, as a PHC string.
 * @throws BadRequest when it is longer than `MAX_PASSWORD_BYTES`.
 * @throws TooManyRequests when too many wait for a hash.
 */
export async function hashPassword(plain: string): Promise<string> {
  if (isPasswordTooLong(plain)) throw new BadRequest(`A password has at most ${MAX_PASSWORD_BYTES} bytes.`);
  return queue.run(() => argon2().hash(plain, COST));
}

/**
 * Says if the password fits the stored hash: argon2id, or an imported hash (bcrypt, scrypt, Plone's `{BCRYPT}` and `{SSHA}`). False for an unknown
 * kind of hash and for a password that is too long. Costs exactly one argon2 verification for any hash, like `verifyDummy`; imported bcrypt and
 * scrypt hashes cost more until the first login replaces them.
 * @throws TooManyRequests when too many wait for a hash.
 */
export async function verifyPassword(stored: string, plain: string): Promise<boolean> {
  if (isPasswordTooLong(plain)) return false;
  if (argon2Cost(stored) !== null) return queue.run(() => argon2().verify(stored, plain));
  const check = stored.length > MAX_STORED_LENGTH ? null : importedHashCheck(stored);
  return queue.run(async () => {
    await argon2().verify(DUMMY_HASH, plain);
    return (await check?.(plain)) ?? false;
  });
}

/**
 * Takes the same time as `verifyPassword`, for a login that does not exist or has no password.
 * @throws TooManyRequests when too many wait for a hash.
 */
export async function verifyDummy(plain: string): Promise<void> {
  if (isPasswordTooLong(plain)) return;
  await queue.run(() => argon2().verify(DUMMY_HASH, plain));
}

/** Says if a hash differs in kind or cost from those that `hashPassword` makes today, so that the next login replaces it. */
export function needsRehash(stored: string): boolean {
  const cost = argon2Cost(stored);
  if (cost === null) return true;
  const { memoryCost, timeCost, parallelism } = cost;
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}

/** Says if `verifyPassword` supports a hash. Check it before an import, because the user of another hash could not log in. */
export function isPasswordHash(stored: string): boolean {
  return stored.length <= MAX_STORED_LENGTH && (argon2Cost(stored) !== null || importedHashCheck(stored) !== null);
}

function argon2Cost(stored: string): typeof COST | null {
  if (stored.length > MAX_STORED_LENGTH || !stored.startsWith(ARGON2ID_PREFIX)) return null;
  const { parseOptions } = argon2();
  try {
    const cost = parseOptions(stored);
    const affordable =
      cost.memoryCost <= MAX_COST.memoryCost &&
      cost.timeCost <= MAX_COST.timeCost &&
      cost.parallelism <= MAX_COST.parallelism;
    return affordable ? cost : null;
  } catch {
    // The parser throws only for a text that is no hash.
    return null;
  }
}

/** Verifies a password against one stored hash, with the cost that the hash says. */
type HashCheck = (plain: string) => Promise<boolean>;

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{1,128})\$([A-Za-z0-9+/]{22,128})$/;
const SSHA = /^[A-Za-z0-9+/_-]{28,120}={0,2}$/;
const SHA1_BYTES = 20;

// Maximum cost of imported hashes, which name their own cost: a higher cost could block or crash the server.
const MAX_BCRYPT_COST = 14;
const MAX_SCRYPT_BYTES = 256 * 1024 * 1024;
const MAX_SCRYPT_LANES = 16;

/**
 * The check for a hash that another system made: bcrypt ($2a$, $2b$, $2y$, also after Plone's `{BCRYPT}`), scrypt in PHC form, and the salted SHA-1
 * of Plone and LDAP (`{SSHA}`). Returns null for other texts, and for a cost above the limits of this server.
 */
function importedHashCheck(stored: string): HashCheck | null {
  if (stored.startsWith('{SSHA}')) return sshaCheck(stored.slice('{SSHA}'.length));
  if (stored.startsWith('$scrypt$')) return scryptCheck(stored);
  return bcryptCheck(stored.startsWith('{BCRYPT}') ? stored.slice('{BCRYPT}'.length) : stored);
}

function bcryptCheck(stored: string): HashCheck | null {
  const cost = Number(BCRYPT.exec(stored)?.[1]);
  if (!(cost >= 4 && cost <= MAX_BCRYPT_COST)) return null;
  return (plain) => bcrypt().compare(plain, stored);
}

function scryptCheck(stored: string): HashCheck | null {
  const [, ln, r, p, salt, hash] = SCRYPT.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return null;
  const [cost, blockSize, parallelization] = [2 ** Number(ln), Number(r), Number(p)];
  const bytes = 128 * cost * blockSize;
  if (cost < 2 || blockSize < 1 || bytes > MAX_SCRYPT_BYTES) return null;
  if (parallelization < 1 || parallelization > MAX_SCRYPT_LANES) return null;
  const expected = Buffer.from(hash, 'base64');
  const options = { cost, blockSize, parallelization, maxmem: 2 * bytes + 1024 * 1024 };
  return (plain) =>
    new Promise((resolve, reject) => {
      scrypt(plain, Buffer.from(salt, 'base64'), expected.length, options, (error, key) => {
        if (error) reject(error);
        else resolve(timingSafeEqual(key, expected));
      });
    });
}

function sshaCheck(encoded: string): HashCheck | null {
  if (!SSHA.test(encoded)) return null;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length <= SHA1_BYTES) return null;
  const [expected, salt] = [bytes.subarray(0, SHA1_BYTES), bytes.subarray(SHA1_BYTES)];
  return async (plain) => timingSafeEqual(createHash('sha1').update(plain, 'utf8').update(salt).digest(), expected);
}
