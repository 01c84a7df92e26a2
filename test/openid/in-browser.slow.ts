import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { CLIENT, startOpenidProvider } from '../support/openid-provider.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeQuickestEngine('a login with an OpenID provider in a browser', (engine) => {
  const people = {
    eva: { name: 'Eva Jansen', preferred_username: 'eva', email: 'eva@example.org', email_verified: true },
  };
  let provider: Awaited<ReturnType<typeof startOpenidProvider>>;
  let browser: Browser;
  beforeAll(async () => {
    provider = await startOpenidProvider(people);
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  });
  const site = useTestSite(engine, () => ({
    environment: {
      OPENID_ISSUER: provider.issuer,
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
      OPENID_CREATE_USERS: '1',
      WEBHOOK_PRIVATE_ADDRESSES: '1',
    },
  }));
  beforeAll(() => provider.serve(`${site.url}/++api++/@login-openid/callback`, [`${site.url}/`]));
  afterAll(async () => {
    await browser?.close();
    await provider?.close();
  });

  it('somebody logs in at the provider, is known to the site, logs out there too, and is asked again', async () => {
    const context = await browser.newContext({ extraHTTPHeaders: { Accept: 'application/json, text/html' } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const { body } = await site.request('GET', '/@login', { as: 'anonymous' });
    await page.goto(`${body.options[0].url}?came_from=/@types`);
    expect(page.url().startsWith(`${provider.issuer}/interaction/`)).toBe(true);
    await page.fill('input[name=login]', 'eva');
    await page.fill('input[name=password]', 'x');
    await page.click('button[type=submit]');
    // The provider asks whether the site may know who it is.
    await page.click('button[type=submit]');
    await page.waitForURL(`${site.url}/@types`);
    const token = async () => (await context.cookies(site.url)).find(({ name }) => name === 'auth_token')?.value;
    const own = await site.request('GET', '/@users/eva', { as: { token: (await token()) ?? '' } });
    expect([own.status, own.body.fullname]).toEqual([200, 'Eva Jansen']);
    await page.goto(`${site.url}/++api++/@logout-openid`);
    expect(page.url().startsWith(`${provider.issuer}/session/end`)).toBe(true);
    await page.click('button[value=yes]');
    await page.waitForURL(`${site.url}/`);
    expect(await token()).toBeUndefined();
    await page.goto(body.options[0].url);
    expect(await page.isVisible('input[name=password]')).toBe(true);
    await context.close();
  });

  it('somebody who is logged in links an account of a second provider there, and logs in with it from then on', async () => {
    const school = await startOpenidProvider({ 'school-1': { preferred_username: 'somebody-else' } });
    try {
      school.serve(`${site.url}/++api++/@login-openid/school/callback`);
      const described = { id: 'school', title: 'The school', issuer: school.issuer };
      const json = { ...described, client_id: CLIENT.id, client_secret: CLIENT.secret };
      expect((await site.request('POST', '/@controlpanels/login-providers', { json })).status).toBe(201);
      const listed = (await site.request('GET', '/@login', { as: 'anonymous' })).body.options;
      expect(listed.map(({ id }: Json) => id)).toEqual(['openid', 'school']);
      const [first, second] = listed.map(({ url }: Json) => url);

      const context = await browser.newContext({ extraHTTPHeaders: { Accept: 'application/json, text/html' } });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const logIn = async (login: string) => {
        await page.fill('input[name=login]', login);
        await page.fill('input[name=password]', 'x');
        await page.click('button[type=submit]');
        await page.click('button[type=submit]');
      };
      const token = async () =>
        (await context.cookies(site.url)).find(({ name }) => name === 'auth_token')?.value ?? '';
      await page.goto(`${first}?came_from=/@types`);
      await logIn('eva');
      await page.waitForURL(`${site.url}/@types`);
      // As a front end does; the cookie of the response stays in the browser that asked.
      const begun = await context.request.post(`${site.url}/@provider-accounts`, {
        headers: { Accept: 'application/json', Authorization: `Bearer ${await token()}` },
        data: { provider: 'school', came_from: '/@site' },
      });
      const { url }: Json = await begun.json();
      await page.goto(url);
      await logIn('school-1');
      await page.waitForURL(`${site.url}/@site`);
      const accounts = (await site.request('GET', '/@provider-accounts', { as: { token: await token() } })).body.items;
      expect(accounts.map(({ title, subject }: Json) => [title, subject])).toContainEqual(['The school', 'school-1']);

      const other = await browser.newContext({ extraHTTPHeaders: { Accept: 'application/json, text/html' } });
      const elsewhere = await other.newPage();
      await elsewhere.goto(`${second}?came_from=/@types`);
      await elsewhere.fill('input[name=login]', 'school-1');
      await elsewhere.fill('input[name=password]', 'x');
      await elsewhere.click('button[type=submit]');
      await elsewhere.click('button[type=submit]');
      await elsewhere.waitForURL(`${site.url}/@types`);
      const cookie = (await other.cookies(site.url)).find(({ name }) => name === 'auth_token')?.value ?? '';
      expect((await site.request('GET', '/@users/eva', { as: { token: cookie } })).body.fullname).toBe('Eva Jansen');
      await other.close();
      await context.close();
    } finally {
      await school.close();
    }
  });
});
