import { expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import {
  loadConfiguration,
  lockConfiguration,
  writeConfiguration,
} from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from '../types/types-site.ts';

const PANEL = '/@controlpanels/dexterity-types';

describeEachEngine('content types as Volto edits them', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const { ask, done, read, schema, newType, create, panel, problems } = typesSite(site);
  const values = async (type: string): Promise<Json> => (await read(panel(type))).data;

  it('Behaviors have the names of Plone in the panel and in schemas, and no key that Volto takes for blocks.', async () => {
    const { data, schema: form } = await read(panel('Document'));
    expect(data).toMatchObject({
      'volto.blocks': true,
      'plone.basic': true,
      'plone.publication': true,
      'plone.dublincore': false,
      'plone.navigationroot': false,
      'volto.preview_image_link': true,
      'volto.blocks.editable.layout': false,
    });
    const dotless = Object.keys(data).filter((name) => !name.includes('.'));
    expect(dotless.sort()).toEqual([
      'allowed_content_types',
      'description',
      'filter_content_types',
      'folderish',
      'title',
    ]);
    expect(Object.keys(form.properties).sort()).toEqual(Object.keys(data).sort());
    const { properties } = await schema('Document');
    expect(properties).toMatchObject({
      title: { behavior: 'plone.basic' },
      blocks: { behavior: 'volto.blocks' },
      effective: { behavior: 'plone.publication' },
    });
    const { items } = await read('/@vocabularies/behaviors?b_size=-1');
    expect(items.map(({ token }: Json) => token)).toEqual(expect.arrayContaining(['volto.blocks', 'plone.dublincore']));
  });

  it('The panel that Volto was given can be sent back, with one switch changed.', async () => {
    const type = await newType();
    await done(204, 'PATCH', panel(type), { ...(await values(type)), 'volto.blocks': true, title: 'Renamed' });
    expect(await values(type)).toMatchObject({ title: 'Renamed', 'volto.blocks': true, 'plone.dublincore': true });
    expect((await schema(type)).properties.blocks).toMatchObject({ behavior: 'volto.blocks' });
  });

  it('Behaviors are switched by their other names, too.', async () => {
    const type = await newType();
    await done(204, 'PATCH', panel(type), { blocks: true, exclude_from_nav: true });
    expect(await values(type)).toMatchObject({ 'volto.blocks': true, 'plone.excludefromnavigation': true });
    await done(204, 'PATCH', panel(type), { blocks: false, 'plone.excludefromnavigation': false });
    expect(await values(type)).toMatchObject({ 'volto.blocks': false, 'plone.excludefromnavigation': false });
  });

  it('The root keeps the behavior that makes it the root of the navigation.', async () => {
    const address = `${PANEL}/Plone%20Site`;
    expect((await ask('PATCH', address, { 'plone.navigationroot': false })).status).toBe(400);
    expect((await ask('PATCH', address, { navigation_root: false })).status).toBe(400);
    expect((await read(address)).data['plone.navigationroot']).toBe(true);
  });

  it('Which types a type takes is all, none or some.', async () => {
    const type = await newType();
    expect((await read(panel(type))).schema.properties.filter_content_types).toMatchObject({
      type: 'string',
      enum: ['none', 'all', 'some'],
    });
    expect((await values(type)).filter_content_types).toBe('all');
    await done(204, 'PATCH', panel(type), { filter_content_types: 'some', allowed_content_types: ['Document'] });
    expect(await values(type)).toMatchObject({ filter_content_types: 'some', allowed_content_types: ['Document'] });
    const box = await create(type);
    const addable = async () =>
      (await read(`${box}/@types`)).filter((entry: Json) => entry.addable).map((entry: Json) => entry.id);
    expect(await addable()).toEqual(['Document']);
    await done(204, 'PATCH', panel(type), { filter_content_types: { token: 'none', title: 'None' } });
    expect(await values(type)).toMatchObject({ filter_content_types: 'none', allowed_content_types: [] });
    expect(await addable()).toEqual([]);
    await done(204, 'PATCH', panel(type), { filter_content_types: false });
    expect((await values(type)).filter_content_types).toBe('all');
    expect(await problems('PATCH', panel(type), { filter_content_types: 'many' })).toEqual({
      filter_content_types: 'Must be true or false, or one of: none, all, some.',
    });
  });

  it('The id of a new type is made of its title as Plone makes it.', async () => {
    const { body } = await ask('POST', PANEL, { title: 'Größe & Form', description: 'New' });
    expect(body['@id']).toBe(`${site.url}${PANEL}/grosse_form`);
    expect((await ask('POST', PANEL, { title: 'Größe Form' })).status).toBe(400);
    await done(201, 'POST', `${PANEL}/Own%20Name`, { title: 'Own' });
    expect((await values('Own Name')).title).toBe('Own');
  });

  it('Blocks are switched on for the layout editor of a type at the first try, with and without the behavior.', async () => {
    const fields = {
      fieldsets: [{ id: 'layout', title: 'Layout', fields: ['blocks', 'blocks_layout'] }],
      properties: {
        blocks: { title: 'Blocks', type: 'dict', widget: 'json', factory: 'JSONField', default: {} },
        blocks_layout: {
          title: 'Blocks Layout',
          type: 'dict',
          widget: 'json',
          factory: 'JSONField',
          default: { items: [] },
        },
      },
    };
    const plain = await newType();
    await done(204, 'PATCH', panel(plain), { 'volto.blocks.editable.layout': true });
    await done(204, 'PATCH', `/@types/${plain}`, fields);
    const withBlocks = await newType({ 'volto.blocks': true });
    const old = await create(withBlocks, { blocks: { a: { '@type': 'title' } }, blocks_layout: { items: ['a'] } });
    await done(204, 'PATCH', panel(withBlocks), { 'volto.blocks': false, 'volto.blocks.editable.layout': true });
    await done(204, 'PATCH', `/@types/${withBlocks}`, fields);
    expect((await read(old)).blocks_layout).toEqual({ items: ['a'] });
    for (const type of [plain, withBlocks]) {
      const { properties, fieldsets } = await schema(type);
      expect(properties.blocks.behavior).toContain('generated');
      expect(fieldsets.find(({ id }: Json) => id === 'layout').fields).toEqual(['blocks', 'blocks_layout']);
      const layout = {
        properties: {
          blocks: { default: { t: { '@type': 'title' } } },
          blocks_layout: { default: { items: ['t'] } },
        },
      };
      await done(204, 'PATCH', `/@types/${type}`, layout);
      expect((await schema(type)).properties.blocks.default).toEqual({ t: { '@type': 'title' } });
      const page = await create(type);
      expect(await read(page)).toMatchObject({ blocks: { t: { '@type': 'title' } }, blocks_layout: { items: ['t'] } });
    }
  });

  it('A site that was made with the old names of behaviors has the new ones as well.', async () => {
    const { db } = site.kernel;
    await db.transaction(async (tx) => {
      await lockConfiguration(tx);
      const { rows } = await loadConfiguration(tx);
      const row = rows.find(({ kind, id }) => kind === KINDS.type && id === 'Link');
      if (!row) throw new Error('no Link');
      const data = { ...(row.data as Json), behaviors: ['basic', 'blocks', 'short_name', 'plone.namefromtitle'] };
      await writeConfiguration(tx, [{ ...row, data }]);
    });
    expect(await values('Link')).toMatchObject({ 'plone.basic': true, 'volto.blocks': true, 'plone.shortname': true });
    await done(204, 'PATCH', panel('Link'), { 'volto.blocks': false });
    expect(await values('Link')).toMatchObject({ 'plone.basic': true, 'volto.blocks': false });
  });
});
