import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLoginThrottle } from '../../src/core/people/login-throttle.ts';
import { type AuthSite, clearAuthTables, openDatabase, openSite } from './auth-site.ts';

const db = await openDatabase();
let site: AuthSite;
beforeEach(async () => {
  await clearAuthTables(db);
  site = await openSite(db);
});
afterAll(() => db.close());

const ADDRESS = '192.0.2.1';
const fail = (login: string, address = ADDRESS) => site.context.throttle.attempt(login, address, async () => null);
const succeed = (login: string, address = ADDRESS) => site.context.throttle.attempt(login, address, async () => 'in');
const failTimes = async (times: number, login: string, address = ADDRESS) => {
  for (let i = 0; i < times; i += 1) await fail(login, address);
};
/** Records past failures directly in the table, because the throttle under test would reject or delay the logins. */
const past = (count: number, account: string, address: string) =>
  db.query({
    text: 'insert into login_failure select $1 || n, $2, $3 from generate_series(1, $4::int) n',
    values: [account, address, site.context.now(), count],
  });
const rows = async () => (await db.query({ text: 'select * from login_failure' })).length;

test('after ten failed logins the pair of user and address is throttled until the window has passed, also with the correct password', async () => {
  await failTimes(10, 'joe');
  await expect(fail('joe')).rejects.toMatchObject({ status: 429, retryAfter: 300 });
  site.advance(100);
  await expect(succeed('joe')).rejects.toMatchObject({ status: 429, retryAfter: 200 });
  site.advance(200);
  expect(await succeed('joe')).toBe('in');
});

test('a throttled login does not verify the password and does not extend the wait', async () => {
  await failTimes(10, 'joe');
  site.advance(299);
  let verified = false;
  await expect(
    site.context.throttle.attempt('joe', ADDRESS, async () => {
      verified = true;
      return null;
    }),
  ).rejects.toMatchObject({ retryAfter: 1 });
  expect(verified).toBe(false);
  site.advance(1);
  expect(await succeed('joe')).toBe('in');
});

test('a throttled pair blocks neither the user at other addresses nor other users at the same address', async () => {
  await failTimes(10, 'joe');
  expect(await succeed('joe', '192.0.2.2')).toBe('in');
  expect(await succeed('jane')).toBe('in');
  await expect(succeed('joe')).rejects.toMatchObject({ status: 429 });
});

test('a successful login is not counted and clears the failures of its pair only', async () => {
  for (let i = 0; i < 30; i += 1) await succeed('joe');
  expect(await rows()).toBe(0);
  await failTimes(9, 'joe');
  await failTimes(10, 'joe', '192.0.2.2');
  await succeed('joe');
  await failTimes(10, 'joe');
  await expect(fail('joe')).rejects.toMatchObject({ status: 429 });
  await expect(succeed('joe', '192.0.2.2')).rejects.toMatchObject({ status: 429 });
});

test('an error while a password is verified counts neither as a failed nor as a successful login', async () => {
  await failTimes(1, 'joe');
  await expect(
    site.context.throttle.attempt('joe', ADDRESS, () => Promise.reject(new Error('database gone'))),
  ).rejects.toThrow('database gone');
  expect(await rows()).toBe(1);
});

test('a user can log in during an attack from many addresses with one failure each', async () => {
  for (let i = 0; i < 100; i += 1) await fail('joe', `198.51.100.${i}`);
  await expect(fail('joe', '198.51.100.7')).rejects.toMatchObject({ status: 429, retryAfter: 300 });
  expect(await succeed('joe', '203.0.113.1')).toBe('in');
  await fail('joe', '203.0.113.2');
  await expect(fail('joe', '203.0.113.2')).rejects.toMatchObject({ status: 429 });
  expect(await succeed('jane', '198.51.100.7')).toBe('in');
});

test('logins from an address with many failures are delayed increasingly, but never rejected', async () => {
  await past(99, 'user', ADDRESS);
  expect(await succeed('joe')).toBe('in');
  expect(site.delays).toEqual([]);
  await past(1, 'one', ADDRESS);
  expect(await succeed('joe')).toBe('in');
  await past(150, 'more', ADDRESS);
  expect(await succeed('joe')).toBe('in');
  await past(5000, 'many', ADDRESS);
  expect(await succeed('joe')).toBe('in');
  expect(site.delays).toEqual([1000, 2000, 5000]);
  expect(await succeed('joe', '192.0.2.2')).toBe('in');
  expect(site.delays).toHaveLength(3);
});

test('the number of logins that wait for a delay is limited', async () => {
  await past(100, 'user', ADDRESS);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let sleeping = 0;
  const throttle = createLoginThrottle(db, site.context.now, () => {
    sleeping += 1;
    return released;
  });
  const attempts = Array.from({ length: 101 }, (_, i) => throttle.attempt(`user${i}`, ADDRESS, async () => 'in'));
  const results = Promise.allSettled(attempts);
  await expect.poll(() => sleeping).toBe(100);
  await expect(
    Promise.any(
      attempts.map((attempt) =>
        attempt.then(
          () => Promise.reject(new Error('in')),
          (error) => error,
        ),
      ),
    ),
  ).resolves.toMatchObject({ status: 429, retryAfter: 1 });
  release();
  expect((await results).filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
});

test('many concurrent logins cannot exceed the limit of failures', async () => {
  let verified = 0;
  const attempt = () =>
    site.context.throttle.attempt('joe', ADDRESS, async () => {
      verified += 1;
      return null;
    });
  await Promise.allSettled(Array.from({ length: 60 }, attempt));
  expect(verified).toBe(10);
});

test('failed logins are counted over all processes', async () => {
  await failTimes(10, 'joe');
  const other = await openSite(db);
  await expect(other.context.throttle.attempt('joe', ADDRESS, async () => 'in')).rejects.toMatchObject({ status: 429 });
});

test('failed logins that are older than the window are removed', async () => {
  await past(250, 'user', '198.51.100.1');
  site.advance(301);
  await failTimes(3, 'joe');
  expect(await rows()).toBe(3);
});

test('the login name of a failed login is never stored in clear text', async () => {
  for (const login of ['my secret password', 'a\0b', 'x'.repeat(10_000)]) await fail(login);
  const stored = await db.query<{ account: string }>({ text: 'select account from login_failure' });
  for (const { account } of stored) expect(account).toMatch(/^[\w-]{43}$/);
});
