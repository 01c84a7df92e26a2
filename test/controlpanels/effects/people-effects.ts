import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { siteMailHost } from '../../../src/core/configuration/site/site-mail.ts';
import { writeGroupDefinitions } from '../../../src/core/people/statements/group-rows.ts';
import { resetLifetime } from '../../../src/features/people/password-mail.ts';
import type { Json } from '../../support/site.ts';
import type { EffectSite, Effects } from './effect.ts';

const PASSWORD = 'Long-enough-77!';
const FRIEND = 'https://friend.example.org';

const register = ({ site }: EffectSite, json: Json, as: 'admin' | 'anonymous' = 'anonymous') =>
  site.request('POST', '/@users', { as, json: { email: `${json.username ?? 'x'}@example.org`, ...json } });
const mailHost = async ({ site }: EffectSite) => siteMailHost(site.kernel, await site.kernel.sites.current());
const login = async ({ site }: EffectSite): Promise<string> =>
  (await site.request('POST', '/@login', { as: 'anonymous', json: { login: 'admin', password: 'admin' } })).body.token;
const partOf = (token: string, part: 0 | 1): Json =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());

/** A setting of the mail server, with which later mails are sent. */
const sends =
  (name: string, value: unknown, expected: Json): Effects[string] =>
  async (context) => {
    await context.set('mail', { smtp_host: 'mail.example.org', [name]: value });
    expect(await mailHost(context)).toMatchObject(expected);
  };

/** A setting of CORS: a header of responses to pages of another origin. */
const allows =
  (name: string, value: unknown, { header, expected }: { header: string; expected: string }): Effects[string] =>
  async ({ site, set }) => {
    await set('cors', { allow_origin: [FRIEND], [name]: value });
    const headers = { Origin: FRIEND, 'Access-Control-Request-Method': 'PATCH' };
    const responses = [await site.request('OPTIONS', '/', { headers }), await site.request('GET', '/', { headers })];
    expect(responses.map((response) => response.headers.get(header))).toContain(expected);
  };

