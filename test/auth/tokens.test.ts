import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, loadAccount, setPassword } from '../../src/core/people/accounts.ts';
import {
  issueSessionToken,
  renewSessionToken,
  revokeSessionToken,
  verifySessionToken,
} from '../../src/core/people/session-tokens.ts';
import { signToken, verifyToken } from '../../src/core/people/tokens.ts';
import { type AuthSite, addAccount, clearAuthTables, openDatabase, openSite } from './auth-site.ts';

const db = await openDatabase();
let site: AuthSite;
beforeEach(async () => {
  await clearAuthTables(db);
  site = await openSite(db);
  await addAccount(db, 'joe', { fullname: 'Joe Döe' });
});
afterAll(() => db.close());

const joe = async (): Promise<Account> => {
  const account = await loadAccount(db, 'joe', site.context.now());
  if (!account) throw new Error('joe is missing');
  return account;
};
const issue = async () => issueSessionToken(site.context, await joe());
const isGood = async (token: string) => (await verifySessionToken(site.context, token)) !== null;
const claimsOf = async (token: string) => {
  const session = await verifySessionToken(site.context, token);
  if (!session) throw new Error('the token is not valid');
  return session.claims;
};
const storedIds = async () =>
  (await db.query<{ id: string }>({ text: 'select id from issued_token' })).map(({ id }) => id);
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('a token', () => {
  test('a token is HS256, names its key, the user and the full name, and is valid for 12 hours', async () => {
    const token = await issue();
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'HS256',
      typ: 'JWT',
      kid: site.context.keyring.signing(true).id,
    });
    const { sub, fullname, use, iat, exp, jti } = decodeJwt(token);
    expect({ sub, fullname, use }).toEqual({ sub: 'joe', fullname: 'Joe Döe', use: 'session' });
    expect(iat).toBe(site.context.now().getTime() / 1000);
    expect(Number.isInteger(exp)).toBe(true);
    expect((exp ?? 0) - (iat ?? 0)).toBeCloseTo(43_200, -1);
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect((await verifySessionToken(site.context, token))?.account.caller.id).toBe('joe');
  });

  test('a token expires after the time that the option sets', async () => {
    site.options.token_timeout = 60;
    const token = await issue();
    site.advance(58);
    expect(await isGood(token)).toBe(true);
    site.advance(4);
    expect(await isGood(token)).toBe(false);
  });

  test('a token is verified once, and again when the keys are reloaded', async () => {
    const token = await issue();
    const { keyring } = site.context;
    expect(keyring.verified.has(token)).toBe(false);
    expect(await isGood(token)).toBe(true);
    expect(keyring.verified.has(token)).toBe(true);
    expect(await isGood(token)).toBe(true);
    expect(await verifyToken(site.context, token, 'reset')).toBeNull();
    await keyring.reload(db);
    expect(keyring.verified.has(token)).toBe(false);
    expect(await isGood(token)).toBe(true);
    site.options.use_keyring = false;
    expect(await isGood(token)).toBe(false);
  });

  test('a token never expires with a timeout of 0', async () => {
    site.options.token_timeout = 0;
    const token = await issue();
    expect(decodeJwt(token)).not.toHaveProperty('exp');
    site.advance(10 * 365 * 86_400);
    expect(await isGood(token)).toBe(true);
    expect((await claimsOf(token)).exp).toBeNull();
  });

  test('no token is issued with a negative timeout', async () => {
    const bad = { use: 'session', sub: 'joe', asOf: new Date() };
    for (const timeout of [-1, 0.5, Number.NaN])
      await expect(signToken(site.context, { ...bad, timeout })).rejects.toThrow(RangeError);
  });

  test('a token for one purpose is not valid for another', async () => {
    const { token: reset } = await signToken(site.context, {
      use: 'password-reset',
      sub: 'joe',
      timeout: 60,
      asOf: site.context.now(),
    });
    expect(await isGood(reset)).toBe(false);
    expect(await verifyToken(site.context, reset, 'password-reset')).toMatchObject({
      sub: 'joe',
      use: 'password-reset',
    });
    expect(await verifyToken(site.context, await issue(), 'password-reset')).toBeNull();
  });

  test('a token fits into a cookie, however long the full name is', async () => {
    await addAccount(db, 'long', { fullname: '😀'.repeat(5000) });
    const account = await loadAccount(db, 'long', site.context.now());
    if (!account) throw new Error('the account is missing');
    const token = await issueSessionToken(site.context, account);
    expect(token.length).toBeLessThan(3500);
    expect(decodeJwt(token).fullname).toBe('😀'.repeat(200));
  });
});

