import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

describeEachEngine('context navigation', (engine) => {
  let site: ComponentSite;
  beforeAll(async () => {
    site = await startComponentSite(engine);
    await site.create('/', { '@type': 'Folder', id: 'a', title: 'A' });
    await site.create('/a', { '@type': 'Folder', id: 'b', title: 'B' });
    await site.create('/a/b', { id: 'c', title: 'C', description: 'Third' });
    await site.create('/a', { id: 'd', title: 'D' });
    await site.create('/', { '@type': 'Folder', id: 'other', title: 'Other' });
    await site.create('/other', { id: 'e', title: 'E' });
    await site.publish('/a', '/a/b/c');
  });
  afterAll(() => site?.close());

  const tree = (
    path: string,
    options: Record<string, string | number> = {},
    request?: RequestOptions,
  ): Promise<Json> => {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(options)) query.set(`expand.contextnavigation.${key}`, String(value));
    return site.component(path, 'contextnavigation', String(query), request);
  };
  const outline = (items: Json[]): string =>
    items.map(({ id, items: below }) => id + (below.length > 0 ? `(${outline(below)})` : '')).join(' ');

  test.each([
    ['/a/b/c', {}, 'b(c) d'],
    ['/', {}, 'a(b(c) d) other(e)'],
    ['/a/b/c', { topLevel: 0 }, 'a(b(c) d) other(e)'],
    ['/a/b/c', { topLevel: 2 }, 'c'],
    ['/', { topLevel: 1 }, ''],
    ['/a', { bottomLevel: 1 }, 'b d'],
    ['/a', { bottomLevel: -1 }, ''],
    ['/a', { includeTop: 'true' }, 'a b(c) d'],
    ['/a/b', { currentFolderOnly: 'true' }, 'c'],
    ['/a', { root_path: '/other' }, 'e'],
    ['/a', { root_path: '/other', topLevel: 1 }, ''],
    ['/a', { root_path: 'nowhere' }, ''],
  ])('the context navigation of %s with the options %o shows "%s"', async (path, options, expected) => {
    const { items, available } = await tree(path, options);
    expect(outline(items)).toBe(expected);
    expect(available).toBe(expected !== '' || 'bottomLevel' in options);
  });

  test.each([
    ['/a/b/c', {}, 'b(c) d'],
    ['/a', {}, 'b d'],
    ['/a/d', {}, 'b d'],
    ['/a/d', { bottomLevel: 2 }, 'b d'],
    ['/a/b', { topLevel: 0 }, 'a(b(c) d) other'],
    ['/', { topLevel: 0 }, 'a other'],
    ['/', {}, ''],
  ])(
    'a site as Plone opens of the context navigation of %s with the options %o "%s"',
    async (path, options, expected) => {
      const panel = '/@controlpanels/navigation';
      expect((await site.request('PATCH', panel, { json: { opens_all_branches: false } })).status).toBe(204);
      try {
        expect(outline((await tree(path, options)).items)).toBe(expected);
      } finally {
        await site.request('PATCH', panel, { json: { opens_all_branches: true } });
      }
    },
  );

  test('items of the context navigation tell where the visitor is, in the shapes of Plone and Nick', async () => {
    const { items, title, url } = await tree('/a/b/c');
    expect([title, url]).toEqual(['Navigation', `${site.url}/sitemap`]);
    expect(items[0]).toMatchObject({
      '@id': `${site.url}/a/b`,
      href: `${site.url}/a/b`,
      is_in_path: true,
      is_current: false,
      is_folderish: true,
      type: 'folder',
      portal_type: 'Folder',
    });
    expect(items[0].items[0]).toMatchObject({
      is_in_path: false,
      is_current: true,
      description: 'Third',
      thumb: '',
      icon: '',
      normalized_id: 'c',
      path: '/a/b/c',
      UID: expect.any(String),
    });
    expect((await tree('/a', { root_path: `${site.url}/other` })).url).toBe(`${site.url}/other`);
  });

  test('the context navigation leaves out what the caller may not view, with everything below it', async () => {
    expect(outline((await tree('/a', {}, { as: 'anonymous' })).items)).toBe('');
    expect(outline((await tree('/a/b/c', { currentFolderOnly: 'true' }, { as: 'anonymous' })).items)).toBe('');
    expect(outline((await tree('/a', { root_path: '/a/b', includeTop: 'true' }, { as: 'anonymous' })).items)).toBe('c');
  });

  test.each([
    ['topLevel', 'x'],
    ['bottomLevel', '1.5'],
    ['includeTop', 'perhaps'],
    ['root_path', 'https://elsewhere.example/'],
  ])('the option %s=%s of a context navigation is rejected', async (name, value) => {
    const { status, body } = await site.request(
      'GET',
      `/a?expand=contextnavigation&expand.contextnavigation.${name}=${encodeURIComponent(value)}`,
    );
    expect(status).toBe(400);
    expect(body.message).toContain(name);
  });
});
