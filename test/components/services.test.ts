import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { components } from '../support/registries.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

const OPTIONS = 'expand.navigation.depth=2&expand.inherit.behaviors=basic&expand.contextnavigation.includeTop=true';

describeEachEngine('services of components', (engine) => {
  let site: ComponentSite;
  beforeAll(async () => {
    site = await startComponentSite(engine);
    await site.create('/', { '@type': 'Folder', id: 'folder', title: 'Folder' });
    await site.create('/folder', { id: 'page', title: 'Page' });
  });
  afterAll(() => site?.close());

  test.each(components.map(({ name }) => name))('the service @%s returns what the expansion embeds', async (name) => {
    for (const path of ['/folder/page', '/']) {
      const own = await site.read(`${path === '/' ? '' : path}/@${name}?${OPTIONS}`);
      expect(await site.component(path, name, OPTIONS)).toEqual(own);
    }
  });

  test('@components lists those of the specification, on the root neither breadcrumbs nor inherit', async () => {
    const names = components.map(({ name }) => name).filter((name) => name !== 'aliases');
    expect(Object.keys((await site.read('/folder/page'))['@components'])).toEqual(names);
    expect(Object.keys((await site.read('/'))['@components'])).toEqual(
      names.filter((name) => name !== 'breadcrumbs' && name !== 'inherit'),
    );
  });

  test('@actions returns only the categories that are asked for', async () => {
    const keys = async (query: string) => Object.keys(await site.read(`/folder/@actions?${query}`)).sort();
    expect(await keys('categories=user')).toEqual(['user']);
    expect(await keys('categories:list=object&categories:list=user&categories:list=nothing')).toEqual([
      'object',
      'user',
    ]);
  });
});
