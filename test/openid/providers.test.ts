import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN } from '../../src/app/test-client.ts';
import { peopleOf } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { CLIENT, createBrowser, type People, startOpenidProvider } from '../support/openid-provider.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const FRONT = 'https://www.example.org';
const PANEL = '/@controlpanels/login-providers';

describeEachEngine('several login providers', (engine) => {
  const ofTown: People = { 'town-1': { name: 'Eva Jansen', preferred_username: 'eva' }, 'town-2': {} };
  const ofSchool: People = {
    'school-1': { nick: 'eva', display: 'Eva of the school', realm_access: { roles: ['teachers'] } },
    'school-2': { nick: 'otto' },
  };
  let town: Awaited<ReturnType<typeof startOpenidProvider>>;
  let school: Awaited<ReturnType<typeof startOpenidProvider>>;
  beforeAll(async () => {
    [town, school] = [await startOpenidProvider(ofTown), await startOpenidProvider(ofSchool)];
  });
  const site = useTestSite(engine, () => ({
    environment: {
      OPENID_ISSUER: town.issuer,
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
      OPENID_TITLE: 'The town',
      OPENID_CREATE_USERS: '1',
      OPENID_PROVIDERS: JSON.stringify([
        { id: 'office', title: 'The office', issuer: 'http://127.0.0.1:1', client_id: 'x', client_secret: 'hidden-1' },
      ]),
      WEBHOOK_PRIVATE_ADDRESSES: '1',
    },
  }));
  const { addUser, read } = peopleOf(site);
  const SCHOOL = () => ({
    ...{ id: 'school', title: 'The school', issuer: school.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret },
    ...{ name_claim: 'nick', fullname_claim: 'display', scope: 'openid profile', create_users: true },
    ...{ roles_claim: 'realm_access.roles', roles: { teachers: 'Editor' } },
  });
  const address = (provider: string) =>
    `${site.url}/++api++/@login-openid${provider === 'openid' ? '' : `/${provider}`}`;
  beforeAll(async () => {
    town.serve(`${address('openid')}/callback`, [`${FRONT}/`]);
    school.serve(`${address('school')}/callback`, [`${FRONT}/`]);
    await site.request('PATCH', '/@controlpanels/site', { json: { frontend_domain: FRONT } });
    expect((await site.request('POST', PANEL, { json: SCHOOL() })).status).toBe(201);
  });
  afterAll(() => Promise.all([town?.close(), school?.close()]));

  const atFront = (url: string) => url.startsWith(FRONT);
  const atCallback = (url: string) => url.includes('/callback?');
  async function logIn(provider: string, subject: string, browser = createBrowser()) {
    const to = await browser.follow(address(provider), subject, atFront);
    return { to, browser, token: browser.cookies(site.url).get('auth_token') ?? '' };
  }
  const whoIs = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;
  const tokenOf = async (login: string, password: string): Promise<string> =>
    (await site.request('POST', '/@login', { as: 'anonymous', json: { login, password } })).body.token;
  /** Begins to link in a browser; returns the address at the provider. */
  async function beginLink(browser: ReturnType<typeof createBrowser>, token: string, provider: string) {
    const response = await site.request('POST', '/@provider-accounts', {
      as: { token },
      json: { provider, came_from: '/me' },
    });
    expect(response.status, response.text).toBe(200);
    const [pair = ''] = String(response.headers.get('set-cookie')).split(';');
    const equals = pair.indexOf('=');
    browser.cookies(site.url).set(pair.slice(0, equals), pair.slice(equals + 1));
    return String(response.body.url);
  }

  it('all login providers are offered by @login, each with a login service of its own', async () => {
    const { body } = await site.request('GET', '/@login', { as: 'anonymous' });
    expect(body.options).toEqual([
      { id: 'openid', plugin: 'openid', title: 'The town', url: address('openid') },
      { id: 'office', plugin: 'openid', title: 'The office', url: address('office') },
      { id: 'school', plugin: 'openid', title: 'The school', url: address('school') },
    ]);
  });

  it('the login of each provider makes users by the claims that it names', async () => {
    const one = await logIn('openid', 'town-1');
    expect(whoIs(one.token)).toBe('eva');
    const other = await logIn('school', 'school-1');
    expect(whoIs(other.token)).toBe('eva2');
    const { fullname, roles } = await read('/@users/eva2');
    expect([fullname, roles.sort()]).toEqual(['Eva of the school', ['Editor', 'Member']]);
  });

  it('a logout leads to the provider that the browser has logged in with', async () => {
    for (const [provider, subject, issuer] of [
      ['openid', 'town-1', town.issuer],
      ['school', 'school-1', school.issuer],
    ] as const) {
      const { browser } = await logIn(provider, subject);
      const { to } = await browser.ask(`${site.url}/++api++/@logout-openid`);
      expect(new URL(to ?? '').origin).toBe(issuer);
      expect([browser.cookies(site.url).get('auth_token'), browser.cookies(site.url).get('canopy_provider')]).toEqual([
        '',
        '',
      ]);
    }
  });

  it('a login counts for the provider only that it was begun with', async () => {
    const browser = createBrowser();
    const callback = await browser.follow(address('school'), 'school-2', atCallback);
    const elsewhere = callback.replace('/@login-openid/school/callback', '/@login-openid/callback');
    expect((await browser.ask(elsewhere)).status).toBe(401);
    const withIssuer = new URL(callback);
    withIssuer.searchParams.set('iss', town.issuer);
    expect((await browser.ask(withIssuer.href)).status).toBe(401);
  });

  it('a login that has come back is used up, also where the provider would take its code again', async () => {
    const browser = createBrowser();
    const callback = await browser.follow(address('school'), 'school-2', atCallback);
    const kept = browser.cookies(site.url).get('canopy_openid') ?? '';
    const wrong = new URL(callback);
    wrong.searchParams.set('code', 'wrong');
    expect((await browser.ask(wrong.href)).status).toBe(401);
    browser.cookies(site.url).set('canopy_openid', kept);
    const again = await browser.ask(callback);
    expect([again.status, again.text]).toEqual([401, expect.stringContaining('come back already')]);
  });

  it('a user links accounts of two providers with the own account and logs in with either', async () => {
    const user = await addUser([], { password: 'correct-horse' });
    const browser = createBrowser();
    for (const [provider, subject] of [
      ['openid', 'town-2'],
      ['school', 'school-2'],
    ] as const) {
      const url = await beginLink(browser, await tokenOf(user, 'correct-horse'), provider);
      expect(await browser.follow(url, subject, atFront)).toBe(`${FRONT}/me`);
      expect(browser.cookies(site.url).has('auth_token'), 'linking is no login').toBe(false);
    }
    expect(whoIs((await logIn('openid', 'town-2')).token)).toBe(user);
    const { token } = await logIn('school', 'school-2');
    expect(whoIs(token)).toBe(user);
    const { body } = await site.request('GET', '/@provider-accounts', { as: { token } });
    expect(body.items.map(({ provider, title }: Json) => [provider, title]).sort()).toEqual([
      ['openid', 'The town'],
      ['school', 'The school'],
    ]);
    const log = await read(`/@audit-log?action=provider-account&name=${user}`);
    expect(log.items.map(({ action, details }: Json) => [action, details.names])).toEqual([
      ['provider-account.linked', ['school']],
      ['provider-account.linked', ['openid']],
    ]);
    for (const { '@id': id } of body.items)
      expect((await site.request('DELETE', id, { as: { token } })).status).toBe(204);
    const after = await read(`/@audit-log?action=provider-account.unlinked&name=${user}`);
    expect(after.items).toHaveLength(2);
  });

  it('an account of a provider that belongs to another user is not linked', async () => {
    await logIn('school', 'school-1');
    const user = await addUser([], { password: 'correct-horse' });
    const browser = createBrowser();
    const url = await beginLink(browser, await tokenOf(user, 'correct-horse'), 'school');
    const callback = await browser.follow(url, 'school-1', atCallback);
    const answer = await browser.ask(callback);
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('linked with another user')]);
    expect(whoIs((await logIn('school', 'school-1')).token)).toBe('eva2');
  });

  it('linking ends in the browser that began it, and needs a user with an account who asks in person', async () => {
    const user = await addUser([], { password: 'correct-horse' });
    const token = await tokenOf(user, 'correct-horse');
    const [browser, victim] = [createBrowser(), createBrowser()];
    const url = await beginLink(browser, token, 'school');
    expect((await victim.ask(await victim.follow(url, 'school-2', atCallback))).status).toBe(401);
    const as = { as: { token } } as const;
    const json = { provider: 'school' };
    expect((await site.request('POST', '/@provider-accounts', { as: 'anonymous', json })).status).toBe(401);
    expect((await site.request('POST', '/@provider-accounts', { ...as, json: { provider: 'none' } })).status).toBe(404);
    const program = await site.request('POST', '/@access-tokens', { ...as, json: { name: 'Program' } });
    const asProgram = { as: { token: program.body.token }, json };
    expect((await site.request('POST', '/@provider-accounts', asProgram)).status).toBe(403);
  });

  it('a provider that is not there is 503 with its name, and nothing of why', async () => {
    const begun = await site.request('GET', '/@login-openid/office', { as: 'anonymous' });
    expect([begun.status, begun.headers.get('retry-after')]).toEqual([503, '30']);
    expect(begun.body.message ?? begun.body.error.message).toBe(
      '"The office" cannot be reached at the moment. Try again later, or log in another way.',
    );
    const token = await tokenOf(ADMIN.login, ADMIN.password);
    const json = { provider: 'office' };
    expect((await site.request('POST', '/@provider-accounts', { as: { token }, json })).status).toBe(503);
  });

  it('a provider that goes away while somebody logs in is 503', async () => {
    const gone = await startOpenidProvider({ 'gone-1': {} });
    gone.serve(`${address('gone')}/callback`);
    const json = { ...SCHOOL(), id: 'gone', title: 'Gone', issuer: gone.issuer };
    expect((await site.request('POST', PANEL, { json })).status).toBe(201);
    const browser = createBrowser();
    const callback = await browser.follow(address('gone'), 'gone-1', atCallback);
    await gone.close();
    expect((await browser.ask(callback)).status).toBe(503);
    expect((await site.request('DELETE', `${PANEL}/gone`)).status).toBe(204);
    expect((await browser.ask(address('gone'))).status).toBe(404);
  });

  it('the panel of login providers never serves a secret, and keeps it encrypted', async () => {
    const { body, text } = await site.request('GET', PANEL);
    expect(body.items.map(({ id, source, has_secret: secret }: Json) => [id, source, secret])).toEqual([
      ['openid', 'environment', true],
      ['office', 'environment', true],
      ['school', 'site', true],
    ]);
    expect(body.items[2]).toMatchObject({ client_secret: '', redirect_uri: `${address('school')}/callback` });
    for (const secret of [CLIENT.secret, 'hidden-1']) expect(text).not.toContain(secret);
    const tables = ['configuration', 'login_provider_secret', 'audit_entry', 'site_transaction_step'];
    for (const table of tables) {
      const rows = await site.kernel.db.query({ text: `select to_jsonb(t)::text as row from ${table} t` });
      expect(JSON.stringify(rows), table).not.toContain(CLIENT.secret);
    }
  });

  it('a changed secret of a provider counts at once, and an empty one leaves it as it is', async () => {
    const change = (json: Json) => site.request('PATCH', `${PANEL}/school`, { json });
    expect((await change({ client_secret: '', title: 'School' })).status).toBe(204);
    expect((await logIn('school', 'school-1')).to).toBe(`${FRONT}/`);
    expect((await change({ client_secret: 'wrong' })).status).toBe(204);
    const browser = createBrowser();
    const callback = await browser.follow(address('school'), 'school-1', atCallback);
    expect((await browser.ask(callback)).status).toBe(401);
    const log = await read('/@audit-log?action=login-provider');
    expect(log.items[0]).toMatchObject({ name: 'school', details: { names: ['client_secret'] } });
    expect((await change({ client_secret: null })).status).toBe(204);
    expect((await read(`${PANEL}/school`)).has_secret).toBe(false);
    expect((await change({ client_secret: CLIENT.secret, title: 'The school' })).status).toBe(204);
    expect((await logIn('school', 'school-1')).to).toBe(`${FRONT}/`);
  });

  it('a provider that is switched off is not offered, and nobody logs in with it', async () => {
    expect((await site.request('PATCH', `${PANEL}/school`, { json: { enabled: false } })).status).toBe(204);
    const { body } = await site.request('GET', '/@login', { as: 'anonymous' });
    expect(body.options.map(({ id }: Json) => id)).toEqual(['openid', 'office']);
    expect((await site.request('GET', '/@login-openid/school', { as: 'anonymous' })).status).toBe(404);
    expect((await site.request('PATCH', `${PANEL}/school`, { json: { enabled: null } })).status).toBe(204);
    expect((await logIn('school', 'school-1')).to).toBe(`${FRONT}/`);
  });

  it('a provider that cannot be is rejected with the field', async () => {
    const wrong = async (more: Json, field: string) => {
      const { status, text } = await site.request('POST', PANEL, { json: { ...SCHOOL(), id: 'new', ...more } });
      expect([status, text]).toEqual([400, expect.stringContaining(field)]);
    };
    await wrong({ id: 'school' }, 'There is a provider');
    await wrong({ id: 'openid' }, 'There is a provider');
    await wrong({ id: 'callback' }, 'id');
    await wrong({ issuer: 'http://login.example.org' }, 'issuer');
    await wrong({ issuer: 'https://user:pw@login.example.org' }, 'issuer');
    await wrong({ roles: { teachers: 'No such role' } }, 'No such role');
    await wrong({ unknown: 1 }, 'unknown');
    const moved = await site.request('PATCH', `${PANEL}/school`, { json: { issuer: 'https://elsewhere.example.org' } });
    expect([moved.status, moved.text]).toEqual([400, expect.stringContaining('client_secret')]);
    const fixed = await site.request('PATCH', `${PANEL}/openid`, { json: { title: 'x' } });
    expect([fixed.status, fixed.text]).toEqual([400, expect.stringContaining('settings of the server')]);
  });

  it('only who may do everything describes providers', async () => {
    const { kernel } = site;
    const user = await addUser(['Site Administrator'], { password: 'correct-horse' });
    await site.request('PATCH', '/@permissions', { json: { 'cmf.ManagePortal': ['Manager', 'Site Administrator'] } });
    const token = await tokenOf(user, 'correct-horse');
    const json = { ...SCHOOL(), id: 'mine', link_by_email: true };
    expect((await site.request('POST', PANEL, { as: { token }, json })).status).toBe(403);
    expect((await site.request('DELETE', `${PANEL}/school`, { as: { token } })).status).toBe(403);
    expect((await kernel.sites.current()).loginProviders.has('mine')).toBe(false);
  });

  it('a role that a provider gives cannot be removed', async () => {
    await site.request('POST', '/@roles', { json: { id: 'Teacher', title: 'Teacher' } });
    await site.request('PATCH', `${PANEL}/school`, { json: { roles: { teachers: 'Teacher' } } });
    const refused = await site.request('DELETE', '/@roles/Teacher');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('login provider')]);
  });
});
