import { afterAll, beforeAll, expect, it } from 'vitest';
import { engines } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const [engine = 'pglite'] = engines();
const PUBLIC = 'https://www.example.com/cms';

let site: TestSite;

beforeAll(async () => {
  site = await startTestSite(engine, { environment: { PUBLIC_URL: `${PUBLIC}/` } });
});
afterAll(() => site?.close());

it('PUBLIC_URL begins every link, whatever the request says', async () => {
  const created = await site.request('POST', '/', { json: { '@type': 'Page', id: 'page', title: 'Page' } });
  expect(created.headers.get('location')).toBe(`${PUBLIC}/page`);
  for (const path of ['/', '/++api++/', '/Plone/']) {
    const { text, body } = await site.request('GET', path, { headers: { 'X-Forwarded-Host': 'evil.example' } });
    expect(body['@id']).toBe(PUBLIC);
    expect(body.items[0]['@id']).toBe(`${PUBLIC}/page`);
    expect(text).not.toMatch(/127\.0\.0\.1|evil/);
  }
});

it('redirects lead to PUBLIC_URL', async () => {
  await site.request('PATCH', '/page', { json: { id: 'renamed' } });
  expect((await site.request('GET', '/page')).headers.get('location')).toBe(`${PUBLIC}/renamed`);
  expect((await site.request('GET', '/++api++/++api++/x')).headers.get('location')).toBe(`${PUBLIC}/++api++/x`);
});

it('links of clients below PUBLIC_URL count as internal', async () => {
  const { body } = await site.request('POST', '/', {
    json: { '@type': 'Link', title: 'Link', remoteUrl: `${PUBLIC}/renamed#a` },
  });
  await site.request('PATCH', '/renamed', { json: { id: 'again' } });
  expect((await site.request('GET', `/${body.id}`)).body.remoteUrl).toBe(`${PUBLIC}/again#a`);
});
