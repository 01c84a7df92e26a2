import { createHash, scryptSync } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import bcrypt from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import {
  hashPassword,
  isPasswordHash,
  needsRehash,
  verifyDummy,
  verifyPassword,
} from '../../src/core/people/passwords.ts';

const PLAIN = 'pässwörd: 日本';
const ssha = (plain: string) => {
  const salt = Buffer.from('saltsal');
  return `{SSHA}${Buffer.concat([createHash('sha1').update(plain).update(salt).digest(), salt]).toString('base64')}`;
};
const scryptPhc = (plain: string) => {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const salt = Buffer.from('0123456789abcdef');
  return `$scrypt$ln=10,r=8,p=1$${base64(salt)}$${base64(scryptSync(plain, salt, 32, { cost: 1024 }))}`;
};

test('a hash is argon2id of OWASP cost, salted, and fits its password only', async () => {
  const [one, two] = [await hashPassword(PLAIN), await hashPassword(PLAIN)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(one, PLAIN)).toBe(true);
  expect(await verifyPassword(one, `${PLAIN}x`)).toBe(false);
  expect(needsRehash(one)).toBe(false);
});

describe('hashes of other systems', () => {
  const bcrypted = bcrypt.hashSync(PLAIN, 4);
  const imported: [string, string][] = [
    ['bcrypt 2b', bcrypted],
    ['bcrypt 2a', bcrypted.replace('$2b', '$2a')],
    ['bcrypt 2y', bcrypted.replace('$2b', '$2y')],
    ['bcrypt of Plone', `{BCRYPT}${bcrypted}`],
    ['scrypt', scryptPhc(PLAIN)],
    ['SSHA', ssha(PLAIN)],
  ];
  test.each(imported)('a password hash of the form %s is verified and due for replacement', async (_name, stored) => {
    expect(isPasswordHash(stored)).toBe(true);
    expect(await verifyPassword(stored, PLAIN)).toBe(true);
    expect(await verifyPassword(stored, 'wrong')).toBe(false);
    expect(needsRehash(stored)).toBe(true);
  });

  test('a weaker argon2id is verified and due for replacement', async () => {
    const weak = await hash(PLAIN, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword(weak, PLAIN)).toBe(true);
    expect(needsRehash(weak)).toBe(true);
  });

  test('SSHA in the alphabet for URLs is verified', async () => {
    const stored = ssha('a').replaceAll('+', '-').replaceAll('/', '_');
    expect(await verifyPassword(stored, 'a')).toBe(true);
  });
});

test.each([
  ['nothing', ''],
  ['plain text', PLAIN],
  ['an empty SSHA', '{SSHA}'],
  ['an SSHA without salt', `{SSHA}${createHash('sha1').update(PLAIN).digest('base64')}`],
  ['half a bcrypt', '$2b$04$abc'],
  ['a bcrypt that would take hours', bcrypt.hashSync(PLAIN, 4).replace('$04$', '$31$')],
  ['an argon2id that would take all memory', '$argon2id$v=19$m=4294967295,t=2,p=1$c29tZXNhbHQ$aGFzaGhhc2hoYXNoaGFzaA'],
  ['an argon2id with a digest too short to compare', '$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHQ$aGE'],
  ['an argon2id without parts', '$argon2id$'],
  ['a scrypt that would take all memory', scryptPhc(PLAIN).replace('ln=10', 'ln=40')],
  ['a scrypt without a cost', scryptPhc(PLAIN).replace('ln=10', 'ln=0')],
  ['something endless', `$argon2id$${'a'.repeat(100_000)}`],
])('the malformed hash %s fits no password and throws nothing', async (_name, stored) => {
  expect(isPasswordHash(stored)).toBe(false);
  expect(await verifyPassword(stored, PLAIN)).toBe(false);
  expect(needsRehash(stored)).toBe(true);
});

test('a password may have 1024 bytes, which are not counted as characters', async () => {
  const longest = await hashPassword('a'.repeat(1024));
  expect(await verifyPassword(longest, 'a'.repeat(1024))).toBe(true);
  await expect(hashPassword('a'.repeat(1025))).rejects.toMatchObject({ status: 400 });
  await expect(hashPassword('é'.repeat(513))).rejects.toMatchObject({ status: 400 });
  expect(await verifyPassword(ssha('a'.repeat(1025)), 'a'.repeat(1025))).toBe(false);
});

test('when too many password hashes wait, further ones are rejected and the others are computed', async () => {
  const results = await Promise.allSettled(Array.from({ length: 210 }, () => verifyDummy('x')));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(8);
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 429, retryAfter: 1 });
  await expect(verifyDummy('x')).resolves.toBeUndefined();
}, 30_000);