export const PEOPLE_EFFECTS: Effects = {
  'mail.smtp_host': sends('smtp_host', 'mx.example.org', { host: 'mx.example.org' }),
  'mail.smtp_port': sends('smtp_port', 2525, { port: 2525 }),
  'mail.secure': sends('secure', true, { secure: true }),
  'mail.smtp_userid': sends('smtp_userid', 'sender', { auth: { user: 'sender' } }),
  'mail.smtp_pass': async (context) => {
    await context.set('mail', { smtp_host: 'mail.example.org', smtp_userid: 'sender', smtp_pass: 'geheim' });
    expect((await mailHost(context))?.auth).toEqual({ user: 'sender', pass: 'geheim' });
  },
  'mail.email_from_name': sends('email_from_name', 'The Town', { from: { name: 'The Town' } }),
  'mail.email_from_address': sends('email_from_address', 'a@example.org', { from: { address: 'a@example.org' } }),
  'mail.debug': sends('debug', true, { debug: true }),
  'site.frontend_domain': async ({ set, site, fresh }) => {
    await set('mail', { smtp_host: '' });
    await set('site', { frontend_domain: 'https://www.example.org' });
    const { passwordMail } = await import('../../../src/features/people/password-mail.ts');
    const user = { id: fresh('u'), login: 'u', fullname: '', email: 'u@example.org', properties: {} };
    const expires = new Date();
    const textOf = async () => {
      const config = { ...site.kernel.config, frontendUrl: 'http://localhost:3001' };
      const mail = { user, token: 'abc', reason: 'reset', expires } as const;
      return passwordMail({ config }, await site.kernel.sites.current(), mail).text;
    };
    expect(await textOf()).toContain(`https://www.example.org/passwordreset/abc?userid=${user.id}`);
    await set('site', { frontend_domain: '' });
    expect(await textOf()).toContain(`http://localhost:3001/passwordreset/abc?userid=${user.id}`);
  },
  'security.enable_self_reg': async (context) => {
    await context.set('security', { enable_user_pwd_choice: true });
    const json = { username: context.fresh('visitor'), password: PASSWORD };
    expect((await register(context, json)).status).toBe(401);
    await context.set('security', { enable_self_reg: true });
    expect((await register(context, json)).status).toBe(201);
  },
  'security.enable_user_pwd_choice': async (context) => {
    await context.set('security', { enable_self_reg: true, enable_user_pwd_choice: false });
    const json = { username: context.fresh('visitor'), password: PASSWORD };
    expect((await register(context, json)).status).toBe(400);
    await context.set('security', { enable_user_pwd_choice: true });
    expect((await register(context, json)).status).toBe(201);
  },
  'security.use_email_as_login': async (context) => {
    await context.set('security', { use_email_as_login: true });
    const { status, body } = await register(context, { email: 'Me@Example.org', password: PASSWORD }, 'admin');
    expect([status, body.username]).toEqual([201, 'me@example.org']);
    await context.set('security', { use_email_as_login: false });
  },
  'security.use_uuid_as_userid': async (context) => {
    const { site, set, fresh, read } = context;
    await set('security', { use_uuid_as_userid: true });
    const username = fresh('hidden');
    const { status, body } = await register(context, { username, password: PASSWORD, groups: [] }, 'admin');
    expect([status, body.username]).toEqual([201, username]);
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
    const as = { login: username, password: PASSWORD };
    expect((await read(`/@users/${body.id}`, { as })).username).toBe(username);
    expect(
      (await site.request('POST', '/@users', { json: { username, email: 'x@example.org', password: PASSWORD } }))
        .status,
    ).toBe(400);
    const file = `username,email,password\r\n${fresh('listed')},l@example.org,${PASSWORD}`;
    const csv = await site.request('POST', '/@users', {
      headers: { 'Content-Type': 'multipart/form-data; boundary=xyz' },
      body: `--xyz\r\nContent-Disposition: form-data; name="file"; filename="users.csv"\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--xyz--\r\n`,
    });
    expect(csv.text).toMatch(/[0-9a-f]{32}/);
    await set('security', { use_uuid_as_userid: false });
    expect((await register(context, { username: fresh('plain'), password: PASSWORD }, 'admin')).body.id).toMatch(
      /^plain/,
    );
  },
  'security.password_min_length': async (context) => {
    await context.set('security', { password_min_length: 20 });
    const json = { username: context.fresh('user'), password: PASSWORD };
    expect((await register(context, json, 'admin')).status).toBe(400);
    await context.set('security', { password_min_length: 8 });
    expect((await register(context, json, 'admin')).status).toBe(201);
  },
  'security.breached_passwords_file': async (context) => {
    const known = createHash('sha1').update(PASSWORD).digest('hex').toUpperCase();
    await writeFile(`${context.site.kernel.config.dataDir}/known.txt`, `${known}\n`);
    await context.set('security', { breached_passwords_file: 'known.txt' });
    const json = { username: context.fresh('user'), password: PASSWORD };
    expect((await register(context, json, 'admin')).status).toBe(400);
    await context.set('security', { breached_passwords_file: '' });
    expect((await register(context, json, 'admin')).status).toBe(201);
  },
  'security.reset_token_hours': async ({ site, set }) => {
    await set('security', { reset_token_hours: 5 });
    expect(resetLifetime(await site.kernel.sites.current())).toBe(5 * 60 * 60_000);
  },
  'security.token_timeout': async (context) => {
    await context.set('security', { token_timeout: 60 });
    await expect
      .poll(async () => {
        const { iat, exp } = partOf(await login(context), 1);
        return Math.round(exp - iat);
      })
      .toBe(60);
  },
  'security.use_keyring': async (context) => {
    const kid = async () => partOf(await login(context), 0).kid;
    const before = await kid();
    await context.set('security', { use_keyring: false });
    await expect.poll(kid).not.toBe(before);
    await context.set('security', { use_keyring: true });
  },
  'security.second_factor_roles': async (context) => {
    const user = context.fresh('reviewer');
    await register(context, { username: user, password: PASSWORD, roles: ['Reviewer'] }, 'admin');
    const asked = async () => {
      const json = { login: user, password: PASSWORD };
      return (await context.site.request('POST', '/@login', { as: 'anonymous', json })).body.error?.type;
    };
    expect(await asked()).toBeUndefined();
    await context.set('security', { second_factor_roles: ['Reviewer'] });
    expect(await asked()).toBe('Second factor not set up');
    await context.set('security', { second_factor_roles: [] });
    expect(await asked()).toBeUndefined();
  },
  'access-tokens.default_days': async ({ site, set }) => {
    await set('access-tokens', { default_days: 2 });
    const { body } = await site.request('POST', '/@access-tokens', { json: { name: 'A token' } });
    expect(Math.round((Date.parse(body.expires) - Date.parse(body.created)) / 86_400_000)).toBe(2);
  },
  'access-tokens.max_days': async ({ site, set }) => {
    const forEver = async () =>
      (await site.request('POST', '/@access-tokens', { json: { name: 'A token', expires: null } })).status;
    expect(await forEver()).toBe(400);
    await set('access-tokens', { max_days: 0 });
    expect(await forEver()).toBe(201);
  },
  'security.store_tokens': async (context) => {
    const { site, set } = context;
    await set('security', { store_tokens: true });
    const status = async (token: string) => (await site.request('GET', '/@users', { as: { token } })).status;
    await expect
      .poll(async () => {
        const token = await login(context);
        await site.request('POST', '/@logout', { as: { token } });
        return status(token);
      })
      .toBe(401);
    await set('security', { store_tokens: false });
  },
  'usergroup.many_users': async ({ site, set }) => {
    await site.kernel.db.query({
      text: `insert into account (id, login) select 'many' || n, 'many' || n from generate_series(1, 26) n`,
    });
    const count = async () => (await site.request('GET', '/@users')).body.length;
    expect(await count()).toBeGreaterThan(26);
    await set('usergroup', { many_users: true });
    expect(await count()).toBe(25);
  },
  'usergroup.many_groups': async ({ site, set }) => {
    const groups = Array.from({ length: 26 }, (_, i) => ({ id: `many${i}`, title: '', description: '', roles: [] }));
    await site.kernel.db.transaction((tx) => writeGroupDefinitions(tx, groups));
    await set('usergroup', { many_groups: true });
    const { body, headers } = await site.request('GET', '/@groups');
    expect(body).toHaveLength(25);
    expect(headers.get('link')).toContain('b_start=25');
  },
  'cors.allow_origin': allows('allow_origin', [FRIEND], { header: 'access-control-allow-origin', expected: FRIEND }),
  'cors.allow_methods': allows('allow_methods', ['PATCH', 'GET'], {
    header: 'access-control-allow-methods',
    expected: 'PATCH, GET',
  }),
  'cors.allow_headers': allows('allow_headers', ['X-Own'], {
    header: 'access-control-allow-headers',
    expected: 'X-Own, Idempotency-Key',
  }),
  'cors.expose_headers': allows('expose_headers', ['X-Other'], {
    header: 'access-control-expose-headers',
    expected: 'X-Other, Idempotency-Replayed',
  }),
  'cors.allow_credentials': allows('allow_credentials', true, {
    header: 'access-control-allow-credentials',
    expected: 'true',
  }),
  'cors.max_age': allows('max_age', 77, { header: 'access-control-max-age', expected: '77' }),
};
