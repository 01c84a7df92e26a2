import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { CLIENT, startOpenidProvider } from '../support/openid-provider.ts';
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
});