describe('a forged token', () => {
  test('a token with a forged signature, payload, algorithm or key is not valid', async () => {
    const good = await issue();
    const [head = '', payload = '', signature = ''] = good.split('.');
    const kid = site.context.keyring.signing(true).id;
    const claims = decodeJwt(good);
    const signWith = (secret: string | Buffer, header: object, hash = 'sha256') => {
      const text = `${encode(header)}.${payload}`;
      return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
    };
    const [row] = await db.query<{ secret: string }>({
      text: 'select secret from signing_key where id = $1',
      values: [kid],
    });
    const secret = Buffer.from(row?.secret ?? '', 'base64url');
    expect(await isGood(signWith(secret, { alg: 'HS256', kid }))).toBe(true);
    const forged = [
      `${head}.${payload}.`,
      `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${head}.${encode({ ...claims, sub: 'admin' })}.${signature}`,
      ...['none', 'None', 'NONE'].map((alg) => `${encode({ alg, kid })}.${payload}.`),
      signWith('', { alg: 'HS256', kid }),
      signWith('x', { alg: 'HS256', kid }),
      signWith(secret, { alg: 'HS512', kid }, 'sha512'),
      signWith(secret, { alg: 'HS256' }),
      signWith(secret, { alg: 'HS256', kid: 'unknown' }),
      signWith(secret, { alg: 'HS256', kid: { a: 1 } }),
      signWith(secret, { alg: 'HS256', kid, crit: ['x'], x: 1 }),
    ];
    for (const token of forged) expect(await isGood(token), token).toBe(false);
  });

  test('an arbitrary text as token is not valid and causes no error', async () => {
    const good = await issue();
    const part = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc.constantFrom(...good.split('.')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const token = parts.join('.');
        expect(await isGood(token)).toBe(token === good);
      }),
      { numRuns: 300 },
    );
    expect(await isGood('a'.repeat(1_000_000))).toBe(false);
  });
});

describe('the keys', () => {
  test('keys from before a rotation verify tokens until they are pruned', async () => {
    const token = await issue();
    await site.context.keyring.rotate(db);
    expect(await isGood(token)).toBe(true);
    await site.context.keyring.prune(db, new Date(Date.now() + 60_000));
    expect(await isGood(token)).toBe(false);
    expect(await isGood(await issue())).toBe(true);
  });

  test('without use_keyring tokens have one static key, which rotation and pruning do not change', async () => {
    const ringToken = await issue();
    site.options.use_keyring = false;
    expect(await isGood(ringToken)).toBe(false);
    const token = await issue();
    await site.context.keyring.rotate(db);
    await site.context.keyring.prune(db, new Date(Date.now() + 60_000));
    expect(await isGood(token)).toBe(true);
    site.options.use_keyring = true;
    expect(await isGood(token)).toBe(false);
  });
});

describe('the user of a token', () => {
  test('a change of the password invalidates older tokens, but not one issued directly after it', async () => {
    const token = await issue();
    site.advance(0.1);
    await setPassword(db, 'joe', 'hash', site.context.now());
    expect(await isGood(token)).toBe(false);
    site.advance(0.001);
    expect(await isGood(await issue())).toBe(true);
  });

  test('a token is not valid when the password changed between the login and the issue', async () => {
    const account = await joe();
    site.advance(0.05);
    await setPassword(db, 'joe', 'hash', site.context.now());
    site.advance(0.05);
    expect(await isGood(await issueSessionToken(site.context, account))).toBe(false);
  });

  test('a user can log in while the clock is behind the last change of the password, and later changes end the session', async () => {
    await setPassword(db, 'joe', 'hash', site.context.now());
    site.advance(-7200);
    const token = await issue();
    expect(await isGood(token)).toBe(true);
    expect((await claimsOf(token)).exp).toBeLessThanOrEqual(site.context.now().getTime() / 1000 + 43_201);
    await setPassword(db, 'joe', 'another hash', site.context.now());
    expect(await isGood(token)).toBe(false);
    expect(await isGood(await issue())).toBe(true);
  });

  test('a session that began while the clock was ahead ends when the clock is right again', async () => {
    site.advance(86_400);
    const token = await issue();
    expect(await isGood(token)).toBe(true);
    site.advance(-86_400);
    expect(await isGood(token)).toBe(false);
    expect(await isGood(await issue())).toBe(true);
  });

  test('a token is not valid for a removed user or another user with the same id', async () => {
    const token = await issue();
    await db.query({ text: `delete from account where id = 'joe'` });
    expect(await isGood(token)).toBe(false);
    await addAccount(db, 'joe');
    await db.query({
      text: `update account set created = $1`,
      values: [new Date(site.context.now().getTime() + 1000)],
    });
    expect(await isGood(token)).toBe(false);
  });
});

