import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const ANONYMOUS: RequestOptions = { as: 'anonymous', headers: { Accept: '*/*' } };

describeEachEngine('what crawlers and old links ask for', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const get = (path: string, options: RequestOptions = ANONYMOUS) => site.request('GET', path, options);
  const publish = (path: string) => site.request('POST', `${path}/@workflow/publish`, { json: {} });
  const set = async (panel: string, json: Json) =>
    expect((await site.request('PATCH', `/@controlpanels/${panel}`, { json })).status).toBe(204);
  const bytesOf = async (path: string, as: RequestOptions = ANONYMOUS) => {
    const response = await fetch(`${site.url}${path}`, {
      headers: as.as === 'anonymous' ? {} : { Authorization: `Basic ${btoa('admin:admin')}` },
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const mapped = async (path = '/sitemap.xml.gz'): Promise<string[]> => {
    const text = gunzipSync((await bytesOf(path)).bytes).toString();
    return [...text.matchAll(/<loc>([^<]*)/g)].map(([, url = '']) => url.slice(site.url.length));
  };
  let uid: string;

  beforeAll(async () => {
    await make(site.kernel, '/', { '@type': 'Document', id: 'open', title: 'Open' });
    await make(site.kernel, '/open', { '@type': 'Document', id: 'a&b', title: 'A & B', description: 'Both' });
    await make(site.kernel, '/open', { '@type': 'Document', id: 'closed', title: 'Closed' });
    for (const path of ['', '/open', '/open/a%26b']) await publish(path);
    uid = (await get('/open/a%26b', {})).body.UID;
  });

  it('The file robots.txt is the text of the setting, with the address of the site.', async () => {
    const { status, headers, text } = await get('/robots.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toContain(`Sitemap: ${site.url}/sitemap.xml.gz`);
    expect((await get('/open/robots.txt')).status).toBe(404);
  });

  it('The sitemap has what anybody may view, the same for each caller, until it is gone.', async () => {
    const { response } = await bytesOf('/sitemap.xml.gz');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    expect(await mapped()).toEqual(['', '/open', '/open/a%26b']);
    const asAdmin = gunzipSync((await bytesOf('/sitemap.xml.gz', {})).bytes).toString();
    expect(asAdmin).not.toContain('/open/closed');
    const etag = response.headers.get('etag') ?? '';
    expect((await get('/sitemap.xml.gz', { as: 'anonymous', headers: { 'If-None-Match': etag } })).status).toBe(304);
    await publish('/open/closed');
    expect(await mapped()).toContain('/open/closed');
    await site.request('POST', '/open/closed/@workflow/retract', { json: {} });
    expect(await mapped()).not.toContain('/open/closed');
    await set('search', { types_not_searched: ['Document'] });
    expect(await mapped()).toEqual(['']);
    await set('search', { types_not_searched: [] });
    expect(await mapped('/sitemap.xml.gz?page=1')).toEqual(['', '/open', '/open/a%26b']);
    expect(await mapped('/sitemap.xml.gz?page=2')).toEqual([]);
    expect((await get('/sitemap.xml.gz?page=0')).status).toBe(404);
    await set('site', { enable_sitemap: false });
    expect((await get('/sitemap.xml.gz')).status).toBe(404);
    await set('site', { enable_sitemap: true });
  });

  it('The sitemap is XML without compression as well, with the same addresses.', async () => {
    const { status, headers, text } = await get('/sitemap.xml');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(text).toBe(gunzipSync((await bytesOf('/sitemap.xml.gz')).bytes).toString());
    expect((await get('/sitemap.xml?page=0')).status).toBe(404);
    expect((await get('/sitemap.xml?page=x')).status).toBe(400);
    expect((await get('/open/sitemap.xml')).status).toBe(404);
  });

  it('The file llms.txt has the menu that visitors see, with the addresses of its Markdown, until it changes.', async () => {
    const { status, headers, text } = await get('/llms.txt', {});
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# \S/);
    expect(text).toContain(
      `## Open\n\n- [Open](${site.url}/open/@markdown)\n- [A & B](${site.url}/open/a%26b/@markdown): Both\n`,
    );
    expect(text).toContain(`## Optional\n\n- [Sitemap](${site.url}/sitemap.xml): The addresses of all pages.\n`);
    expect(text).not.toContain('Closed');
    const etag = headers.get('etag') ?? '';
    const changed = async () => (await get('/llms.txt', { headers: { 'If-None-Match': etag } })).status;
    expect(await changed()).toBe(304);
    await site.request('PATCH', '/open/a%26b', { json: { description: 'All' } });
    expect(await changed()).toBe(200);
    await site.request('PATCH', '/open/a%26b', { json: { description: 'Both' } });
    expect(await changed()).toBe(304);
  });

  it('The feed of a container has the newest of what the caller may view right in it.', async () => {
    const { status, headers, text } = await get('/open/RSS');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(text).toContain(`<link>${site.url}/open</link>`);
    expect(text).toContain(`<title>A &amp; B</title>\n      <link>${site.url}/open/a%26b</link>`);
    expect(text).not.toContain('Closed');
    expect((await get('/open/RSS', {})).text).toContain('Closed');
    expect((await get('/open/closed/RSS')).status).toBe(401);
    await site.request('POST', '/open', {
      json: { '@type': 'Link', id: 'l', title: 'L', remoteUrl: 'https://example.org' },
    });
    expect((await get('/open/l/RSS', {})).status).toBe(404);
  });

  it('The feed of a collection has what that finds, in its order.', async () => {
    const query = [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: '/open::1' }];
    const types = {
      id: 'archive',
      title: 'Archive',
      filter_content_types: 'some',
      allowed_content_types: ['Collection'],
    };
    expect((await site.request('POST', '/@controlpanels/dexterity-types', { json: types })).status).toBe(201);
    await site.request('POST', '/', { json: { '@type': 'archive', id: 'box', title: 'Box' } });
    const json = { '@type': 'Collection', id: 'list', title: 'List', query, sort_on: 'sortable_title' };
    expect((await site.request('POST', '/box', { json })).status).toBe(201);
    const { text } = await get('/box/list/RSS', {});
    const titles = [...text.matchAll(/<item>\s*<title>([^<]*)/g)].map(([, title]) => title);
    expect(titles).toEqual(['A &amp; B', 'Closed', 'L']);
    await site.request('PATCH', '/box/list', { json: { query: [] } });
    expect((await get('/box/list/RSS', {})).text).not.toContain('<item>');
  });

  it('A link by UID leads to where the content is, with what follows, but not to what the caller may not view.', async () => {
    const target = async (path: string, options?: RequestOptions) => {
      const { status, headers } = await get(path, { redirect: 'manual', ...ANONYMOUS, ...options } as RequestOptions);
      return [status, headers.get('location')];
    };
    expect(await target(`/resolveuid/${uid}`)).toEqual([301, `${site.url}/open/a%26b`]);
    expect(await target(`/resolveuid/${uid}/@@download`)).toEqual([301, `${site.url}/open/a%26b/@@download`]);
    expect(await target(`/open/resolveuid/${uid}/@@images/image/large?x=1`)).toEqual([
      301,
      `${site.url}/open/a%26b/@@images/image/large?x=1`,
    ]);
    expect(await target(`/resolveuid/${uid}/@workflow`)).toEqual([301, `${site.url}/open/a%26b/@workflow`]);
    await site.request('PATCH', '/open/a%26b', { json: { id: 'moved' } });
    expect(await target(`/resolveuid/${uid}`)).toEqual([301, `${site.url}/open/moved`]);
    const hidden = (await get('/open/closed', {})).body.UID;
    expect((await target(`/resolveuid/${hidden}`))[0]).toBe(404);
    expect(await target(`/resolveuid/${hidden}`, { as: 'admin' })).toEqual([301, `${site.url}/open/closed`]);
    for (const wrong of ['', '/nothing', `/${'0'.repeat(32)}`])
      expect((await target(`/resolveuid${wrong}`))[0]).toBe(404);
  });
});
