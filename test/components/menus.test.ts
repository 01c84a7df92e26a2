import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { type ComponentSite, startComponentSite } from './component-site.ts';

const ANONYMOUS: RequestOptions = { as: 'anonymous' };
const FILE = { data: 'eA==', encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' };

describeEachEngine('what the caller is offered', (engine) => {
  let site: ComponentSite;
  beforeAll(async () => {
    site = await startComponentSite(engine);
    await site.create('/', { '@type': 'Folder', id: 'folder', title: 'Folder' });
    await site.create('/folder', { '@type': 'File', id: 'file', title: 'File', file: FILE });
    await site.publish('/folder');
  });
  afterAll(() => site?.close());

  const ids = (actions: Json[]): string[] => actions.map(({ id }) => id);

  test('actions have each category of the site, even when it offers the caller nothing', async () => {
    const actions = await site.component('/folder', 'actions', '', ANONYMOUS);
    expect(Object.keys(actions).sort()).toEqual([
      'document_actions',
      'object',
      'object_buttons',
      'portal_tabs',
      'site_actions',
      'user',
    ]);
    expect([actions.object_buttons, ids(actions.object), ids(actions.user)]).toEqual([[], ['view'], ['login']]);
  });

  test('actions lead to the object or into the site', async () => {
    const actions = await site.component('/folder', 'actions');
    expect(actions.object).toContainEqual({ id: 'edit', title: 'Edit', icon: '', url: `${site.url}/folder/edit` });
    expect(actions.user).toContainEqual({ id: 'logout', title: 'Log out', icon: '', url: `${site.url}/logout` });
    expect(actions.object_buttons).toContainEqual({ id: 'cut', title: 'Cut', icon: '', url: null });
  });

  test('conditions of actions depend on the object and the settings', async () => {
    const root = await site.component('/', 'actions');
    expect(ids(root.object_buttons)).toEqual(['paste']);
    const file = await site.component('/folder/file', 'actions');
    expect(ids(file.object_buttons)).toEqual(['cut', 'copy', 'delete', 'rename', 'redirection', 'iterate_checkout']);
    expect(ids(file.object)).not.toContain('contentrules');
    await site.configure('security', { enable_self_reg: true });
    expect(ids((await site.component('/', 'actions', '', ANONYMOUS)).user)).toEqual(['login', 'register']);
    expect(ids((await site.component('/', 'actions')).user)).not.toContain('register');
  });

  test('@types needs somebody who is logged in', async () => {
    for (const path of ['/@types', '/@types/Page', '/@types/Page/title']) {
      expect((await site.request('GET', path, ANONYMOUS)).status, path).toBe(401);
    }
    const { status, body } = await site.request('GET', '/?expand=types', ANONYMOUS);
    expect(status).toBe(200);
    expect(body['@components'].types).toEqual({ '@id': `${site.url}/@types` });
  });

  test('types are listed by title, with what may be added to the object', async () => {
    const types: Json[] = await site.component('/folder', 'types');
    const titles = types.map(({ title }) => title);
    expect(titles).toEqual([...titles].sort());
    expect(ids(types)).not.toContain('Site');
    expect(types).toContainEqual({
      '@id': `${site.url}/@types/News Item`,
      id: 'News Item',
      title: 'News Item',
      addable: true,
      immediately_addable: true,
    });
    expect(types.find(({ id }) => id === 'LRF')).toMatchObject({ addable: false, immediately_addable: false });
    const inFile: Json[] = await site.component('/folder/file', 'types');
    expect(inFile.filter(({ addable, immediately_addable }) => addable || immediately_addable)).toEqual([]);
  });

  test('the schema of a type names vocabularies by their addresses', async () => {
    const { headers, body } = await site.request('GET', '/folder/@types/Page');
    expect(headers.get('content-type')).toMatch(/^application\/json\+schema\b/);
    const vocabulary = (name: string) => ({ '@id': `${site.url}/folder/@vocabularies/plone.app.vocabularies.${name}` });
    expect(body.properties).toMatchObject({
      language: { vocabulary: vocabulary('SupportedContentLanguages') },
      relatedItems: {
        items: { vocabulary: vocabulary('Catalog') },
        widgetOptions: { vocabulary: vocabulary('Catalog') },
      },
      subjects: { widgetOptions: { vocabulary: vocabulary('Keywords') } },
    });
  });

  test('a field and a fieldset have addresses of their own', async () => {
    expect(await site.read('/@types/Page/title')).toMatchObject({ title: 'Title', type: 'string', behavior: 'basic' });
    expect(await site.read('/@types/News%20Item/dates')).toMatchObject({
      id: 'dates',
      fields: ['effective', 'expires'],
    });
    for (const path of ['/@types/Nothing', '/@types/__proto__', '/@types/Page/nothing', '/@types/Page/constructor']) {
      const { status, body } = await site.request('GET', path);
      expect([status, body.error], path).toEqual([404, `Not found: ${path}`]);
    }
  });

  test('transitions are listed with their addresses for callers who may make them', async () => {
    const page = await site.create('/folder', { title: 'Page' });
    await site.publish(page.path);
    const url = `${site.url}${page.path}/@workflow`;
    expect(await site.component(page.path, 'workflow')).toMatchObject({
      '@id': url,
      state: { id: 'published', title: 'Published' },
      transitions: expect.arrayContaining([{ '@id': `${url}/retract`, title: 'Retract' }]),
    });
    expect(await site.component(page.path, 'workflow', '', ANONYMOUS)).toMatchObject({
      state: { id: 'published' },
      transitions: [],
    });
  });

  test('names and comments of the history are hidden from most callers', async () => {
    const page = await site.create('/folder', { title: 'Reviewed' });
    await site.request('POST', `${page.path}/@workflow/publish`, { json: { comment: 'At last' } });
    const { history } = await site.component(page.path, 'workflow');
    expect(history).toMatchObject([
      { action: null, review_state: 'private', title: 'Private', actor: 'admin' },
      { action: 'publish', review_state: 'published', title: 'Published', comments: 'At last' },
    ]);
    expect((await site.component(page.path, 'workflow', '', ANONYMOUS)).history).toEqual([]);
  });

  test('the root and content without a workflow have no transitions', async () => {
    expect(await site.component('/', 'workflow')).toEqual({
      '@id': `${site.url}/@workflow`,
      history: [],
      state: { id: 'published', title: 'Published' },
      transitions: [],
    });
    expect(await site.component('/folder/file', 'workflow')).toMatchObject({
      history: [],
      state: { id: null, title: '' },
      transitions: [],
    });
  });
});
