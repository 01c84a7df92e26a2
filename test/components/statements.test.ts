import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { components } from '../support/registries.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

const FREE = ['actions', 'breadcrumbs', 'types'];
const OPTIONS = 'expand.navigation.depth=5&expand.inherit.behaviors=plone.relateditems,basic,navigation_root';

describeEachEngine('the cost of components', (engine) => {
  let site: ComponentSite;
  let path: string;
  beforeAll(async () => {
    site = await startComponentSite(engine);
    const target = await site.create('/', { title: 'Target' });
    const folder = await site.create('/', { '@type': 'Folder', title: 'Folder' });
    path = (await site.create(folder.path, { title: 'Deep' })).path;
    await site.request('PATCH', '/', { json: { relatedItems: [target.UID] } });
    await site.publish(target.path);
  });
  afterAll(() => site?.close());

  test.each(components.map(({ name }) => name))('the component %s costs one SQL statement at most', async (name) => {
    const without = await site.statements(path);
    const within = await site.statements(`${path}?expand=${name}&${OPTIONS}`);
    expect(within.length - without.length, within.join()).toBeLessThanOrEqual(FREE.includes(name) ? 0 : 1);
  });

  test('@navroot serves the references of the root without another SQL statement', async () => {
    const { navroot } = await site.component(path, 'navroot');
    expect(navroot.relatedItems).toMatchObject([{ '@id': `${site.url}/target`, title: 'Target' }]);
  });
});
