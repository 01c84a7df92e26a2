import { createHash } from 'node:crypto';
import argon2 from '@node-rs/argon2';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadAccount, setPassword } from '../../src/core/people/accounts.ts';
import { authenticate } from '../../src/core/people/authenticate.ts';
import { login } from '../../src/core/people/login.ts';
import { hashPassword, needsRehash } from '../../src/core/people/passwords.ts';
import { issueSessionToken } from '../../src/core/people/session-tokens.ts';
import { ANONYMOUS } from '../../src/core/security/caller.ts';
import { type AuthSite, addAccount, clearAuthTables, openDatabase, openSite } from './auth-site.ts';

// The real library, with a counter around each function.
const PASSWORD = 'sécret:1';
const ADDRESS = '192.0.2.1';
const db = await openDatabase();
const hash = await hashPassword(PASSWORD);
let site: AuthSite;
beforeEach(async () => {
  await clearAuthTables(db);
  site = await openSite(db);
  await addAccount(db, 'joe', { login: 'joé', password: hash, roles: ['Editor'] });
});
afterAll(() => db.close());

const tryLogin = (name: string, password: string, address = ADDRESS) =>
  login(site.context, { login: name, password, address });
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
const ask = (authorization?: string, extra: { method?: string; cookie?: string; address?: string } = {}) =>
  authenticate(site.context, { method: 'GET', address: ADDRESS, authorization, ...extra });
/** How often argon2 verified during `work`. */
const verifications = async (work: () => Promise<unknown>) => {
  const verify = vi.spyOn(argon2, 'verify');
  try {
    await work();
    return verify.mock.calls.length;
  } finally {
    verify.mockRestore();
  }
};

describe('login', () => {
  test('a login returns the account with its roles', async () => {
    expect((await tryLogin('joé', PASSWORD)).caller).toMatchObject({ id: 'joe', roles: ['Authenticated', 'Editor'] });
  });

  test('a failed login has the same result and cost, whatever is wrong', async () => {
    await addAccount(db, 'nopass');
    await addAccount(db, 'imported', {
      password: `{SSHA}${Buffer.concat([createHash('sha1').update('x').digest(), Buffer.from('salt')]).toString('base64')}`,
    });
    await addAccount(db, 'broken', { password: 'no hash at all' });
    const answers = [];
    for (const name of ['joé', 'JOÉ', 'nobody', 'nopass', 'imported', 'broken']) {
      let answer: unknown;
      const count = await verifications(async () => {
        answer = await tryLogin(name, 'wrong').catch((error) => error);
      });
      expect(count, name).toBe(1);
      expect(answer).toMatchObject({ status: 401, type: 'Invalid credentials' });
      answers.push(answer instanceof Error ? answer.message : answer);
    }
    expect(new Set(answers).size).toBe(1);
  });

  test('an impossible login or password is rejected at once, whether or not the user exists', async () => {
    for (const [name, password] of [
      ['joé', 'x'.repeat(1025)],
      ['nobody', 'x'.repeat(1025)],
      ['a\0b', 'x'],
      ['x'.repeat(100_000), 'x'],
    ] as const) {
      const count = await verifications(() =>
        expect(tryLogin(name, password)).rejects.toMatchObject({ status: 401, type: 'Invalid credentials' }),
      );
      expect(count).toBe(0);
    }
  });

  test('a login replaces an imported password hash, and tokens stay valid', async () => {
    await addAccount(db, 'old', {
      password: `{SSHA}${Buffer.concat([createHash('sha1').update(PASSWORD).update('salt').digest(), Buffer.from('salt')]).toString('base64')}`,
    });
    const account = await tryLogin('old', PASSWORD);
    const token = await issueSessionToken(site.context, account);
    const stored = (await loadAccount(db, 'old'))?.password ?? '';
    expect(needsRehash(stored)).toBe(false);
    expect(account.password).toBe(stored);
    site.advance(1);
    await tryLogin('old', PASSWORD);
    expect((await loadAccount(db, 'old'))?.password).toBe(stored);
    expect((await ask(`Bearer ${token}`)).caller.id).toBe('old');
  });

  test('a login is throttled after ten failures, without verifying the password', async () => {
    for (let i = 0; i < 10; i += 1) await expect(tryLogin('joé', 'wrong')).rejects.toMatchObject({ status: 401 });
    const count = await verifications(() => expect(tryLogin('joé', PASSWORD)).rejects.toMatchObject({ status: 429 }));
    expect(count).toBe(0);
    expect((await tryLogin('joé', PASSWORD, '192.0.2.2')).caller.id).toBe('joe');
  });
});

