import { expect, it } from 'vitest';
import { formProblems } from '../../src/core/configuration/profiles/profile-schema.ts';
import { definitionProblem } from '../../src/core/types/field-definition/definition-problem.ts';
import { isProperty } from '../../src/core/types/field-definition/settings.ts';
import { describeEachEngine } from '../support/database.ts';
import { registries } from '../support/registries.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const { fieldKinds: kinds } = registries;

/** Definitions of fields in their stored form, and the setting that is rejected; undefined for those that are taken. */
const DEFINITIONS: [factory: string, settings: Json, rejected?: string][] = [
  [
    'Text line (String)',
    { description: 'Of the shelf', minLength: 1, maxLength: 20, pattern: '^[A-Z]', default: 'A1' },
  ],
  ['Text line (String)', { title: ' ' }, 'title'],
  ['Text line (String)', { title: 'x'.repeat(201) }, 'title'],
  ['Text line (String)', { description: 'x'.repeat(2001) }, 'description'],
  ['Text line (String)', { widget: '' }, 'widget'],
  ['Text line (String)', { widgetOptions: { placeholder: 'x'.repeat(20_001) } }, 'widgetOptions'],
  ['Text line (String)', { minLength: 5, maxLength: 4 }, 'minLength'],
  ['Text line (String)', { minLength: -1 }, 'minLength'],
  ['Text line (String)', { maxLength: 2.5 }, 'maxLength'],
  ['Text line (String)', { minimum: 1 }, 'minimum'],
  ['Text line (String)', { maxLength: 3, default: 'long' }, 'default'],
  ['Text line (String)', { pattern: '(?=x)' }, 'pattern'],
  ['Text line (String)', { pattern: '([a-z]{1,1000}){1,1000}' }, 'pattern'],
  ['Text line (String)', { color: 'red' }, 'color'],
  ['Integer', { minimum: -3, maximum: 3, default: 2 }],
  ['Integer', { minimum: 1.5 }, 'minimum'],
  ['Integer', { pattern: 'x' }, 'pattern'],
  ['Integer', { maxItems: 3 }, 'maxItems'],
  ['Floating-point number', { minimum: 0.5, default: 1 }],
  ['Yes/No', { default: true }],
  ['Yes/No', { minLength: 1 }, 'minLength'],
  ['Choice', { choices: [['a', 'A']], default: 'a' }],
  ['Choice', { choices: [['a', 'A']], default: 'b' }, 'default'],
  ['Choice', { choices: [['a', 'A'], ['a', 'B']] }, 'choices'], // biome-ignore format: pairs stand in a line
  ['Choice', { choices: [['', 'A']] }, 'choices'],
  ['Choice', { vocabulary: { '@id': 'with space' } }, 'vocabulary'],
];

/** Settings that only fields of content have, which those of users reject. */
const OF_CONTENT: [factory: string, settings: Json, rejected?: string][] = [
  ['Text line (String)', { unique: true, index: 'field', column: true }],
  ['Text line (String)', { read_permission: 'Modify portal content', write_permission: 'Modify portal content' }],
  ['Text line (String)', { mode: 'display', multilingual_options: { language_independent: true } }],
  ['Text line (String)', { unique: true, multilingual_options: { language_independent: true } }, 'unique'],
  ['Yes/No', { unique: true }, 'unique'],
  ['Text line (String)', { mode: 'loud' }, 'mode'],
  ['Text line (String)', { index: 5 }, 'index'],
  ['Text line (String)', { column: 'yes' }, 'column'],
  ['Text line (String)', { readonly: 'yes' }, 'readonly'],
  ['Text line (String)', { multilingual_options: { language_independent: 'yes' } }, 'multilingual_options'],
  ['Text line (String)', { write_permission: '' }],
];

describeEachEngine('the definition of a field', (engine) => {
  const site = useTestSite(engine);
  const { newType } = typesSite(site);
  const rejectedBy = async (method: string, path: string, json: Json): Promise<string[]> => {
    const { status, body } = await site.request(method, path, { json });
    if (status < 300) return [];
    expect(status, JSON.stringify(body)).toBe(400);
    return body.error.errors.map(({ field }: { field: string }) => field.split('.').at(-1));
  };

  /** Returns the problem that profiles, add-ons and set-ups have with a field: its form, then its definition. */
  const inProfile = (factory: string, settings: Json): string | undefined => {
    const property = { title: 'A', ...kinds.factory(factory)?.property, factory, ...settings };
    const type = { id: 'T', title: 'T', behaviors: [], global_allow: true, filter_content_types: false };
    const data = { ...type, allowed_content_types: [], workflow: null, layouts: ['view'], required: [] };
    const fieldsets = [{ id: 'default', title: 'Default', fields: ['a'] }];
    const [wrong] = formProblems('type', { ...data, fieldsets, properties: { a: property } });
    if (wrong) return wrong.field?.split('.')[2];
    return isProperty(property) ? definitionProblem(kinds, 'a', property)?.split(':')[0] : 'form';
  };

  it.each([...DEFINITIONS, ...OF_CONTENT])(
    'of the kind %s is the same for profiles and editors of types, case %#',
    async (factory, settings, rejected) => {
      const wanted = rejected === undefined ? [] : [rejected];
      const type = await newType();
      const sent = { title: 'A', id: 'a', factory, ...settings };
      const found = await rejectedBy('POST', `/@types/${type}`, sent);
      // The vocabulary and the list are one setting in forms.
      expect(
        found.map((setting) => (rejected === 'vocabulary' && setting === 'choices' ? 'vocabulary' : setting)),
      ).toEqual(wanted);
      if (settings.write_permission !== '') expect(inProfile(factory, settings)).toBe(rejected);
    },
  );

  it.each(DEFINITIONS)('of the kind %s is the same for users, case %#', async (factory, settings, rejected) => {
    const json = { properties: { a: { title: 'A', factory, ...settings } } };
    expect(await rejectedBy('PATCH', '/@userschema', json)).toEqual(rejected === undefined ? [] : [rejected]);
  });

  it.each([
    { unique: true },
    { index: 'field' },
    { column: true },
    { readonly: true },
    { mode: 'hidden' },
    { read_permission: 'View' },
  ])('of a user has no %j', async (settings) => {
    const json = { properties: { a: { title: 'A', ...settings } } };
    expect(await rejectedBy('PATCH', '/@userschema', json)).toEqual(Object.keys(settings));
  });

  it('with an impossible setting from before can be changed in others, and the setting only to a possible one', async () => {
    const type = await newType();
    const field = { title: 'Code', id: 'code', factory: 'Text line (String)', pattern: '^a' };
    expect(await rejectedBy('POST', `/@types/${type}`, field)).toEqual([]);
    const large = '([a-z]{1,1000}){1,1000}';
    await site.kernel.db.query({
      text: `update configuration set data = jsonb_set(data, '{properties,code,pattern}', to_jsonb($2::text))
        where kind = 'type' and id = $1`,
      values: [type, large],
    });
    // The next change of the configuration loads it.
    expect(await rejectedBy('POST', `/@types/${type}`, { ...field, id: 'second' })).toEqual([]);
    const path = `/@types/${type}/code`;
    expect(await rejectedBy('PATCH', path, { title: 'Number', pattern: large })).toEqual([]);
    expect(await rejectedBy('PATCH', path, { pattern: `${large}x` })).toEqual(['pattern']);
    expect(await rejectedBy('PATCH', path, { pattern: '^b' })).toEqual([]);
    expect((await site.request('GET', path)).body).toMatchObject({ title: 'Number', pattern: '^b' });
  });
});
