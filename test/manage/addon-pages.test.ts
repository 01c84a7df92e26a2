import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN } from '../../src/app/test-client.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { managePageProblem } from '../../src/core/services/manage-page.ts';
import { createLog } from '../../src/lib/process/process.ts';
import { quickestEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const CODE = 'export default ({ root }) => { root.textContent = "Shelves"; };';

const PASSWORD = 'A long password 77';

const folder = await mkdtemp(join(tmpdir(), 'canopy-manage-'));
const file = join(folder, 'shelves.js');
await writeFile(file, CODE);

/** Two pages: one by the path of its module, one by its URL. */
const feature = defineFeature({
  name: 'shelf',
  messages: { de: { Shelves: 'Regale' } },
  managePages: [
    { name: 'shelves', title: 'Shelves', permission: 'cmf.ManagePortal', module: file },
    { name: 'reading', title: 'Reading', permission: 'View', module: pathToFileURL(file) },
  ],
});

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite(quickestEngine(), { features: [feature] });
  const user = { username: 'reader', email: 'reader@example.org', password: PASSWORD, roles: ['Member'] };
  await site.request('POST', '/@users', { json: user });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const COOKIES: Record<string, string | undefined> = {};

/** The module of a page as a browser asks for it: with the cookie of the session. */
async function moduleFor(who: 'admin' | 'reader' | 'keeper' | 'visitor', name: string, headers = {}) {
  const password = who === 'admin' ? ADMIN.password : PASSWORD;
  if (who !== 'visitor')
    COOKIES[who] ??=
      `auth_token=${(await site.request('POST', '/@login', { as: 'anonymous', json: { login: who, password } })).body.token}`;
  const cookie = COOKIES[who];
  return fetch(`${site.url}/@manage/modules/${name}`, {
    headers: { ...headers, ...(cookie !== undefined && { Cookie: cookie }) },
  });
}

const namesFor = async (as: 'admin' | 'anonymous') =>
  (await site.request('GET', '/@manage-pages', { ...(as === 'anonymous' && { as }) })).body.map(
    ({ name }: { name: string }) => name,
  );

describe('pages of add-ons', () => {
  it('are listed for those who may open them', async () => {
    expect(await namesFor('admin')).toEqual(['reading', 'shelves']);
    expect(await namesFor('anonymous')).not.toContain('shelves');
  });

  it('have their titles in the language of the reader', async () => {
    await site.request('PATCH', '/@controlpanels/language', { json: { available_languages: ['en', 'de'] } });
    const { body } = await site.request('GET', '/@manage-pages', { headers: { 'Accept-Language': 'de' } });
    expect(body).toContainEqual({ name: 'shelves', title: 'Regale' });
  });

  it.each(['shelves', 'reading'])('have their module served from the address of the server: %s', async (name) => {
    const response = await moduleFor('admin', name);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(await response.text()).toBe(CODE);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const etag = response.headers.get('etag') ?? '';
    const again = await moduleFor('admin', name, { 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('send their module to those alone who may open them, also to a browser with its copy', async () => {
    const etag = (await moduleFor('admin', 'shelves')).headers.get('etag') ?? '';
    for (const who of ['reader', 'visitor'] as const) {
      for (const headers of [{}, { 'If-None-Match': etag }]) {
        const response = await moduleFor(who, 'shelves', headers);
        expect([who, response.status, response.headers.get('etag')]).toEqual([who, 404, null]);
        expect(await response.text()).not.toContain('Shelves');
      }
      expect([who, (await moduleFor(who, 'reading')).status]).toEqual([who, 200]);
    }
  });

  it('answer who may not open them as if they were not there', async () => {
    const [hidden, missing] = await Promise.all(
      ['shelves', 'missing'].map(async (name) => (await moduleFor('reader', name)).text()),
    );
    expect(hidden?.replaceAll('shelves', 'missing')).toBe(missing);
  });

  it('follow a permission that is taken away', async () => {
    const user = { username: 'keeper', email: 'keeper@example.org', password: PASSWORD, roles: ['Manager'] };
    await site.request('POST', '/@users', { json: user });
    expect((await moduleFor('keeper', 'shelves')).status).toBe(200);
    await site.request('PATCH', '/@users/keeper', { json: { roles: { Manager: false } } });
    expect((await moduleFor('keeper', 'shelves')).status).toBe(404);
  });

  it.each(['nothing', 'shelves.js', '..%2Fshelves', '..%2F..%2Fpackage.json', 'SHELVES', '__proto__'])(
    'have no other module: %s',
    async (name) => {
      expect((await moduleFor('admin', name)).status).toBe(404);
    },
  );

  it('are gone with the page that shows them', async () => {
    const without = await startTestSite(quickestEngine(), {
      features: [feature],
      environment: { MANAGE_PAGE: 'off' },
    });
    try {
      expect((await without.request('GET', '/@manage-pages')).body).toEqual([]);
      expect((await fetch(`${without.url}/@manage/modules/shelves`)).status).toBe(404);
    } finally {
      await without.close();
    }
  });

  it('of two features have different names', async () => {
    const other = defineFeature({ name: 'other', managePages: feature.managePages ?? [] });
    await expect(startTestSite(quickestEngine(), { features: [feature, other] })).rejects.toThrow(
      'The feature "other" cannot be used: There are two pages of /@manage',
    );
  });

  it('do not let the start pass with a module that is too large', async () => {
    const large = join(folder, 'large.js');
    await writeFile(large, `//${'x'.repeat(1_000_000)}`);
    const page = { name: 'large', title: 'Large', permission: 'View', module: large };
    await expect(
      startTestSite(quickestEngine(), { features: [defineFeature({ name: 'other', managePages: [page] })] }),
    ).rejects.toThrow('The feature "other" cannot be used: The module of its page "large" has 1000002 bytes.');
  });

  it.each([
    ['', 'must have a name'],
    [{ name: '../up' }, 'must have a name'],
    [{ name: 'a', title: ' ' }, '"a" must have a title'],
    [{ name: 'a', title: 'A' }, '"a" must have a permission'],
    [{ name: 'a', title: 'A', permission: 'View' }, '"a" must have a module'],
    [{ name: 'a', title: 'A', permission: 'View', module: 'manage/a.js' }, '"a" must have a module'],
    [
      { name: 'a', title: 'A', permission: 'View', module: new URL('https://example.org/a.js') },
      '"a" must have a module',
    ],
  ])('are checked with a clear message: %j', (page, message) => {
    expect(managePageProblem(page)).toContain(message);
  });

  it('whose permission no feature declares are reported in the log, and open for no other user', async () => {
    const warnings: unknown[] = [];
    const log = createLog('silent');
    log.warn = (details: unknown) => void warnings.push(details);
    const page = { name: 'lost', title: 'Lost', permission: 'Example: Nothing', module: file };
    const other = await startTestSite(quickestEngine(), {
      features: [defineFeature({ name: 'other', managePages: [page] })],
      log,
    });
    try {
      expect(warnings).toContainEqual({ page: 'lost', permission: 'Example: Nothing' });
      expect((await other.request('GET', '/@manage-pages')).body).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
