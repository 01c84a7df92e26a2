import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { SecretBox } from '../../src/core/people/secret-box.ts';
import { changeSettings, PASSWORD, peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

/** Milliseconds that the present step of codes must still last. */
const STEP_RESERVE_MS = 3000;

/** The code of an app, a number of steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

describeEachEngine('codes of an app as a second factor', (engine) => {
  const site = useTestSite(engine);
  const { addUser, as } = peopleOf(site);
  const login = (user: string, more: object = {}) =>
    site.request('POST', '/@login', { as: 'anonymous', json: { login: user, password: PASSWORD, ...more } });
  const post = (path: string, json: object) => site.request('POST', path, { as: 'anonymous', json });

  /** Sets up a second factor, which uses the code of the previous step. */
  async function setUp(user: string): Promise<{ secret: string; recovery: string[] }> {
    const who = { login: user, password: PASSWORD };
    const { status, body } = await post('/@totp', who);
    expect(status).toBe(200);
    // The code of the previous step is refused once the present step has ended, which a request must not wait for.
    const left = 30_000 - (Date.now() % 30_000);
    if (left < STEP_RESERVE_MS) await sleep(left);
    const confirmed = await post('/@totp/confirm', { ...who, otp: codeOf(body.secret, -1) });
    expect([confirmed.status, confirmed.body.recovery_codes?.length]).toEqual([200, 10]);
    return { secret: body.secret, recovery: confirmed.body.recovery_codes };
  }

  it('codes of an app are required after they are confirmed, and each works once', async () => {
    const user = await addUser();
    const { body } = await site.request('POST', '/@totp', { as: as(user), json: { password: PASSWORD } });
    expect(body.uri).toContain(`secret=${body.secret}`);
    expect((await login(user)).status).toBe(200);
    const wrong = await post('/@totp/confirm', { login: user, password: PASSWORD, otp: '000000' });
    expect(wrong.status).toBe(400);
    const { secret } = await setUp(user);
    const missing = await login(user);
    expect([missing.status, missing.body.error]).toEqual([
      401,
      {
        type: 'Second factor required',
        message: 'Enter the code of your authenticator app, too, or a recovery code ("otp").',
      },
    ]);
    const otp = codeOf(secret);
    const both = await Promise.all([login(user, { otp }), login(user, { otp })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await login(user, { otp: codeOf(secret, -1) })).body.error.type).toBe('Invalid second factor');
    const { token } = both.find(({ status }) => status === 200)?.body ?? {};
    const state = await site.request('GET', '/@totp', { as: { token } });
    expect(state.body).toMatchObject({ enabled: true, required: false, recovery_codes_left: 10 });
  });

  it('with a second factor a password alone never authenticates, and a wrong password does not reveal the factor', async () => {
    const user = await addUser();
    await setUp(user);
    expect((await site.request('GET', '/@totp', { as: as(user) })).status).toBe(401);
    const guessed = await site.request('POST', '/@login', {
      as: 'anonymous',
      json: { login: user, password: 'wrong' },
    });
    expect(guessed.body.error.type).toBe('Invalid credentials');
    const again = await post('/@totp', { login: user, password: PASSWORD });
    expect([again.status, again.body.error.message]).toEqual([
      400,
      'You have a second factor already: switch it off first.',
    ]);
    const disabled = await post('/@totp/disable', { password: PASSWORD, otp: '000000' });
    expect(disabled.status).toBe(401);
  });

  it('recovery codes are stored as hashes and work once each', async () => {
    const user = await addUser();
    const { secret, recovery } = await setUp(user);
    const [first = '', second = ''] = recovery;
    const { token } = (await login(user, { otp: first.toUpperCase() })).body;
    expect((await login(user, { otp: first })).status).toBe(401);
    const rows = JSON.stringify(await site.kernel.db.query({ text: 'select * from totp' }));
    expect([rows.includes(second), rows.includes(secret)]).toEqual([false, false]);
    const renewed = await site.request('POST', '/@totp/recovery-codes', {
      as: { token },
      json: { password: PASSWORD, otp: codeOf(secret) },
    });
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect((await login(user, { otp: second })).status).toBe(401);
    expect((await login(user, { otp: renewed.body.recovery_codes[0] })).status).toBe(200);
  });

  it('a second factor is switched off with password and code, or by a manager of the user', async () => {
    const user = await addUser();
    const { secret, recovery } = await setUp(user);
    const { token } = (await login(user, { otp: codeOf(secret) })).body;
    const disable = (json: object) => site.request('POST', '/@totp/disable', { as: { token }, json });
    expect((await disable({ password: 'wrong', otp: recovery[0] })).status).toBe(401);
    expect((await disable({ password: PASSWORD, otp: recovery[0] })).status).toBe(204);
    expect((await login(user)).status).toBe(200);
    await setUp(user);
    expect((await site.request('GET', `/@users/${user}`)).body.second_factor).toBe(true);
    expect((await site.request('DELETE', `/@users/${user}/@totp`)).status).toBe(204);
    expect((await login(user)).status).toBe(200);
    expect((await site.request('DELETE', `/@users/${user}/@totp`)).status).toBe(404);
  });

  it('after thirty wrong codes an account is closed for an hour, for all addresses', async () => {
    const user = await addUser();
    const { secret } = await setUp(user);
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await login(user, { otp: '000000' })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    await site.kernel.db.query({ text: 'delete from login_failure' });
    expect((await login(user, { otp: codeOf(secret) })).status).toBe(200);
    await site.kernel.db.query({
      text: `insert into visitor_request (kind, address, at) select 'second-factor', $1, now() from generate_series(1, 30)`,
      values: [user],
    });
    const refused = await login(user, { otp: codeOf(secret, 1) });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600']);
  });

  it('a second factor cannot be changed with a personal access token', async () => {
    const user = await addUser();
    const made = await site.request('POST', '/@access-tokens', { as: as(user), json: { name: 'x' } });
    const json = { password: PASSWORD, otp: '000000' };
    for (const path of ['/@totp', '/@totp/confirm', '/@totp/recovery-codes', '/@totp/disable'])
      expect((await site.request('POST', path, { as: { token: made.body.token }, json })).status).toBe(403);
  });

  it('users can set up only their own second factor', async () => {
    const [user, other] = [await addUser(), await addUser()];
    const { status } = await site.request('POST', '/@totp', {
      as: as(user),
      json: { login: other, password: PASSWORD },
    });
    expect(status).toBe(400);
  });

  describe('where the site wants them of a role', () => {
    beforeAll(() => changeSettings(site, 'security', { second_factor_roles: ['Reviewer'] }));

    it('users of a role that needs a second factor must set it up at the login, and can', async () => {
      const user = await addUser(['Reviewer', 'Member']);
      const told = await login(user);
      expect([told.status, told.body.error.type]).toEqual([401, 'Second factor not set up']);
      expect((await site.request('GET', '/@totp', { as: as(user) })).status).toBe(401);
      const { secret } = await setUp(user);
      expect((await login(user, { otp: codeOf(secret) })).status).toBe(200);
    });

    it('it can be set up on a site whose API takes a login', async () => {
      const user = await addUser(['Reviewer', 'Member']);
      const allow = async (role: string) => {
        const json = { 'cms.restapi: Use REST API': [role] };
        expect((await site.request('PATCH', '/@permissions', { json })).status).toBe(204);
      };
      await allow('Authenticated');
      try {
        expect((await site.request('GET', '/', { as: 'anonymous' })).status).toBe(401);
        const { secret } = await setUp(user);
        expect((await login(user, { otp: codeOf(secret) })).status).toBe(200);
      } finally {
        await allow('Anonymous');
      }
    });

    it('older sessions of a role that needs a second factor are not renewed', async () => {
      const user = await addUser();
      const { token } = (await login(user)).body;
      expect((await site.request('POST', '/@login-renew', { as: { token } })).status).toBe(200);
      await site.request('PATCH', `/@users/${user}`, { json: { roles: { Reviewer: true } } });
      expect((await site.request('POST', '/@login-renew', { as: { token } })).status).toBe(401);
    });
  });
});

describe('secrets at rest', () => {
  const KEY = 'a long key of the operator, 32 characters';

  it('an encrypted secret can be decrypted only in its place and with its key', () => {
    const sealed = new SecretBox('of the database', [KEY]).seal('secret', 'totp:eva');
    expect(new SecretBox('of the database', ['a newer key', KEY]).open(sealed, 'totp:eva')).toBe('secret');
    expect(() => new SecretBox('of the database', [KEY]).open(sealed, 'totp:adam')).toThrow();
    expect(() => new SecretBox('of the database', []).open(sealed, 'totp:eva')).toThrow(/another key/);
    const changed = `${sealed.slice(0, -2)}AA`;
    expect(() => new SecretBox('of the database', [KEY]).open(changed, 'totp:eva')).toThrow();
  });

  it('secrets from before a SECRETS_KEY was set can still be decrypted', () => {
    const sealed = new SecretBox('of the database', []).seal('secret', 'totp:eva');
    expect(new SecretBox('of the database', [KEY]).open(sealed, 'totp:eva')).toBe('secret');
  });
});
