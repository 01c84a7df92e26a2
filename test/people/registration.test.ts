import { beforeEach, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { useMailingSite } from '../support/use-site.ts';
import { changeSettings, PASSWORD, peopleOf } from './people-site.ts';

describeEachEngine('registration', (engine) => {
  const { site, sink } = useMailingSite(engine);
  beforeEach(() =>
    changeSettings(site, 'security', {
      enable_self_reg: true,
      enable_user_pwd_choice: false,
      use_email_as_login: false,
    }),
  );
  const { fresh, as, addUser, addGroup, read } = peopleOf(site);
  const register = (json: Json, who: Parameters<TestSite['request']>[2] = { as: 'anonymous' }) =>
    site.request('POST', '/@users', { ...who, json: { email: `${json.username}@example.org`, ...json } });
  const tokenIn = (text: string) => /\/passwordreset\/([\w-]+)\?userid=/.exec(text)?.[1] ?? '';

  it('visitors can register only where the site allows it, and logged-in users never', async () => {
    const user = await addUser();
    const username = fresh('reg');
    expect((await register({ username }, { as: as(user) })).status).toBe(403);
    await changeSettings(site, 'security', { enable_self_reg: false });
    expect((await register({ username, password: PASSWORD })).status).toBe(401);
    expect((await site.request('GET', `/@users/${username}`)).status).toBe(404);
  });

  it('a registration mails a link to set the password and gives the role Member', async () => {
    const username = fresh('reg');
    const { status, body } = await register({ username, fullname: 'Self Made', sendPasswordReset: true });
    expect([status, body.roles]).toEqual([201, ['Member']]);
    const [mail] = await sink.arrived(`${username}@example.org`);
    const json = { reset_token: tokenIn(mail?.text ?? ''), new_password: PASSWORD };
    const path = `/@users/${username}/reset-password`;
    expect((await site.request('POST', path, { as: 'anonymous', json })).status).toBe(200);
    expect((await site.request('GET', `/@users/${username}`, { as: as(username) })).status).toBe(200);
  });

  it('a registration requires a password where users may choose it and rejects one elsewhere', async () => {
    const username = fresh('reg');
    expect((await register({ username, password: PASSWORD })).body.error.errors[0].field).toBe('password');
    await changeSettings(site, 'security', { enable_user_pwd_choice: true });
    expect((await register({ username })).status).toBe(400);
    expect((await register({ username, password: 'short' })).status).toBe(400);
    expect((await register({ username, password: PASSWORD })).status).toBe(201);
    expect((await site.request('GET', `/@users/${username}`, { as: as(username) })).status).toBe(200);
  });

  it('a registration gives no roles, groups or pictures', async () => {
    const group = await addGroup({ roles: ['Editor'] });
    const username = fresh('reg');
    for (const more of [{ roles: ['Manager'] }, { roles: { Editor: true } }, { groups: [group] }]) {
      expect((await register({ username, ...more })).status, JSON.stringify(more)).toBe(400);
    }
    const portrait = { data: 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', encoding: 'base64' };
    expect((await register({ username, portrait, roles: [] })).body).toMatchObject({
      portrait: null,
      roles: ['Member'],
    });
  });

  it('with e-mail addresses as login names no user name is needed and no address is accepted twice', async () => {
    await changeSettings(site, 'security', { use_email_as_login: true });
    const email = `${fresh('Mail')}@Example.org`;
    const post = (json: Json) => site.request('POST', '/@users', { as: 'anonymous', json });
    const made = await post({ email, fullname: 'By Mail' });
    expect([made.status, made.body.username]).toEqual([201, email.toLowerCase()]);
    expect((await post({ email: email.toUpperCase() })).body.error.errors[0].field).toBe('email');
    expect((await post({ email: 'x@example.org', username: 'x' })).body.error.errors[0].field).toBe('username');
    await changeSettings(site, 'security', { use_email_as_login: false });
  });

  it('a manager creates a user with either a password or a link to set one', async () => {
    const username = fresh('made');
    const both = { username, password: PASSWORD, sendPasswordReset: true };
    expect((await register(both, {})).body.error.errors[0].field).toBe('sendPasswordReset');
    expect((await register({ username, sendPasswordReset: true, roles: ['Editor'] }, {})).status).toBe(201);
    await sink.arrived(`${username}@example.org`);
    expect((await read(`/@users/${username}`)).roles).toEqual(['Editor']);
  });

  it('one network can register thirty users per hour', async () => {
    const seen: number[] = [];
    for (let n = 0; n < 31 && seen.at(-1) !== 429; n += 1)
      seen.push((await register({ username: fresh('many') })).status);
    expect(seen.at(-1)).toBe(429);
    expect((await register({ username: fresh('made'), password: PASSWORD }, {})).status).toBe(201);
  });
});

describeEachEngine('a site without a mail server', (engine) => {
  it('a manager who wants a link sent gets an error about the missing mail server', async () => {
    const site = await startTestSite(engine);
    try {
      const json = { username: 'linked', email: 'linked@example.org', sendPasswordReset: true };
      const { status, body } = await site.request('POST', '/@users', { json });
      expect([status, body.error.errors]).toEqual([
        400,
        [{ field: 'sendPasswordReset', message: 'MailHost is not configured.' }],
      ]);
    } finally {
      await site.close();
    }
  });
});