describe('without store_tokens', () => {
  test('without store_tokens nothing is stored, and a logout says that it invalidates nothing', async () => {
    const token = await issue();
    expect(await storedIds()).toEqual([]);
    expect(await revokeSessionToken(site.context, await claimsOf(token))).toBe(false);
    expect(await isGood(token)).toBe(true);
  });

  test('without store_tokens a renewal leaves the old token valid', async () => {
    const token = await issue();
    const claims = await claimsOf(token);
    site.advance(60);
    const renewed = await renewSessionToken(site.context, { account: await joe(), token: claims });
    expect(decodeJwt(renewed).exp).toBe((claims.exp ?? 0) + 60);
    expect(await isGood(renewed)).toBe(true);
    expect(await isGood(token)).toBe(true);
  });
});

describe('with store_tokens', () => {
  beforeEach(() => {
    site.options.store_tokens = true;
  });

  test('a stored token is valid until its logout, and other tokens of the user stay valid', async () => {
    const [token, other] = [await issue(), await issue()];
    expect(await storedIds()).toHaveLength(2);
    const claims = await claimsOf(token);
    expect(await revokeSessionToken(site.context, claims)).toBe(true);
    expect(await isGood(token)).toBe(false);
    expect(await isGood(other)).toBe(true);
    expect(await revokeSessionToken(site.context, claims)).toBe(false);
  });

  test('tokens from before store_tokens was switched on are not valid', async () => {
    site.options.store_tokens = false;
    const token = await issue();
    site.options.store_tokens = true;
    expect(await isGood(token)).toBe(false);
  });

  test('with store_tokens a renewal replaces the old token once, and never after a logout', async () => {
    const token = await issue();
    const claims = await claimsOf(token);
    const account = await joe();
    const renewals = await Promise.allSettled(
      [1, 2].map(() => renewSessionToken(site.context, { account, token: claims })),
    );
    expect(renewals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(renewals.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 401, type: 'Invalid session' },
    });
    expect(await isGood(token)).toBe(false);
    const [renewed] = renewals.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(await isGood(renewed ?? '')).toBe(true);
    const next = await claimsOf(renewed ?? '');
    await revokeSessionToken(site.context, next);
    await expect(renewSessionToken(site.context, { account, token: next })).rejects.toMatchObject({ status: 401 });
    expect(await storedIds()).toEqual([]);
  });

  test('a user who authenticates with a password can renew without an old token', async () => {
    expect(await isGood(await renewSessionToken(site.context, { account: await joe(), token: null }))).toBe(true);
  });

  test('expired rows of tokens are removed when the next token is issued', async () => {
    site.options.token_timeout = 60;
    await issue();
    await issue();
    site.advance(120);
    const token = await issue();
    expect(await storedIds()).toEqual([decodeJwt(token).jti]);
  });

  test('a stored token that never expires can be revoked only without use_keyring', async () => {
    site.options.token_timeout = 0;
    const ringToken = await issue();
    expect(await revokeSessionToken(site.context, await claimsOf(ringToken))).toBe(false);
    expect(await isGood(ringToken)).toBe(true);
    site.options.use_keyring = false;
    const token = await issue();
    expect(await revokeSessionToken(site.context, await claimsOf(token))).toBe(true);
    expect(await isGood(token)).toBe(false);
  });

  test('a change of the password removes the stored tokens', async () => {
    await issue();
    await setPassword(db, 'joe', 'hash', site.context.now());
    expect(await storedIds()).toEqual([]);
  });
});
