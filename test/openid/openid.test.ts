import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN } from '../../src/app/test-client.ts';
import { safePath } from '../../src/features/openid/pending-login.ts';
import { PASSWORD, peopleOf } from '../people/people-site.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { CLIENT, createBrowser, type People, startOpenidProvider } from '../support/openid-provider.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeQuickestEngine('a login with an OpenID provider', (engine) => {
  const people: People = {
    'subject-1': {
      name: 'Eva Jansen',
      preferred_username: 'eva',
      email: 'eva@example.org',
      email_verified: true,
      roles: ['editors', 'strangers'],
      groups: ['office', 'no-such-group'],
    },
    'subject-2': { email: 'adam@example.org', email_verified: true },
    'subject-3': { email: 'adam@example.org', email_verified: false, preferred_username: 'adam' },
  };
  let provider: Awaited<ReturnType<typeof startOpenidProvider>>;
  beforeAll(async () => {
    provider = await startOpenidProvider(people);
  });
  const site = useTestSite(engine, () => ({
    environment: {
      OPENID_ISSUER: provider.issuer,
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
      OPENID_TITLE: 'The town',
      OPENID_ROLES: 'editors=Editor, chiefs=Site Administrator',
      OPENID_GROUPS_CLAIM: 'groups',
      OPENID_CREATE_USERS: '1',
      OPENID_LINK_BY_EMAIL: '1',
    },
  }));
  const { addUser, addGroup, read } = peopleOf(site);
  const begin = (cameFrom = '/news') => `${site.url}/++api++/@login-openid?came_from=${encodeURIComponent(cameFrom)}`;
  const atCallback = (url: string) => url.includes('/@login-openid/callback');
  beforeAll(async () => {
    provider.serve(`${site.url}/++api++/@login-openid/callback`, ['https://www.example.org/']);
    await site.request('PATCH', '/@controlpanels/site', { json: { frontend_domain: 'https://www.example.org' } });
    await addGroup({ groupname: 'office' });
  });
  afterAll(() => provider?.close());

  /** Logs in as a subject; returns where the browser is sent, and its token. */
  async function logIn(subject: string, cameFrom?: string) {
    const browser = createBrowser();
    const to = await browser.follow(begin(cameFrom), subject, (url) => url.startsWith('https://www.example.org'));
    return { to, token: browser.cookies(site.url).get('auth_token') ?? '' };
  }
  const whoIs = async (token: string): Promise<string> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;

  it('a login with OpenID is offered by @login as front ends expect', async () => {
    const { body } = await site.request('GET', '/@login', { as: 'anonymous' });
    const url = `${site.url}/++api++/@login-openid`;
    expect(body.options).toEqual([{ id: 'openid', plugin: 'openid', title: 'The town', url }]);
  });

  it('a login with OpenID creates a user with the roles and groups of the claims, and returns to the front end', async () => {
    const { to, token } = await logIn('subject-1');
    expect(to).toBe('https://www.example.org/news');
    expect(await whoIs(token)).toBe('eva');
    const own = await site.request('GET', '/@users/eva', { as: { token } });
    expect([own.status, own.body.fullname, own.body.email]).toEqual([200, 'Eva Jansen', 'eva@example.org']);
    expect(own.body.roles.sort()).toEqual(['Editor', 'Member']);
    expect(own.body.groups.items.map(({ id }: { id: string }) => id)).toContain('office');
    expect((await read('/@users/eva')).last_login).not.toBeNull();
  });

  it('a login with OpenID follows the claims, and keeps roles that a Manager has given', async () => {
    await site.request('PATCH', '/@users/eva', { json: { roles: { Reviewer: true } } });
    people['subject-1'] = { ...people['subject-1'], roles: [], groups: [], preferred_username: 'another' };
    const { token } = await logIn('subject-1');
    expect(await whoIs(token)).toBe('eva');
    const { roles, groups } = await read('/@users/eva');
    expect(roles.sort()).toEqual(['Member', 'Reviewer']);
    expect(groups.items.map(({ id }: { id: string }) => id)).not.toContain('office');
  });

  it('a login with OpenID is linked to a user with the same verified address, and to no other', async () => {
    const user = await addUser([], { email: 'adam@example.org' });
    expect(await whoIs((await logIn('subject-2')).token)).toBe(user);
    expect(await whoIs((await logIn('subject-3')).token)).not.toBe(user);
    // The user can still log in with the password.
    const login = await site.request('POST', '/@login', { as: 'anonymous', json: { login: user, password: PASSWORD } });
    expect(login.status).toBe(200);
  });

  it('a user can unlink the account of a provider, unless nothing else is left to log in with', async () => {
    const linked = async (as: { token: string }) =>
      (await site.request('GET', '/@provider-accounts', { as })).body.items as Json[];
    const own = { token: (await logIn('subject-2')).token };
    const [item] = await linked(own);
    expect(item).toMatchObject({ issuer: provider.issuer, subject: 'subject-2' });
    expect((await site.request('DELETE', '/@provider-accounts/unknown', { as: own })).status).toBe(404);
    expect((await site.request('DELETE', item?.['@id'], { as: own })).status).toBe(204);
    expect(await linked(own)).toEqual([]);
    people['subject-1'] = { ...people['subject-1'], roles: ['editors'], groups: ['office'] };
    const eva = { token: (await logIn('subject-1')).token };
    const refused = await site.request('DELETE', (await linked(eva))[0]?.['@id'], { as: eva });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('choose a password first')]);
    expect((await site.request('DELETE', '/@users/eva/@provider-accounts', { as: own })).status).toBe(403);
    expect((await site.request('DELETE', '/@users/eva/@provider-accounts')).status).toBe(204);
    expect((await site.request('DELETE', '/@users/eva/@provider-accounts')).status).toBe(404);
    const { roles, groups } = await read('/@users/eva');
    expect(roles.sort()).toEqual(['Member', 'Reviewer']);
    expect(groups.items.map(({ id }: { id: string }) => id)).not.toContain('office');
    expect(await whoIs((await logIn('subject-1')).token), 'linked again by its verified address').toBe('eva');
  });

  it('a logout with OpenID ends the session here and leads to the provider, which sends the browser back', async () => {
    const browser = createBrowser();
    await browser.follow(begin(), 'subject-2', (url) => url.startsWith('https://www.example.org'));
    const answer = await browser.ask(`${site.url}/++api++/@logout-openid`);
    const to = new URL(answer.to ?? '');
    expect([answer.status, to.origin]).toEqual([302, provider.issuer]);
    expect(to.searchParams.get('post_logout_redirect_uri')).toBe('https://www.example.org/');
    expect(to.searchParams.get('client_id')).toBe(CLIENT.id);
    expect(browser.cookies(site.url).get('auth_token')).toBe('');
    // Users without an account with the provider are not sent there.
    const { token } = (await site.request('POST', '/@login', { as: 'anonymous', json: ADMIN })).body;
    const local = await fetch(`${site.url}/@logout-openid`, {
      redirect: 'manual',
      headers: { cookie: `auth_token=${token}` },
    });
    expect([local.status, local.headers.get('location')]).toEqual([302, 'https://www.example.org/']);
  });

  it('a disabled user cannot log in with OpenID', async () => {
    await site.request('PATCH', '/@users/eva', { json: { disabled: true } });
    const browser = createBrowser();
    const callback = await browser.follow(begin(), 'subject-1', atCallback);
    expect((await browser.ask(callback)).status).toBe(401);
    expect(browser.cookies(site.url).has('auth_token')).toBe(false);
  });

  it('a login with OpenID ends in the browser that began it, once', async () => {
    const [browser, other] = [createBrowser(), createBrowser()];
    const callback = await browser.follow(begin(), 'subject-2', atCallback);
    expect((await other.ask(callback)).status).toBe(401);
    await other.ask(begin());
    expect((await other.ask(callback)).status).toBe(401);
    expect((await browser.ask(callback)).status).toBe(302);
    expect((await browser.ask(callback)).status).toBe(401);
  });

  it('a login with OpenID is rejected with another state, another issuer, an invalid code or without its cookie', async () => {
    const browser = createBrowser();
    const callback = new URL(await browser.follow(begin(), 'subject-2', atCallback));
    const changed = (name: string, value: string) => {
      const url = new URL(callback);
      url.searchParams.set(name, value);
      return url.href;
    };
    for (const url of [
      changed('state', 'x'),
      changed('iss', 'http://127.0.0.1:1'),
      changed('code', 'x'),
      `${site.url}/@login-openid/callback`,
      `${site.url}/@login-openid/callback?error=access_denied&state=${callback.searchParams.get('state')}`,
    ])
      expect([url, (await browser.ask(url)).status]).toEqual([url, 401]);
    const forged = await fetch(callback, { redirect: 'manual', headers: { cookie: 'canopy_openid=a.b' } });
    expect(forged.status).toBe(401);
  });

  it('a login with OpenID redirects only to the front end', async () => {
    for (const path of ['//evil.example', 'https://evil.example', '/\\evil.example', '/..//evil.example', '/a\nb', ''])
      expect([path, safePath(path)]).toEqual([path, '/']);
    expect(safePath('/news?page=2')).toBe('/news?page=2');
    expect((await logIn('subject-2', '//evil.example/x')).to).toBe('https://www.example.org/');
  });
});

describeQuickestEngine('a site without an OpenID provider', (engine) => {
  const site = useTestSite(engine);

  it('a site without a provider offers no login with OpenID', async () => {
    const { body } = await site.request('GET', '/@login', { as: 'anonymous' });
    expect(body).toEqual({ options: [] });
    for (const path of ['/@login-openid', '/@login-openid/callback?code=x&state=y', '/@logout-openid'])
      expect((await site.request('GET', path, { as: 'anonymous' })).status).toBe(404);
  });
});