describe('HTTP Basic', () => {
  test('HTTP Basic authenticates the user for every method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(await ask(basic('joé', PASSWORD), { method })).toMatchObject({
        caller: { id: 'joe' },
        account: { email: '' },
        token: null,
      });
    }
  });

  test('HTTP Basic with a wrong password, an unknown user or malformed credentials is Anonymous', async () => {
    for (const header of [
      basic('joé', 'wrong'),
      basic('nobody', PASSWORD),
      basic('a\0b', 'x'),
      basic('joé', 'x'.repeat(1025)),
      'Basic',
      'Basic !!!',
    ]) {
      expect(await ask(header)).toMatchObject({ caller: ANONYMOUS, account: null, token: null });
    }
  });

  test('HTTP Basic verifies a password once a minute, also with many concurrent requests', async () => {
    const many = () => Promise.all(Array.from({ length: 20 }, () => ask(basic('joé', PASSWORD))));
    expect(await verifications(many)).toBe(1);
    site.advance(59);
    expect(await verifications(many)).toBe(0);
    site.advance(2);
    expect(await verifications(many)).toBe(1);
  });

  test('HTTP Basic does not cache failures', async () => {
    await ask(basic('joé', 'new password'));
    expect(await verifications(() => ask(basic('joé', 'new password')))).toBe(1);
    await setPassword(db, 'joe', await hashPassword('new password'), site.context.now());
    expect((await ask(basic('joé', 'new password'))).caller.id).toBe('joe');
  });

  test('the cache of HTTP Basic ends with a change of the password, the roles or the user', async () => {
    expect((await ask(basic('joé', PASSWORD))).caller.roles).toContain('Editor');
    await db.query({ text: `update account set roles = '{Reader}' where id = 'joe'` });
    expect((await ask(basic('joé', PASSWORD))).caller.roles).toEqual(['Authenticated', 'Reader']);
    await setPassword(db, 'joe', await hashPassword('another'), site.context.now());
    expect((await ask(basic('joé', PASSWORD))).caller).toBe(ANONYMOUS);
    expect((await ask(basic('joé', 'another'))).caller.id).toBe('joe');
    await db.query({ text: `delete from account where id = 'joe'` });
    expect((await ask(basic('joé', 'another'))).caller).toBe(ANONYMOUS);
  });

  test('HTTP Basic and login share the throttle', async () => {
    for (let i = 0; i < 5; i += 1) await ask(basic('joé', 'wrong'));
    for (let i = 0; i < 5; i += 1) await expect(tryLogin('joé', 'wrong')).rejects.toMatchObject({ status: 401 });
    await expect(ask(basic('joé', 'wrong'))).rejects.toMatchObject({ status: 429 });
    await expect(tryLogin('joé', PASSWORD)).rejects.toMatchObject({ status: 429 });
    expect((await ask(undefined)).caller).toBe(ANONYMOUS);
  });
});

describe('a token', () => {
  const tokenFor = async () => issueSessionToken(site.context, await tryLogin('joé', PASSWORD));

  test('a token authenticates its user without verifying a password', async () => {
    const token = await tokenFor();
    expect(
      await verifications(async () => {
        expect(await ask(`Bearer ${token}`, { method: 'POST' })).toMatchObject({
          caller: { id: 'joe' },
          token: { sub: 'joe', use: 'session' },
        });
      }),
    ).toBe(0);
  });

  test('a token in the cookie counts only for reading', async () => {
    const cookie = `auth_token=${await tokenFor()}`;
    expect((await ask(undefined, { cookie })).caller.id).toBe('joe');
    expect((await ask(undefined, { cookie, method: 'HEAD' })).caller.id).toBe('joe');
    expect((await ask(undefined, { cookie, method: 'POST' })).caller).toBe(ANONYMOUS);
  });

  test('a token that is expired, forged, or of algorithm none is Anonymous', async () => {
    const token = await tokenFor();
    const [, payload] = token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const bad of ['garbage', 'a.b.c', `${none}.${payload}.`, token.slice(0, -2)])
      expect((await ask(`Bearer ${bad}`)).caller).toBe(ANONYMOUS);
    site.advance(43_300);
    expect((await ask(`Bearer ${token}`)).caller).toBe(ANONYMOUS);
  });

  test('a token is not throttled', async () => {
    const token = await tokenFor();
    for (let i = 0; i < 10; i += 1) await ask(basic('joé', 'wrong'));
    expect((await ask(`Bearer ${token}`)).caller.id).toBe('joe');
  });
});
