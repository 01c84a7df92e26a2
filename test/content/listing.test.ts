import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { make } from './make.ts';

describeEachEngine('the children of a container', (engine) => {
  let site: TestSite;
  const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  const idsOf = ({ items }: Json): string => items.map(({ id }: Json) => id).join('');

  beforeAll(async () => {
    site = await startTestSite(engine);
    await make(site.kernel, '/', { '@type': 'Folder', id: 'f' }, { state: 'published' });
    for (const id of 'abcdefg') await make(site.kernel, '/f', { id, subjects: [id], description: `About ${id}` });
    await make(site.kernel, '/f/a', { id: 'below' });
  });
  afterAll(() => site?.close());

  it('listed children are content objects without their children and components', async () => {
    const { items, items_total, batching } = await get('/f');
    expect([items_total, batching, items.length]).toEqual([7, undefined, 7]);
    expect(items[0]).toMatchObject({
      '@id': `${site.url}/f/a`,
      '@type': 'Page',
      id: 'a',
      title: 'a',
      description: 'About a',
      review_state: 'private',
      is_folderish: true,
      lock: { locked: false, stealable: true },
      blocks: {},
      language: { token: 'en' },
    });
    for (const key of ['UID', 'created', 'modified', 'owner', 'layout']) expect(items[0]).toHaveProperty(key);
    for (const key of ['items', '@components', 'parent']) expect(items[0]).not.toHaveProperty(key);
  });

  it('children come in linked batches, and none is lost', async () => {
    const first = await get('/f?b_size=3&expand=');
    const url = (start: number) => `${site.url}/f?b_start=${start}&b_size=3&expand=`;
    expect([idsOf(first), first.items_total]).toEqual(['abc', 7]);
    const asked = `${site.url}/f?b_size=3&expand=`;
    expect(first.batching).toEqual({ '@id': asked, first: url(0), next: url(3), last: url(6) });
    const second = (await site.request('GET', first.batching.next)).body;
    expect(idsOf(second)).toBe('def');
    expect(second.batching).toEqual({ '@id': url(3), first: url(0), prev: url(0), next: url(6), last: url(6) });
    const last = (await site.request('GET', second.batching.next)).body;
    expect(idsOf(last)).toBe('g');
    expect(last.batching).toEqual({ '@id': url(6), first: url(0), prev: url(3), last: url(6) });
  });

  it.each([
    ['b_size=7', 'abcdefg'],
    ['b_size=2&b_start=6', 'g'],
    ['b_size=2&b_start=7', ''],
    ['b_start=5', 'fg'],
    ['b_start=-3&b_size=1', 'a'],
    ['b_size=0', ''],
    ['b_size=-1', ''],
    ['b_size=99999999', 'abcdefg'],
    ['b_size=', 'abcdefg'],
  ])('the query %s lists %s of seven children', async (query, expected) => {
    const body = await get(`/f?${query}`);
    expect([idsOf(body), body.items_total]).toEqual([expected, 7]);
  });

  it.each([
    'b_size=x',
    'b_start=1.5',
    'b_size=1e3',
    'b_start=99999999999999999999',
    "b_size=1'",
    'include_items=maybe',
  ])('the query %s of a listing is rejected', async (query) => {
    expect((await site.request('GET', `/f?${query}`)).status).toBe(400);
  });

  it('include_items=false leaves the children out', async () => {
    for (const no of ['0', 'false', 'No', 'off'])
      expect(await get(`/f?include_items=${no}`)).not.toHaveProperty('items');
    for (const yes of ['1', 'true', '']) expect(idsOf(await get(`/f?include_items=${yes}`))).toBe('abcdefg');
  });

  it('an empty container has an empty list of items, and content that is no container has none', async () => {
    expect(await get('/f/b')).toMatchObject({ items: [], items_total: 0 });
    await make(site.kernel, '/', { '@type': 'Link', id: 'link', remoteUrl: 'https://e.com' });
    expect(await get('/link')).not.toHaveProperty('items');
  });

  it('with fullobjects children come with everything but their own children', async () => {
    const [first] = (await get('/f?fullobjects&b_size=1')).items;
    expect(first).toMatchObject({
      id: 'a',
      parent: { '@id': `${site.url}/f` },
      '@components': { actions: { '@id': `${site.url}/f/a/@actions` } },
    });
    expect(first).not.toHaveProperty('items');
  });

  it('metadata_fields adds catalog columns to children, except private ones', async () => {
    const [item] = (
      await get(
        '/f?b_size=1&metadata_fields=Subject&metadata_fields=getPath&metadata_fields=_private&metadata_fields=getObject',
      )
    ).items;
    expect(item).toMatchObject({ Subject: ['a'], getPath: '/f/a' });
    for (const key of ['_private', 'getObject', 'Creator']) expect(item).not.toHaveProperty(key);
    const [all] = (await get('/f?b_size=1&metadata_fields=_all')).items;
    expect(all).toMatchObject({
      Creator: 'admin',
      EffectiveDate: 'None',
      ExpirationDate: 'None',
      getURL: `${site.url}/f/a`,
      is_folderish: true,
    });
    expect(await get('/f/a?metadata_fields=_all')).not.toHaveProperty('getURL');
  });

  it('a page links its neighbours where its container says so', async () => {
    await site.request('PATCH', '/f', { json: { nextPreviousEnabled: true } });
    expect(await get('/f/b')).toMatchObject({
      previous_item: { '@id': `${site.url}/f/a`, title: 'a' },
      next_item: { '@id': `${site.url}/f/c` },
    });
    expect(await get('/f/a')).toMatchObject({ previous_item: {}, next_item: { '@id': `${site.url}/f/b` } });
    await site.request('PATCH', '/f', { json: { nextPreviousEnabled: false } });
    expect(await get('/f/b')).toMatchObject({ previous_item: {}, next_item: {} });
  });
});

