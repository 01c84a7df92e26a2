import { expect, it } from 'vitest';
import { defineFeature } from '../../src/core/services/feature.ts';
import { FieldError, type FieldKind } from '../../src/core/types/field-kind.ts';
import { kindOfField } from '../../src/features/import/infer-field.ts';
import { isJsonObject } from '../../src/lib/json-object.ts';
import { sample } from '../importer/readers/helpers.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const HEX = /^#[0-9a-f]{6}$/i;

/** A colour: clients send `#ff8800 Bright orange`; stored are its code and its name. */
const colour: FieldKind = {
  factories: [{ name: 'Colour', tokens: ['label_colour_field'], property: { type: 'object', widget: 'colour' } }],
  missing: null,
  limits: 'length',
  deserialize(value, field) {
    const [code = '', ...words] = typeof value === 'string' ? value.split(' ') : [];
    if (!HEX.test(code)) throw new FieldError('Is not a colour, such as "#ff8800 Orange".');
    const name = words.join(' ');
    if (name.length > (field.maxLength ?? 100)) throw new FieldError('Has too long a name.');
    return { code: code.toLowerCase(), name };
  },
  serialize: (stored) => (isJsonObject(stored) ? { ...stored, swatch: `[${stored.code}]` } : null),
  exported: (served) => (isJsonObject(served) ? `${served.code} ${served.name}` : null),
  indexes: ['field', 'text'],
  column: true,
  indexed: (stored) => (isJsonObject(stored) ? stored.code : undefined),
  words: (stored) => (isJsonObject(stored) ? String(stored.name) : ''),
  schema: ({ maxLength }) => ({ format: 'colour', hint: `up to ${maxLength ?? 100} characters` }),
  markdown: (exported) =>
    typeof exported === 'string'
      ? [{ type: 'paragraph', children: [{ type: 'strong', children: [{ type: 'text', value: exported }] }] }]
      : [],
  recognizes: (value) => 'value' in value && typeof value.value === 'string' && HEX.test(value.value.slice(0, 7)),
};

describeEachEngine('a field kind of a feature from outside', (engine) => {
  const site = useTestSite(engine, () => ({ features: [defineFeature({ name: 'paint', fieldKinds: [colour] })] }));
  const { ask, done, read, problems, schema, newType, create } = typesSite(site);

  it('a field kind of a feature is offered to schema editors and described by its own JSON schema', async () => {
    const { items } = await read('/@vocabularies/Fields?b_size=100');
    expect(items).toContainEqual(expect.objectContaining({ token: 'label_colour_field', title: 'Colour' }));
    const type = await newType();
    await done(201, 'POST', `/@types/${type}`, { factory: 'label_colour_field', title: 'Wall', maxLength: 20 });
    expect((await schema(type)).properties.wall).toMatchObject({
      factory: 'Colour',
      type: 'object',
      widget: 'colour',
      format: 'colour',
      hint: 'up to 20 characters',
    });
    expect(await problems('PATCH', `/@types/${type}`, { properties: { wall: { minimum: 1 } } })).toEqual({
      'properties.wall.minimum': 'A field of the kind "Colour" has no minimum.',
    });
    expect(await problems('PATCH', `/@types/${type}`, { properties: { wall: { default: 'red' } } })).toEqual({
      'properties.wall.default': 'Is not a colour, such as "#ff8800 Orange".',
    });
    expect(
      await problems('PATCH', `/@types/${type}`, { properties: { wall: { factory: 'Integer', title: 'Wall' } } }),
    ).toHaveProperty(['properties.wall.factory']);
  });

  it('a field kind of a feature checks, stores, serves and exports values', async () => {
    const type = await newType();
    await done(201, 'POST', `/@types/${type}`, { factory: 'Colour', title: 'Wall', default: '#FFFFFF White' });
    const plain = await create(type);
    expect((await read(plain)).wall).toEqual({ code: '#ffffff', name: 'White', swatch: '[#ffffff]' });
    const path = await create(type, { wall: '#FF8800 Bright orange' });
    expect((await read(path)).wall).toEqual({ code: '#ff8800', name: 'Bright orange', swatch: '[#ff8800]' });
    expect((await read(`${path}/@export`)).wall).toBe('#ff8800 Bright orange');
    const { status, body } = await ask('PATCH', path, { wall: 'orange' });
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'wall', message: 'Is not a colour, such as "#ff8800 Orange".' })],
    ]);
    await done(204, 'PATCH', path, { wall: null });
    expect((await read(path)).wall).toBeNull();
    expect((await read(`${path}/@export`)).wall).toBeNull();
  });

  it("values of a feature's field kind are indexed, shown in listings and searched by their words", async () => {
    const type = await newType();
    await done(201, 'POST', `/@types/${type}`, {
      factory: 'Colour',
      title: 'Shade',
      index: { kind: 'field', title: 'Shade' },
      column: true,
    });
    await done(201, 'POST', `/@types/${type}`, { factory: 'Colour', title: 'Motto', index: 'text' });
    expect(
      (await done(400, 'PATCH', `/@types/${type}`, { properties: { shade: { index: 'date' } } })).message,
    ).toContain('An index of the kind "date" needs a date.');
    const path = await create(type, { shade: '#00ff00 Green', motto: '#0000ff Deep ocean' });
    await create(type, { shade: '#111111 Soot', motto: '#222222 Dry land' });
    const found = async (query: string) =>
      (await read(`/@search?portal_type=${type}&metadata_fields=shade&${query}`)).items.map(
        ({ '@id': id, shade }: Record<string, unknown>) => [id, shade],
      );
    expect(await found('shade=%2300ff00')).toEqual([[path, '#00ff00']]);
    expect(await found('motto=ocean')).toEqual([[path, '#00ff00']]);
    expect((await found('sort_on=shade')).map(([, shade]: unknown[]) => shade)).toEqual(['#00ff00', '#111111']);
  });

  it('a field kind of a feature writes its part of the Markdown document of content without blocks', async () => {
    const type = await newType();
    await done(201, 'POST', `/@types/${type}`, { factory: 'Colour', title: 'Wall' });
    const document = async (path: string) => (await ask('GET', `${path}/markdown_view`)).text;
    const painted = await create(type, { wall: '#FF8800 Bright orange' });
    expect(await document(painted)).toContain('**#ff8800 Bright orange**');
    expect(await document(await create(type))).not.toContain('**');
  });

  it('an import gives a field the kind of a feature that recognizes its values', () => {
    const kindOf = (...values: unknown[]) =>
      kindOfField(
        site.kernel.fieldKinds,
        'own',
        values.map((value) => sample({ fields: { own: value } })),
      ).factories[0].name;
    expect(kindOf('#ff8800 Orange', null)).toBe('Colour');
    expect(kindOf('#ff8800 Orange', 'no colour')).toBe('Text line (String)');
  });
});
