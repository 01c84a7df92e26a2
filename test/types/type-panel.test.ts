import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configurationVersion } from '../../src/core/configuration/statements/configuration.ts';
import { addType } from '../content/add-type.ts';
import { type AddonFolder, addonFolder, typeFile } from '../controlpanels/addon-files.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const PANEL = '/@controlpanels/dexterity-types';

describeEachEngine('the panel of content types', (engine) => {
  let addons: AddonFolder;
  beforeAll(async () => {
    addons = await addonFolder();
  });
  afterAll(() => rm(addons.folder, { recursive: true, force: true }));
  const site = useTestSite(engine, () => ({ environment: { ADDONS_DIR: addons.folder } }));
  const { ask, done, read, problems, refusal, schema, newType, addField, create, panel, fresh } = typesSite(site);
  const values = async (type: string): Promise<Json> => (await read(panel(type))).data;
  const version = () => configurationVersion(site.kernel.db);

  it('the panel lists the types by title with the number of their objects', async () => {
    const type = await newType({ title: 'Recipe', description: 'Cook it' });
    await create(type);
    const { items, ...list } = await read(PANEL);
    expect(list).toMatchObject({ '@id': `${site.url}${PANEL}`, title: 'Content Types', group: 'Content' });
    expect(items.find(({ id }: Json) => id === type)).toEqual({
      '@id': `${site.url}${PANEL}/${type}`,
      '@type': type,
      id: type,
      meta_type: type,
      title: 'Recipe',
      description: 'Cook it',
      count: 1,
    });
    expect(items.find(({ id }: Json) => id === 'Site').count).toBe(1);
    expect(items.find(({ id }: Json) => id === 'News Item')['@id']).toBe(`${site.url}${PANEL}/News Item`);
    const [entry] = (await read('/@controlpanels')).filter(({ title }: Json) => title === 'Content Types');
    expect(entry).toMatchObject({ '@id': `${site.url}${PANEL}`, searchable_text: expect.arrayContaining(['Recipe']) });
  });

  it('a type is created from its title, and content of it can be created at once', async () => {
    const { status, body, headers } = await ask('POST', PANEL, {
      title: 'My / Type',
      description: 'Mine',
      blocks: true,
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${site.url}${PANEL}/My%20Type`);
    expect(body).toMatchObject({
      '@id': `${site.url}${PANEL}/My Type`,
      title: 'My / Type',
      description: 'Mine',
      group: 'Content',
      items: [],
      data: { dublin_core: true, folderish: true, blocks: true, ownership: false, filter_content_types: false },
    });
    const fields = body.schema.fieldsets.flatMap((fieldset: Json) => fieldset.fields);
    expect(Object.keys(body.schema.properties)).toEqual(fields);
    expect(Object.keys(body.data)).toEqual(expect.arrayContaining(fields));
    const item = await create('My Type', { title: 'Apple Pie' });
    expect(await read(item)).toMatchObject({
      '@type': 'My Type',
      id: 'apple-pie',
      review_state: 'private',
      blocks: {},
    });
    await done(201, 'POST', `${PANEL}/of_the_address`, { title: 'By its address' });
    expect((await values('of_the_address')).title).toBe('By its address');
  });

  it.each([
    [{}, 'title'],
    [{ title: '' }, 'title'],
    [{ id: 'Untitled' }, 'title'],
    [{ title: '///' }, 'title'],
    [{ title: 'X', id: 'a/b' }, 'id'],
    [{ title: 'X', id: { a: 1 } }, 'id'],
    [{ title: 'X', id: '__proto__' }, 'id'],
    [{ title: 'X', id: 'Fine', colour: 'red' }, 'colour'],
    [{ title: 'X', id: 'Fine', blocks: 'perhaps' }, 'blocks'],
    [{ title: 'X', id: 'Fine', allowed_content_types: ['Nothing'] }, 'allowed_content_types'],
    [{ title: 'X', id: 'Fine', allowed_content_types: ['Site'] }, 'allowed_content_types'],
    [{ title: 'X', id: 'Fine', allowed_content_types: 5 }, 'allowed_content_types'],
    [{ title: 'X', id: 'Fine', description: 5 }, 'description'],
  ])('a type described by %j is rejected', async (body: Json, wrong: string) => {
    const before = await version();
    expect(Object.keys(await problems('POST', PANEL, body))).toEqual([wrong]);
    expect(await version()).toBe(before);
  });

  it('a second type of the same name is rejected', async () => {
    for (const id of ['Page', 'Document'])
      expect(await refusal('POST', PANEL, { id, title: 'Second' })).toContain('There is a content type "Page" already');
    const id = fresh('Once');
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', PANEL, { id, title: 'Once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it('titles and behaviors change under all their names, and what a GET returned can be sent back', async () => {
    const type = await newType();
    await done(204, 'PATCH', panel(type), { title: 'Renamed', blocks: true, 'plone.richtext': true });
    expect(Object.keys((await schema(type)).properties)).toEqual(expect.arrayContaining(['blocks', 'text']));
    expect((await read('/@types')).find(({ id }: Json) => id === type).title).toBe('Renamed');
    const data = await values(type);
    expect(data).toMatchObject({ blocks: true, 'volto.blocks': true, dublin_core: true, 'plone.dublincore': true });
    const before = await version();
    await done(204, 'PATCH', panel(type), data);
    expect(await version()).toBe(before);
    await done(204, 'PATCH', panel(type), { ...data, 'volto.blocks': false });
    expect(await values(type)).toMatchObject({ blocks: false, 'volto.blocks': false, 'plone.richtext': true });
    await done(204, 'PATCH', panel(type), { ...data, blocks: true });
    expect(await values(type)).toMatchObject({ blocks: true });
    expect(await problems('PATCH', panel(type), { id: 'Other' })).toEqual({
      id: expect.stringContaining('keeps its id'),
    });
  });

  it('the panel decides which types may be added inside', async () => {
    const type = await newType({
      filter_content_types: true,
      allowed_content_types: [{ token: 'Page', title: 'Page' }],
    });
    expect((await values(type)).allowed_content_types).toEqual(['Page']);
    const container = await create(type);
    await done(201, 'POST', container, { '@type': 'Page', title: 'Allowed' });
    await done(403, 'POST', container, { '@type': 'Folder', title: 'Refused' });
    await done(204, 'PATCH', panel(type), { allowed_content_types: null });
    await done(403, 'POST', container, { '@type': 'Page', title: 'No longer' });
  });

  it('a behavior that something needs cannot be switched off', async () => {
    const type = await newType();
    const folder = await create(type);
    await done(201, 'POST', folder, { '@type': 'Page', title: 'Inside' });
    expect(await refusal('PATCH', panel(type), { folderish: false })).toContain('There is content inside');
    expect(await refusal('PATCH', panel(type), { dublin_core: false })).toContain('Every type needs the field "title"');
    for (const name of ['folderish', 'navigation_root'])
      expect(await refusal('PATCH', panel('Site'), { [name]: false })).toContain(`needs the behavior "${name}"`);
    await done(204, 'PATCH', panel(type), { dublin_core: false, basic: true });
    expect(await read(folder)).toMatchObject({ is_folderish: true, items_total: 1 });
  });

  it('a behavior whose field the type has itself is accepted unless the kinds differ', async () => {
    const type = await newType();
    await addField(type, { factory: 'JSONField', title: 'Blocks', default: { own: { '@type': 'title' } } });
    await done(204, 'PATCH', panel(type), { blocks: true });
    await done(204, 'PATCH', panel(type), { blocks: false });
    const { properties } = await schema(type);
    expect(properties.blocks.default).toEqual({ own: { '@type': 'title' } });
    expect(properties).not.toHaveProperty('blocks_layout');
    await addType(site.kernel, { id: 'Imported', properties: { location: { factory: 'Integer', type: 'integer' } } });
    expect(await problems('PATCH', panel('Imported'), { 'plone.eventlocation': true })).toEqual({
      'plone.eventlocation': 'Brings a field "location", which the type has itself as another kind.',
    });
  });

  it('a type that nothing needs is removed wherever it is named', async () => {
    const type = await newType();
    const container = await newType({ filter_content_types: true, allowed_content_types: [type, 'Page'] });
    const { displayed_types: displayed } = (await read('/@controlpanels/navigation')).data;
    await done(204, 'PATCH', '/@controlpanels/navigation', { displayed_types: [...displayed, type] });
    const item = await create(type);
    expect(await refusal('DELETE', panel(type))).toBe('There is content of this type: 1. Delete it first.');
    await done(204, 'DELETE', item);
    await done(204, 'DELETE', panel(type));
    await done(404, 'GET', panel(type));
    await done(404, 'DELETE', panel(type));
    await done(404, 'GET', `/@types/${type}`);
    await done(403, 'POST', '/', { '@type': type, title: 'Orphan' });
    expect((await values(container)).allowed_content_types).toEqual(['Page']);
    expect((await read('/@controlpanels/navigation')).data.displayed_types).toEqual(displayed);
    expect(await refusal('DELETE', panel('Site'))).toContain('cannot be removed');
  });

  it('content whose type was removed comes back once there is a type of that name', async () => {
    const type = await newType();
    const page = await create('Page');
    await done(201, 'POST', page, { '@type': type, title: 'Inside' });
    await done(204, 'DELETE', page);
    await done(204, 'DELETE', panel(type));
    const [{ recycle_id: id }] = (await read(`/@recyclebin?path=${new URL(page, site.url).pathname}`)).items;
    const restore = `/@recyclebin/${id}/restore`;
    expect(await refusal('POST', restore)).toBe(`The content type "${type}" was removed. Make it again, then restore.`);
    await done(201, 'POST', PANEL, { id: type, title: 'Again' });
    await done(200, 'POST', restore);
    expect((await read(page)).items).toMatchObject([{ '@type': type, title: 'Inside' }]);
  });

  it('a type of an add-on cannot be removed in the panel', async () => {
    await addons.write('library', { 'types/Shelf.json': typeFile('Shelf') });
    await done(204, 'POST', '/@addons/library/install');
    expect(await refusal('DELETE', panel('Shelf'))).toContain('belongs to the add-on "library"');
    await done(204, 'POST', '/@addons/library/uninstall');
    await done(404, 'DELETE', panel('Shelf'));
  });

  it('a type is never removed while content of it is being created', async () => {
    for (let round = 0; round < 5; round += 1) {
      const type = await newType();
      const [removed, made] = await Promise.all([
        ask('DELETE', panel(type)),
        ask('POST', '/', { '@type': type, title: `Race ${round}` }),
      ]);
      expect([
        [204, 403],
        [400, 201],
      ]).toContainEqual([removed.status, made.status]);
    }
  });

  it('the panel of types is shown to those who see control panels and changed by Managers', async () => {
    const type = await newType();
    for (const [method, path] of [
      ['POST', PANEL],
      ['POST', `${PANEL}/New`],
      ['PATCH', panel(type)],
      ['DELETE', panel(type)],
      ['DELETE', `${PANEL}/No such type`],
      ['GET', PANEL],
      ['GET', panel(type)],
    ] as const)
      expect((await ask(method, path, method === 'GET' ? undefined : { title: 'X' }, { as: 'anonymous' })).status).toBe(
        401,
      );
    await done(404, 'PATCH', `${PANEL}/constructor`, { title: 'X' });
    await done(404, 'GET', `${PANEL}/__proto__`);
  });
});
