import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configurationVersion } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { type AddonFolder, addonFolder, typeFile, workflowFile } from './addon-files.ts';

const GLOSSARY = {
  'types/Term.json': typeFile('Term', { behaviors: ['basic', 'short_name', 'glossed'], workflow: 'glossary_workflow' }),
  'behaviors/glossed.json': {
    id: 'glossed',
    title: 'Glossed',
    fieldsets: [{ id: 'default', title: 'Default', fields: ['gloss'] }],
    properties: { gloss: { title: 'Gloss', type: 'string', factory: 'Text line (String)' } },
    required: [],
  },
  'workflows/glossary_workflow.json': workflowFile('glossary_workflow'),
  'permissions.json': { 'Glossary: Add term': ['Manager'] },
  'settings.json': {
    navigation: { displayed_types: { add: ['Term', 'Page'] }, show_excluded_items: true },
    site: { site_title: 'With a glossary' },
  },
  'content.json': [
    { '@type': 'Folder', id: 'glossary', title: 'Glossary' },
    { container: '/glossary', '@type': 'Term', title: 'Fathom', gloss: 'Six feet' },
  ],
};

describeEachEngine('add-ons', (engine) => {
  let site: TestSite;
  let addons: AddonFolder;
  beforeAll(async () => {
    addons = await addonFolder();
    site = await startTestSite(engine, { environment: { ADDONS_DIR: addons.folder } });
  });
  afterAll(async () => {
    await site?.close();
    await rm(addons.folder, { recursive: true, force: true });
  });

  const read = async (path: string): Promise<Json> => {
    const { status, body, text } = await site.request('GET', path);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const act = (id: string, action: string, options = {}) => site.request('POST', `/@addons/${id}/${action}`, options);
  const done = async (id: string, action: string) => {
    const { status, text } = await act(id, action);
    expect([status, text]).toEqual([204, '']);
  };
  /** The message of a rejected request that changed nothing. */
  const refused = async (id: string, action: string, expected = 400): Promise<string> => {
    const before = [await configurationVersion(site.kernel.db), await read('/?metadata_fields=_all')];
    const { status, body } = await act(id, action);
    expect([await configurationVersion(site.kernel.db), await read('/?metadata_fields=_all')]).toEqual(before);
    expect(status).toBe(expected);
    return body.message;
  };
  const record = (name: string): Promise<Json> => read(`/@registry/${name}`);
  const change = async (records: Json) =>
    expect((await site.request('PATCH', '/@registry', { json: records })).status).toBe(204);
  const status = async (method: string, path: string, json?: Json) =>
    (await site.request(method, path, { json })).status;

  it('the add-ons of the program make the changes that they describe', async () => {
    expect((await read('/@addons')).items.map(({ id }: Json) => id)).toEqual(['canopy.contacts', 'plone.session']);
    expect(await read('/@addons/plone.session')).toEqual({
      '@id': `${site.url}/@addons/plone.session`,
      id: 'plone.session',
      title: 'Session refresh support',
      description: expect.stringContaining('an hour'),
      version: '1001',
      is_installed: false,
      profile_type: 'default',
      install_profile_id: 'plone.session:default',
      uninstall_profile_id: 'plone.session:uninstall',
      other_profiles: [],
      upgrade_info: {},
    });
    const seconds = async () => {
      const { token } = (await site.request('POST', '/@login', { json: site.admin, as: 'anonymous' })).body;
      const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
      return Math.round(exp - iat);
    };
    await done('plone.session', 'install');
    await expect.poll(seconds, { timeout: 10_000 }).toBe(3600);
    await done('plone.session', 'uninstall');
    await expect.poll(seconds, { timeout: 10_000 }).toBe(43_200);
    await done('canopy.contacts', 'install');
    const person = { '@type': 'Person', id: 'jane', title: 'Jane', email: 'jane@example.org', position: 'Captain' };
    expect(await status('POST', '/', person)).toBe(201);
    expect(await read('/jane')).toMatchObject({ position: 'Captain', review_state: 'private' });
    expect(await status('DELETE', '/jane')).toBe(204);
    expect(await status('DELETE', '/@recyclebin')).toBe(204);
    await done('canopy.contacts', 'uninstall');
  });

  it('installing an add-on adds types, workflows, settings and content, and uninstalling removes its configuration', async () => {
    const before = { types: await record('plone.displayed_types'), title: await record('plone.site_title') };
    await addons.write('glossary', GLOSSARY);
    await done('glossary', 'install');
    expect(await read('/glossary/fathom')).toMatchObject({ '@type': 'Term', gloss: 'Six feet', review_state: 'known' });
    expect(await record('plone.displayed_types')).toEqual([...before.types, 'Term']);
    expect(await record('plone.site_title')).toBe('With a glossary');
    expect(await read('/@addons/glossary')).toMatchObject({
      is_installed: true,
      upgrade_info: { available: false, hasProfile: true, installedVersion: '1', newVersion: '1' },
    });
    expect(await refused('glossary', 'install')).toMatch(/installed already/);

    expect(await refused('glossary', 'uninstall')).toMatch(/1 of the type "Term"/);
    expect(await status('DELETE', '/glossary/fathom')).toBe(204);
    // Content in the recycle bin may be restored and needs its type.
    expect(await refused('glossary', 'uninstall')).toMatch(/recycle bin/);
    expect(await status('DELETE', '/@recyclebin')).toBe(204);
    await change({ 'plone.show_excluded_items': false });
    await done('glossary', 'uninstall');
    expect(await record('plone.displayed_types')).toEqual(before.types);
    expect(await record('plone.site_title')).toBe(before.title);
    expect(await record('plone.show_excluded_items')).toBe(false);
    expect(await status('GET', '/@types/Term')).toBe(404);
    expect(await status('POST', '/glossary', { '@type': 'Term', title: 'Knot' })).toBe(403);
    expect((await read('/glossary')).title).toBe('Glossary');
    const { roleMap, workflows, behaviors } = await site.kernel.sites.current();
    expect([roleMap['Glossary: Add term'], workflows.has('glossary_workflow'), behaviors.has('glossed')]).toEqual([
      undefined,
      false,
      false,
    ]);
    expect(await refused('glossary', 'uninstall')).toMatch(/not installed/);
  });

  it.each<[string, RegExp, Record<string, Json>]>([
    ['a type that is there', /content type "Page"/, { 'types/Page.json': typeFile('Page') }],
    ['a type under another name of one that is there', /"Document"/, { 'types/Document.json': typeFile('Document') }],
    ['an unknown behavior', /"nothing"/, { 'types/New.json': typeFile('New', { behaviors: ['nothing'] }) }],
    ['an unknown workflow', /"nothing"/, { 'types/New.json': typeFile('New', { workflow: 'nothing' }) }],
    ['a workflow without its state', /"lost"/, { 'workflows/w.json': workflowFile('w', { initial_state: 'lost' }) }],
    ['an unknown role', /"Captain"/, { 'permissions.json': { Steer: ['Captain'] } }],
    ['an unknown setting', /site\.nothing/, { 'settings.json': { site: { nothing: 1 } } }],
    ['a value that does not fit', /mail\.port/, { 'settings.json': { mail: { port: 'x' } } }],
    ['content that cannot be', /title/, { 'content.json': [{ '@type': 'Page', id: 'new' }] }],
    [
      'content without a place',
      /nowhere/,
      { 'content.json': [{ '@type': 'Page', title: 'A', container: '/nowhere' }] },
    ],
  ])('are not installed at all with %s', async (_what, message, files) => {
    await addons.write('wrong', { 'types/Extra.json': typeFile('Extra'), ...files });
    const { status: code, body } = await act('wrong', 'install');
    expect([400, 404]).toContain(code);
    expect(body.message).toMatch(message);
    const { types, addons: installed } = await site.kernel.sites.current();
    expect([types.has('Extra'), installed.has('wrong')]).toEqual([false, false]);
    await addons.remove('wrong');
  });

  it('an add-on with an invalid file is not offered', async () => {
    await addons.write('broken', { 'settings.json': '{' });
    await addons.write('shapeless', { 'types/New.json': { id: 'New' } });
    await addons.write('misnamed', { 'metadata.json': { id: '../x', title: 'x', description: '', version: '1' } });
    const ids = (await read('/@addons')).items.map(({ id }: Json) => id);
    expect(ids.sort()).toEqual(['canopy.contacts', 'glossary', 'plone.session']);
    expect(await refused('shapeless', 'install', 404)).toMatch(/not found/i);
    for (const id of ['broken', 'shapeless', 'misnamed']) await addons.remove(id);
  });

  it('an upgrade applies the new version of an add-on except where the site was changed', async () => {
    const settings = (title: string, items: string) => ({
      site: { site_title: title },
      navigation: { additional_items: items },
    });
    await addons.write('growing', {
      'types/Leaf.json': typeFile('Leaf'),
      'types/Old.json': typeFile('Old'),
      'settings.json': { ...settings('One', 'One||/one'), usergroup: { many_users: true } },
    });
    await done('growing', 'install');
    expect(await refused('growing', 'upgrade')).toMatch(/newest/);
    await change({ 'plone.site_title': 'Ours' });
    await addons.write(
      'growing',
      {
        'types/Leaf.json': typeFile('Leaf', { title: 'Foliage' }),
        'types/Root.json': typeFile('Root'),
        'settings.json': settings('Two', 'Two||/two'),
      },
      '2',
    );
    const { items } = await read('/@addons?upgradeable=1');
    expect(items).toMatchObject([
      { id: 'growing', version: '2', upgrade_info: { installedVersion: '1', newVersion: '2' } },
    ]);
    await done('growing', 'upgrade');
    const { types } = await site.kernel.sites.current();
    expect([types.get('Leaf')?.title, types.has('Root'), types.has('Old')]).toEqual(['Foliage', true, false]);
    expect(await record('plone.site_title')).toBe('Ours');
    expect(await record('canopy.navigation.additional_items')).toBe('Two||/two');
    expect(await record('plone.many_users')).toBe(false);
    expect((await read('/@addons?upgradeable=1')).items).toEqual([]);
    await done('growing', 'uninstall');
    expect(await record('plone.site_title')).toBe('Ours');
    expect(await record('canopy.navigation.additional_items')).toBe('');
  });

  it('a further profile of an installed add-on can be imported', async () => {
    await addons.write('parts', {
      'profiles/demo/settings.json': { site: { site_title: 'Demo' } },
      'profiles/demo/content.json': [{ '@type': 'Page', id: 'demo', title: 'Demo' }],
    });
    const title = await record('plone.site_title');
    expect(await refused('parts', 'import/demo')).toMatch(/not installed/);
    await done('parts', 'install');
    expect((await read('/@addons/parts')).other_profiles).toEqual(['demo']);
    expect(await refused('parts', 'import/nothing', 404)).toMatch(/not found/i);
    await done('parts', 'import/demo');
    expect((await read('/demo')).title).toBe('Demo');
    expect(await record('plone.site_title')).toBe('Demo');
    await done('parts', 'uninstall');
    expect(await record('plone.site_title')).toBe(title);
  });

  it('two add-ons that change the same setting can be uninstalled in any order', async () => {
    const title = await record('plone.site_title');
    await addons.write('first', { 'settings.json': { site: { site_title: 'First' } } });
    await addons.write('second', { 'settings.json': { site: { site_title: 'Second' } } });
    await done('first', 'install');
    await done('second', 'install');
    await done('first', 'uninstall');
    expect(await record('plone.site_title')).toBe('Second');
    await done('second', 'uninstall');
    expect(await record('plone.site_title')).toBe(title);
  });

  it('an add-on whose files are gone can be uninstalled', async () => {
    await addons.write('lost', { 'types/Lost.json': typeFile('Lost') });
    await done('lost', 'install');
    await addons.remove('lost');
    expect(await read('/@addons/lost')).toMatchObject({
      title: 'Add-on lost',
      is_installed: true,
      install_profile_id: '',
    });
    expect(await refused('lost', 'upgrade')).toMatch(/files .* are gone/);
    await done('lost', 'uninstall');
    expect(await status('GET', '/@addons/lost')).toBe(404);
  });

  it('uninstalling never leaves content of a removed type', async () => {
    await addons.write('racing', { 'types/Racer.json': typeFile('Racer') });
    for (let round = 0; round < 5; round += 1) {
      await done('racing', 'install');
      const [made, gone] = await Promise.all([
        site.request('POST', '/', { json: { '@type': 'Racer', id: 'racer', title: 'Racer' } }),
        act('racing', 'uninstall'),
      ]);
      expect([`${made.status} ${gone.status}`]).toContainEqual(expect.stringMatching(/^(?:201 400|403 204)$/));
      if (made.status === 201) {
        expect(await status('DELETE', '/racer')).toBe(204);
        expect(await status('DELETE', '/@recyclebin')).toBe(204);
        await done('racing', 'uninstall');
      }
    }
  });

  it('a change of an add-on returns all add-ons for Prefer: return=representation', async () => {
    const { status: code, body } = await act('plone.session', 'install', {
      headers: { Prefer: 'return=representation' },
    });
    expect(code).toBe(200);
    expect(body.items.find(({ id }: Json) => id === 'plone.session')).toMatchObject({ is_installed: true });
    await done('plone.session', 'uninstall');
  });

  it('add-ons are only for Managers', async () => {
    const administrator = { login: 'administrator', password: 'Long-enough-77!' };
    const json = {
      username: 'administrator',
      password: administrator.password,
      email: 'a@example.org',
      roles: ['Site Administrator'],
    };
    expect(await status('POST', '/@users', json)).toBe(201);
    for (const [as, expected] of [['anonymous', 401] as const, [administrator, 403] as const]) {
      for (const path of ['/@addons', '/@addons/plone.session', '/@addons/nothing'])
        expect((await site.request('GET', path, { as })).status).toBe(expected);
      for (const action of ['plone.session/install', 'nothing/install', 'plone.session/import/x'])
        expect((await site.request('POST', `/@addons/${action}`, { as })).status).toBe(expected);
    }
    expect(await status('POST', '/@addons/nothing/install')).toBe(404);
    expect(await status('POST', '/@addons/plone.session/explode')).toBe(404);
  });
});
