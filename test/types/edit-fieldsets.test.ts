import { expect, it } from 'vitest';
import { configurationVersion } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const LINE = 'Text line (String)';

describeEachEngine('fieldsets of a type', (engine) => {
  const site = useTestSite(engine);
  const { done, read, problems, refusal, schema, newType, addField } = typesSite(site);
  const sets = async (type: string): Promise<Json> =>
    Object.fromEntries((await schema(type)).fieldsets.map(({ id, fields }: Json) => [id, fields]));
  async function withFields(...names: string[]): Promise<string> {
    const type = await newType();
    for (const name of names) await addField(type, { factory: LINE, title: name });
    return type;
  }

  it('unknown keys of a schema and of fieldsets are named, and nothing is changed', async () => {
    const type = await withFields('a');
    const before = await schema(type);
    const unknown = 'Is no key that Canopy knows.';
    expect(await problems('PATCH', `/@types/${type}`, { layouts: ['view'], colour: 'red' })).toEqual({
      colour: unknown,
    });
    expect(await problems('PUT', `/@types/${type}`, { ...before, colour: 'red' })).toEqual({ colour: unknown });
    expect(await problems('POST', `/@types/${type}`, { factory: 'fieldset', title: 'X', colour: 'red' })).toEqual({
      colour: unknown,
    });
    expect(await problems('PATCH', `/@types/${type}/default`, { fields: ['a'], colour: 'red' })).toEqual({
      colour: unknown,
    });
    expect(
      await problems('PATCH', `/@types/${type}`, { fieldsets: [{ id: 'x', title: 'X', fields: [], colour: 1 }] }),
    ).toEqual({ 'fieldsets.0.colour': unknown });
    expect(await schema(type)).toEqual(before);
    await done(204, 'PUT', `/@types/${type}`, before);
  });

  it('a fieldset is added empty, can be changed, and takes fields in an order', async () => {
    const type = await withFields('a', 'b', 'c');
    expect(await done(201, 'POST', `/@types/${type}`, { factory: 'fieldset', title: 'Contact Info' })).toEqual({
      id: 'contact_info',
      title: 'Contact Info',
      fields: [],
      behavior: 'plone.dexterity.schema.generated',
    });
    const path = `/@types/${type}/contact_info`;
    await done(204, 'PATCH', path, { title: 'Contact', description: 'Reach us', fields: ['c', 'a', 'c'] });
    expect(await read(path)).toMatchObject({ title: 'Contact', description: 'Reach us', fields: ['c', 'a'] });
    expect((await sets(type)).default).toEqual(['title', 'description', 'b']);
    await done(204, 'PATCH', path, { fields: ['a'] });
    expect((await read(path)).fields).toEqual(['a', 'c']);
    await done(204, 'PATCH', `/@types/${type}/default`, { fields: ['description', 'title', 'c', 'b'] });
    expect(await sets(type)).toMatchObject({ contact_info: ['a'], default: ['title', 'description', 'c', 'b'] });
  });

  it('a fieldset is removed only when it is empty and belongs to the type', async () => {
    const type = await withFields('a');
    for (const title of ['Full', 'Empty']) await done(201, 'POST', `/@types/${type}`, { factory: 'fieldset', title });
    await done(204, 'PATCH', `/@types/${type}/full`, { fields: ['a'] });
    await done(204, 'DELETE', `/@types/${type}/empty`);
    expect(await refusal('DELETE', `/@types/${type}/full`)).toContain('still has the field "a"');
    expect(await refusal('DELETE', `/@types/${type}/dates`)).toContain('comes from the behavior "dublin_core"');
    expect(Object.keys(await sets(type))).toEqual([
      'default',
      'categorization',
      'dates',
      'ownership',
      'settings',
      'full',
    ]);
    await done(404, 'DELETE', `/@types/${type}/empty`);
  });

  it('fields and titles of behaviors stay in their fieldsets', async () => {
    const type = await withFields('a');
    const STAYS = 'The field "title" comes from a behavior and stays in its fieldset.';
    expect(await problems('PATCH', `/@types/${type}/dates`, { fields: ['title', 'a', 'nothing', 5] })).toEqual({
      fields: STAYS,
    });
    expect(await problems('PATCH', `/@types/${type}/dates`, { title: 'Times' })).toEqual({
      title: 'The fieldset "dates" comes from the behavior "dublin_core".',
    });
    expect(
      await problems('PATCH', `/@types/${type}`, {
        fieldsets: [5, { id: '../x', title: 'X' }, { id: 'a', title: 'A' }, { title: 'New', fields: 'a' }],
      }),
    ).toEqual({
      'fieldsets.0': 'Must be an object with id, title and fields.',
      'fieldsets.1.id': expect.stringContaining('begins with a letter'),
      'fieldsets.2.id': 'There is a field of that name.',
      'fieldsets.3.fields': 'Must be a list of names of fields.',
    });
    expect(await problems('PUT', `/@types/${type}`, { fieldsets: {} })).toEqual({ fieldsets: expect.any(String) });
    expect(await refusal('PUT', `/@types/${type}`, { title: 'Not here' })).toContain('Send properties, fieldsets');
  });

  it('a whole schema replaces the fieldsets, as schema editors send it', async () => {
    const type = await withFields('keep', 'drop', 'move');
    await done(201, 'POST', `/@types/${type}`, { factory: 'fieldset', title: 'Old' });
    await done(204, 'PATCH', `/@types/${type}/old`, { fields: ['move'] });
    const sent = await schema(type);
    delete sent.properties.drop;
    sent.properties.keep.title = 'Kept';
    sent.properties.title.title = 'Not mine to change';
    sent.properties.added = { factory: 'label_integer_field', title: 'Added', id: 'added' };
    sent.fieldsets = sent.fieldsets.filter(({ id }: Json) => id !== 'old');
    sent.fieldsets[0].fields = ['title', 'description', 'added', 'keep'];
    sent.fieldsets.push({ id: 'new', title: 'New', fields: [] });
    sent.required.push('added', 'drop');
    sent.layouts = ['table_view', 'view'];
    const body = JSON.stringify(sent);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await site.request('PUT', `/@types/${type}`, { body, headers })).status).toBe(204);
    const now = await schema(type);
    expect(now.properties).toMatchObject({
      keep: { title: 'Kept' },
      added: { type: 'integer', factory: 'Integer' },
      title: { title: 'Title' },
    });
    expect(now.properties.drop).toBeUndefined();
    expect(now.required).toEqual(['title', 'added']);
    expect(now.layouts).toEqual(['table_view', 'view']);
    expect(await sets(type)).toMatchObject({ default: ['title', 'description', 'added', 'keep', 'move'], new: [] });
    expect(await sets(type)).not.toHaveProperty('old');
    const at = await configurationVersion(site.kernel.db);
    await done(204, 'PUT', `/@types/${type}`, now);
    expect(await configurationVersion(site.kernel.db)).toBe(at);
    await done(204, 'PUT', `/@types/${type}`, { layouts: [] });
    expect(await schema(type)).toEqual(now);
  });

  it('fieldsets of types of the profile are edited in the same way, and every field stays in one', async () => {
    for (const type of ['File', 'Link', 'Page', 'Site', 'News Item']) {
      const before = await schema(type);
      await done(204, 'PUT', `/@types/${type}`, before);
      expect(await schema(type)).toEqual(before);
      await addField(type, { factory: LINE, title: 'Shelf' });
      const { fieldsets, properties } = await schema(type);
      expect(fieldsets.flatMap(({ fields }: Json) => fields).sort()).toEqual(Object.keys(properties).sort());
      await done(204, 'DELETE', `/@types/${type}/shelf`);
      expect(await schema(type)).toEqual(before);
    }
  });
});
