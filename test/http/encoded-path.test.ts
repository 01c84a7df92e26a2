import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const [engine = 'pglite'] = engines();

let site: TestSite;

beforeAll(async () => {
  site = await startTestSite(engine);
  await site.request('POST', '/', { json: { '@type': 'Folder', id: 'folder', title: 'Folder' } });
  await site.request('POST', '/folder', { json: { '@type': 'Page', id: 'page', title: 'Page' } });
  await site.request('PATCH', '/folder/page', { json: { title: 'Changed' } });
});
afterAll(() => site?.close());

describe('paths whose slashes are encoded', () => {
  it('content and its services are at the address with encoded slashes, as generated clients send it', async () => {
    const plain = await site.request('GET', '/folder/page');
    const encoded = await site.request('GET', '/folder%2Fpage');
    expect([plain.status, encoded.status]).toEqual([200, 200]);
    expect(encoded.body).toEqual(plain.body);
    expect(new URL(encoded.body['@id']).pathname).toBe('/folder/page');
    const history = await site.request('GET', '/folder%2Fpage/@history');
    expect(history.status).toBe(200);
    expect(history.body.length).toBeGreaterThan(1);
    expect(history.body).toEqual((await site.request('GET', '/folder/page/@history')).body);
  });

  it('a change at the encoded address changes the content, and visitors see no more of it there', async () => {
    const { status } = await site.request('PATCH', '/folder%2Fpage', { json: { title: 'Encoded' } });
    expect(status).toBe(204);
    expect((await site.request('GET', '/folder/page')).body.title).toBe('Encoded');
    for (const path of ['/folder/page', '/folder%2Fpage', '/folder%2Fpage/@history'])
      expect((await site.request('GET', path, { as: 'anonymous' })).status, path).toBe(401);
    expect((await site.request('GET', '/folder%2Fnone')).status).toBe(404);
  });
});
