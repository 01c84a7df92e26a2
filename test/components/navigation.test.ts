import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

const ANONYMOUS: RequestOptions = { as: 'anonymous' };

describeEachEngine('navigation', (engine) => {
  let site: ComponentSite;
  beforeAll(async () => {
    site = await startComponentSite(engine);
  });
  afterAll(() => site?.close());

  const navigation = (depth: number | string, options?: RequestOptions, path = '/') =>
    site.component(path, 'navigation', `expand.navigation.depth=${depth}`, options);
  const find = (items: Json[], path: string): Json | undefined => {
    for (const item of items) {
      const hit = item['@id'] === site.url + path ? item : find(item.items, path);
      if (hit) return hit;
    }
    return undefined;
  };

  test('navigation leaves out what lies in a container that the caller may not view', async () => {
    const hidden = await site.create('/', { '@type': 'Folder', title: 'Hidden' });
    const open = await site.create(hidden.path, { title: 'Open' });
    await site.publish(open.path);
    expect(find((await navigation(3)).items, open.path)).toMatchObject({ title: 'Open' });
    expect((await navigation(3, ANONYMOUS)).items).toEqual([]);
  });

  test('navigation shows content from its effective date until it expires', async () => {
    const pages = await Promise.all([
      site.create('/', { title: 'Not yet', effective: '2999-01-01T00:00:00Z' }),
      site.create('/', { title: 'No longer', expires: '2001-01-01T00:00:00Z' }),
      site.create('/', { title: 'Now', effective: '2001-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' }),
    ]);
    await site.publish(...pages.map(({ path }) => path));
    expect((await navigation(1, ANONYMOUS)).items.map(({ title }: Json) => title)).toEqual(['Now']);
    const titles = (await navigation(1)).items.map(({ title }: Json) => title);
    expect(titles).toEqual(expect.arrayContaining(['Not yet', 'No longer']));
  });

  test('the control panel of navigation decides on types, states, excluded items and further entries', async () => {
    const folder = await site.create('/', { '@type': 'Folder', title: 'Panel', exclude_from_nav: true });
    const page = await site.create(folder.path, { title: 'Inside' });
    await site.publish(folder.path);
    const settings = (await site.kernel.sites.current()).settings.get('navigation') ?? {};
    try {
      await site.configure('navigation', { show_excluded_items: true });
      expect(find((await navigation(1)).items, folder.path)).toBeUndefined();
      expect(find((await navigation(2, {}, page.path)).items, page.path)).toMatchObject({ title: 'Inside' });
      await site.configure('navigation', { filter_on_workflow: true, workflow_states_to_show: ['published'] });
      const shown = (await navigation(2, {}, page.path)).items;
      expect([find(shown, folder.path)?.title, find(shown, page.path)]).toEqual(['Panel', undefined]);
      await site.configure('navigation', { filter_on_workflow: false, displayed_types: ['Folder'] });
      const folders = (await navigation(2, {}, page.path)).items;
      expect([find(folders, folder.path)?.title, find(folders, page.path)]).toEqual(['Panel', undefined]);
      await site.configure('navigation', {
        additional_items: 'Help||/help\nBad||javascript:alert(1)\nElsewhere|There|https://example.org/',
      });
      expect((await navigation(1)).items.slice(0, 2)).toMatchObject([
        { '@id': `${site.url}/help`, title: 'Help', items: [] },
        { '@id': 'https://example.org/', title: 'Elsewhere', description: 'There' },
      ]);
      expect(JSON.stringify(await navigation(1))).not.toContain('javascript');
    } finally {
      await site.configure('navigation', settings);
    }
  });

  test('navigation has ten levels at most', async () => {
    let path = '/';
    for (let level = 1; level <= 11; level += 1)
      path = (await site.create(path, { '@type': 'Folder', id: 'deep', title: `Level ${level}` })).path;
    const { items } = await navigation('999999999999');
    expect(find(items, '/deep'.repeat(10))).toMatchObject({ title: 'Level 10', items: [] });
    expect((await site.request('GET', '/?expand=navigation&expand.navigation.depth=1.5')).body.message).toBe(
      'Invalid depth: Not an integer',
    );
  });

  test('navigation marks files as content that listings link to its view', async () => {
    const settings = (await site.kernel.sites.current()).settings.get('navigation') ?? {};
    await site.configure('navigation', { displayed_types: ['File', 'Page'] });
    await site.create('/', {
      '@type': 'File',
      title: 'Report',
      file: { data: 'eA==', encoding: 'base64', filename: 'report.txt', 'content-type': 'text/plain' },
    });
    await site.create('/', { title: 'Plain', nav_title: 'Short' });
    const { items } = await navigation(1);
    await site.configure('navigation', settings);
    expect(items.find(({ title }: Json) => title === 'Report')).toMatchObject({ use_view_action_in_listings: true });
    expect(items.find(({ title }: Json) => title === 'Short')).toMatchObject({
      use_view_action_in_listings: false,
      nav_title: 'Short',
    });
  });
});
