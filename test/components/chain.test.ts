import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

const ANONYMOUS: RequestOptions = { as: 'anonymous' };

describeEachEngine('components that look at containers', (engine) => {
  let site: ComponentSite;
  let secret: Json;
  beforeAll(async () => {
    site = await startComponentSite(engine);
    secret = await site.create('/', { title: 'Secret page' });
    await site.create('/', {
      '@type': 'Folder',
      id: 'vault',
      title: 'Secret vault',
      nav_title: 'Secret short',
      subjects: ['mine'],
      relatedItems: [secret.UID],
    });
    await site.create('/vault', { id: 'open', title: 'Open', rights: 'All mine' });
    await site.publish('/vault/open');
    await site.request('PATCH', '/', { json: { relatedItems: [secret.UID], rights: 'Of the site' } });
  });
  afterAll(() => site?.close());

  const inherit = (path: string, behaviors: string, options?: RequestOptions): Promise<Json> =>
    site.component(path, 'inherit', `expand.inherit.behaviors=${behaviors}`, options);

  test('breadcrumbs show the id of a container that the caller may not view', async () => {
    const titles = async (options?: RequestOptions) =>
      (await site.component('/vault/open', 'breadcrumbs', '', options)).items.map(({ title }: Json) => title);
    expect(await titles()).toEqual(['Secret short', 'Open']);
    expect(await titles(ANONYMOUS)).toEqual(['vault', 'Open']);
  });

  test('@inherit takes values from the nearest object that the caller may view', async () => {
    expect(await inherit('/vault/open', 'ownership')).toMatchObject({
      ownership: { from: { '@id': `${site.url}/vault/open`, title: 'Open' }, data: { rights: 'All mine' } },
    });
    const found = await inherit('/vault/open', 'plone.relateditems,plone.navigationroot,nothing');
    expect(Object.keys(found)).toEqual(['@id', 'plone.relateditems', 'plone.navigationroot']);
    expect(found['plone.navigationroot']).toEqual({ from: { '@id': site.url, title: 'Welcome to Canopy!' }, data: {} });
  });

  test('@inherit skips containers that the caller may not view', async () => {
    // A link has no blocks, so that those of the nearest container count.
    await site.create('/vault', { '@type': 'Link', id: 'link', title: 'Link', remoteUrl: 'https://example.org/' });
    await site.publish('/vault/link');
    expect((await inherit('/vault/link', 'blocks')).blocks.from['@id']).toBe(`${site.url}/vault`);
    expect((await inherit('/vault/link', 'blocks', ANONYMOUS)).blocks.from['@id']).toBe(site.url);
  });

  test('no component reveals a related object that the caller may not view', async () => {
    for (const name of ['navroot', 'inherit']) {
      const query = 'expand.inherit.behaviors=navigation_root,plone.relateditems';
      expect(JSON.stringify(await site.component('/', name, query)), name).toContain('Secret page');
      const told = JSON.stringify(await site.component('/vault/open', name, query, ANONYMOUS));
      expect(told, name).not.toContain('Secret');
      expect(told, name).not.toContain(secret.UID);
    }
  });

  test('@navroot is the representation of the navigation root without children and components', async () => {
    const root = await site.read('/');
    const { navroot } = await site.component('/vault/open', 'navroot');
    const { items, items_total, '@components': components, ...rest } = root;
    expect([items.length > 0, items_total > 0, Object.keys(components).length > 0]).toEqual([true, true, true]);
    expect(navroot).toEqual(rest);
    expect((await site.component('/', 'navroot')).navroot).toEqual(rest);
  });

  test('@navroot shows only the address of a navigation root that the caller may not view', async () => {
    await site.request('POST', '/@workflow/retract', { json: {} });
    const { navroot } = await site.component('/vault/open', 'navroot', '', ANONYMOUS);
    await site.publish('');
    expect(navroot).toEqual({ '@id': site.url });
  });

  test('a language root is where breadcrumbs, navigation and navroot begin', async () => {
    await site.allowEverywhere('LRF');
    await site.create('/', { '@type': 'LRF', id: 'nl', title: 'Nederlands' });
    await site.create('/nl', { id: 'nieuws', title: 'Nieuws' });
    expect(await site.component('/nl/nieuws', 'breadcrumbs')).toMatchObject({
      root: '/nl',
      items: [{ title: 'Nieuws' }],
    });
    const { items } = await site.component('/nl/nieuws', 'navigation');
    expect(items.map(({ title }: Json) => title)).toEqual(['Nieuws']);
    const { navroot } = await site.component('/nl/nieuws', 'navroot');
    expect(navroot).toMatchObject({
      '@id': `${site.url}/nl`,
      '@type': 'LRF',
      parent: { '@id': site.url },
      next_item: {},
    });
    expect((await site.component('/nl/nieuws', 'translations')).root).toMatchObject({
      nl: `${site.url}/nl`,
      en: site.url,
    });
    expect((await site.component('/vault/open', 'translations', '', ANONYMOUS)).root.nl).toBe(site.url);
  });
});
