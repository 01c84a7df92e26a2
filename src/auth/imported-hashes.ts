import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcryptjs';

/** A check of one stored hash; runs the work that the hash asks for. */
export type HashCheck = (plain: string) => Promise<boolean>;

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{1,128})\$([A-Za-z0-9+/]{22,128})$/;
const SSHA = /^[A-Za-z0-9+/_-]{28,120}={0,2}$/;
const SHA1_BYTES = 20;

// A hash from outside names its own cost: one beyond these would hold up or kill the server.
const MAX_BCRYPT_COST = 14;
const MAX_SCRYPT_BYTES = 256 * 1024 * 1024;
const MAX_SCRYPT_LANES = 16;

/**
 * The check for a hash that another system made: bcrypt ($2a$, $2b$, $2y$, also after Plone's
 * `{BCRYPT}`), scrypt in PHC form, and the salted SHA-1 of Plone and LDAP (`{SSHA}`).
 * Answers null for anything else, and for a cost beyond what this server is ready to spend.
 */
export function importedHashCheck(stored: string): HashCheck | null {
  if (stored.startsWith('{SSHA}')) return sshaCheck(stored.slice('{SSHA}'.length));
  if (stored.startsWith('$scrypt$')) return scryptCheck(stored);
  return bcryptCheck(stored.startsWith('{BCRYPT}') ? stored.slice('{BCRYPT}'.length) : stored);
}

function bcryptCheck(stored: string): HashCheck | null {
  const cost = Number(BCRYPT.exec(stored)?.[1]);
  if (!(cost >= 4 && cost <= MAX_BCRYPT_COST)) return null;
  return (plain) => bcrypt.compare(plain, stored);
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