describeEachEngine('what a visitor may not know', (engine) => {
  let site: TestSite;
  const SECRET = 'zebra';

  beforeAll(async () => {
    site = await startTestSite(engine);
    const { kernel } = site;
    const published = { state: 'published' } as const;
    await make(kernel, '/', { '@type': 'Folder', id: 'vault', title: 'Vault' });
    await make(kernel, '/vault', {
      id: SECRET,
      title: `The ${SECRET}`,
      description: `About the ${SECRET}`,
      subjects: [SECRET],
    });
    const secret = `/vault/${SECRET}`;
    const selected = { '@id': secret, title: `The ${SECRET}`, description: `About the ${SECRET}`, getPath: secret };
    await make(kernel, '/', { '@type': 'Folder', id: 'f', nextPreviousEnabled: true }, published);
    await make(kernel, '/f', { id: `${SECRET}-before` });
    await make(
      kernel,
      '/f',
      {
        id: 'page',
        relatedItems: [secret],
        preview_image_link: secret,
        blocks: {
          a: {
            '@type': 'slate',
            value: [{ type: 'p', children: [{ type: 'link', data: { url: secret }, children: [{ text: 'x' }] }] }],
          },
          b: {
            '@type': 'teaser',
            href: [selected],
            overwrite: false,
            title: `The ${SECRET}`,
            description: `About the ${SECRET}`,
          },
          c: { '@type': 'image', url: `${secret}/@@images/image` },
          d: {
            '@type': 'unknown',
            href: [selected],
            linkHref: selected,
            nested: { blocks: { e: { '@type': 'teaser', href: [selected], overwrite: false } } },
          },
        },
      },
      published,
    );
    await make(kernel, '/f', { '@type': 'Link', id: 'link', remoteUrl: `${secret}#part` }, published);
    await make(kernel, '/f', { id: `${SECRET}-after` });
    await make(kernel, '/vault', { id: 'open' }, published);
    await site.request('PATCH', '/f/page', { json: { id: `${SECRET}-old` } });
    await site.request('PATCH', `/f/${SECRET}-old`, { json: { id: 'page' } });
  });
  afterAll(() => site?.close());

  it.each([
    '/f/page',
    '/f/link',
    '/f',
    '/f?fullobjects',
    '/f?metadata_fields=_all',
    '/f/link?metadata_fields=_all',
    '/vault/open',
    '/f/page/@export',
    '/f/link/@export',
    '/f/page/markdown_view',
    '/f/rss_view',
    '/rss_view',
    '/f/page?expand=actions,breadcrumbs,catalog,contextnavigation,inherit,navigation,navroot,related,translations,workflow',
  ])('the response to GET %s names no hidden content', async (path) => {
    const { status, text } = await site.request('GET', path, { as: 'anonymous' });
    expect(status).toBe(200);
    expect(text.toLowerCase()).not.toContain(SECRET);
    expect((await site.request('GET', path)).status).toBe(200);
  });

  it('hidden content is served to those who may view it', async () => {
    const { text } = await site.request('GET', '/f?fullobjects');
    expect(text.split(`/vault/${SECRET}`).length).toBeGreaterThan(5);
  });

  it.each([`/vault/${SECRET}`, `/vault/${SECRET}/@export`, `/f/${SECRET}-before`])(
    'GET %s of hidden content is rejected and reveals nothing',
    async (path) => {
      const { status, body } = await site.request('GET', path, { as: 'anonymous' });
      expect(status).toBe(401);
      expect(JSON.stringify(body)).not.toContain('The zebra');
    },
  );
});
