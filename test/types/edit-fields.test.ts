import { expect, it } from 'vitest';
import { configurationVersion } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import { registries } from '../support/registries.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const LINE = 'Text line (String)';

describeEachEngine('fields of a type', (engine) => {
  const site = useTestSite(engine);
  const { ask, done, read, problems, refusal, schema, newType, addField } = typesSite(site);
  const version = () => configurationVersion(site.kernel.db);

  it('a field is added under a name made from its title, in the form that schema editors know', async () => {
    const type = await newType();
    const { status, body, headers } = await ask('POST', `/@types/${type}`, {
      factory: 'Email',
      title: 'Author email',
      description: 'Of the author',
      required: true,
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        title: 'Author email',
        description: 'Of the author',
        type: 'string',
        factory: 'Email',
        widget: 'email',
        behavior: `plone.dexterity.schema.generated.${type}`,
      },
    });
    expect(headers.get('location')).toBe(`${site.url}/@types/${type}/author_email`);
    const { required, fieldsets } = await schema(type);
    expect(required).toEqual(['title', 'author_email']);
    expect(fieldsets[0]).toMatchObject({ id: 'default', fields: ['title', 'description', 'author_email'] });
  });

  const insideOf = (factory: string): Json =>
    registries.fieldKinds.isGroup({ factory })
      ? { schema: { properties: { a: { factory: 'Text', title: 'A' } } } }
      : {};

  it('fields can have every kind of the vocabulary of kinds, and those that the server knows besides', async () => {
    const type = await newType();
    const { terms, factories } = registries.fieldKinds;
    for (const [at, factory] of [...terms.map(({ token }) => token), ...factories.map(({ name }) => name)].entries())
      await addField(type, { factory, title: factory, id: `field_${at}`, ...insideOf(factory) });
    const { properties } = await schema(type);
    for (const [at, { title }] of terms.entries())
      expect(properties[`field_${at}`].factory).toBe(title === 'File Upload' ? 'File' : title);
    const item = (await done(201, 'POST', '/', { '@type': type, title: 'All kinds' }))['@id'];
    expect((await read(item)).field_0).toBeNull();
  });

  it('a request with several mistakes lists all of them and changes nothing', async () => {
    const type = await newType();
    await addField(type, { factory: 'Integer', title: 'Pages' });
    const before = await schema(type);
    const at = await version();
    expect(await problems('POST', `/@types/${type}`, { title: 'No kind' })).toEqual({
      factory: expect.stringContaining("Missing parameter: 'factory'"),
    });
    expect(await problems('POST', `/@types/${type}`, { factory: 'Nonsense', title: 'X' })).toEqual({
      factory: expect.stringContaining('Use one of: Text line (String)'),
    });
    const PROBLEMS = {
      'properties.pages.minimum': 'Must not be more than the upper limit.',
      'properties.code.maxLength': 'Must not be negative.',
      'properties.code.title': expect.stringContaining('not be empty'),
      'properties.constructor': expect.stringContaining('means something else'),
      'properties.a b': expect.stringContaining('begins with a letter'),
      'properties.flag.minLength': 'A field of the kind "Yes/No" has no minLength.',
      'properties.flag.required': 'Must be true or false.',
      'properties.choice.choices': 'Each choice needs a token of its own.',
      'properties.nothing': 'Must be an object. DELETE removes a field.',
      required: 'There is no field "unknown".',
      layouts: 'Must be a list of names of views.',
    };
    const sent = {
      properties: {
        pages: { minimum: 5, maximum: 1 },
        code: { factory: LINE, title: '', maxLength: -1 },
        constructor: { factory: LINE, title: 'X' },
        'a b': { factory: LINE, title: 'X' },
        flag: { factory: 'Yes/No', title: 'Flag', minLength: 1, required: 'perhaps' },
        choice: { factory: 'Choice', title: 'Choice', choices: ['a', 'a'] },
        nothing: null,
      },
      required: ['unknown'],
      layouts: ['../etc'],
    };
    expect(await problems('PATCH', `/@types/${type}`, sent)).toEqual(PROBLEMS);
    expect(await problems('PUT', `/@types/${type}`, sent)).toEqual(PROBLEMS);
    const shapes = { ...sent, fieldsets: 'all', required: 'pages', layouts: 5 };
    const SHAPES = {
      fieldsets: 'Must be a list of objects with id, title and fields.',
      required: 'Must be a list of names of fields.',
      layouts: 'Must be a list of names of views.',
    };
    expect(await problems('PATCH', `/@types/${type}`, shapes)).toEqual({ ...PROBLEMS, ...SHAPES });
    expect(await problems('PUT', `/@types/${type}`, shapes)).toEqual({ ...PROBLEMS, ...SHAPES });
    const field = { factory: 'Integer', title: 5, description: [], required: 'no', minimum: 1.5, id: 'UID' };
    expect(await problems('POST', `/@types/${type}`, field)).toEqual({
      title: 'Must be a text of up to 200 characters, and not be empty.',
      description: 'Must be a text of up to 2000 characters.',
      required: 'Must be true or false.',
      minimum: 'Must be an integer.',
      id: expect.stringContaining('means something else'),
    });
    expect(await problems('PATCH', `/@types/${type}/pages`, { title: null, required: 'no', minLength: 1 })).toEqual({
      title: 'Must be a text of up to 200 characters, and not be empty.',
      required: 'Must be true or false.',
      minLength: 'A field of the kind "Integer" has no minLength.',
    });
    await done(404, 'PATCH', `/@types/${type}/nothing`, { title: 5 });
    await done(404, 'PATCH', '/@types/Nothing', { required: 5 });
    expect(await schema(type)).toEqual(before);
    expect(await version()).toBe(at);
  });

  it.each([
    [{ factory: 'Integer', title: 'A', default: 'many' }, 'default'],
    [{ factory: 'Integer', title: 'A', minimum: 2, default: 1 }, 'default'],
    [{ factory: 'Choice', title: 'A', choices: [['a', 'A']], default: 'b' }, 'default'],
    [{ factory: 'File', title: 'A', default: { data: 'eA==', encoding: 'base64', filename: 'a.txt' } }, 'default'],
    [{ factory: 'Relation List', title: 'A', default: ['/nowhere'] }, 'default'],
    [{ factory: 'Integer', title: 'A', minimum: 1.5 }, 'minimum'],
    [{ factory: 'Integer', title: 'A', maximum: {} }, 'maximum'],
    [{ factory: 'Choice', title: 'A', choices: 5 }, 'choices'],
    [{ factory: 'Choice', title: 'A', vocabulary: 5 }, 'choices'],
    [{ factory: 'Choice', title: 'A', vocabulary: { '@id': 'http://x/@vocabularies/%E0' } }, 'choices'],
    [{ factory: LINE, title: 'A', widget: {} }, 'widget'],
    [{ factory: 'File', title: 'A', widget: 'internal_url' }, 'widget'],
    [{ factory: LINE, title: 'A', widgetOptions: [] }, 'widgetOptions'],
    [{ factory: LINE, title: 'A', index: 5 }, 'index'],
    [{ factory: LINE, title: 'A', column: 'yes' }, 'column'],
    [{ factory: LINE, title: 5 }, 'title'],
    [{ factory: LINE, title: '🎉' }, 'id'],
    [{ factory: LINE, title: 'A', id: '__proto__' }, 'id'],
    [{ factory: LINE, title: 'A', id: 'UID' }, 'id'],
    [{ factory: LINE, title: 'A', id: 'title' }, 'id'],
    [{ factory: LINE, title: 'A', id: 'start' }, 'id'],
    [{ factory: LINE, title: 'A', id: 'file' }, 'id'],
    [{ factory: 'fieldset', title: 'Default' }, 'id'],
    [{ factory: 'fieldset', id: 'title', title: 'A' }, 'id'],
    [{ factory: 'fieldset', id: 'x', title: '' }, 'title'],
  ])('a field described by %j is rejected', async (field: Json, wrong: string) => {
    const type = await newType();
    const before = await schema(type);
    expect(Object.keys(await problems('POST', `/@types/${type}`, field))).toContain(wrong);
    expect(await schema(type)).toEqual(before);
  });

  it('a field that the catalog or the database cannot hold is rejected', async () => {
    const type = await newType();
    const post = (field: Json) => refusal('POST', `/@types/${type}`, { factory: LINE, title: 'Shelf', ...field });
    expect(await post({ index: 'number' })).toContain('needs a number');
    expect(await post({ id: 'Title', index: 'field' })).toContain('There is an index "Title" already');
    expect(await post({ title: 'a\u0000b' })).toContain('NUL');
    expect(await post({ description: '\ud800' })).toContain('Unicode');
  });

  it('settings of a field change one by one, and null removes one', async () => {
    const type = await newType();
    const path = `/@types/${type}/call_number`;
    await addField(type, { factory: LINE, title: 'Call number' });
    await done(204, 'PATCH', path, {
      title: 'Shelf mark',
      minLength: '3',
      maxLength: 20,
      default: 'A-000',
      required: true,
    });
    expect(await read(path)).toMatchObject({ title: 'Shelf mark', minLength: 3, maxLength: 20, default: 'A-000' });
    expect(await problems('PATCH', path, { maxLength: 4 })).toEqual({ default: 'Is longer than 4 characters.' });
    await done(204, 'PATCH', path, { minLength: null, maxLength: '', default: null, required: false, widget: 'token' });
    expect(await read(path)).toEqual({
      title: 'Shelf mark',
      description: '',
      type: 'string',
      factory: LINE,
      widget: 'token',
      behavior: `plone.dexterity.schema.generated.${type}`,
    });
    expect(await problems('PATCH', path, { factory: 'Integer' })).toEqual({
      factory: expect.stringContaining('stays "Text line (String)"'),
    });
    await done(204, 'PATCH', path, {
      factory: 'label_textline_field',
      type: 'object',
      behavior: 'basic',
      title: 'Mark',
    });
    expect(await read(path)).toMatchObject({ title: 'Mark', type: 'string', factory: LINE });
  });

  it('a field can choose from a list or a vocabulary, in every form in which clients send it', async () => {
    const type = await newType();
    const single = `/@types/${type}/colour`;
    const several = `/@types/${type}/colours`;
    await addField(type, {
      factory: 'Choice',
      title: 'Colour',
      choices: [['r', 'Red'], { token: 'g', title: 'Green' }],
    });
    await addField(type, { factory: 'Multiple Choice', title: 'Colours', values: 'red\ngreen\n' });
    expect(await read(single)).toMatchObject({ enum: ['r', 'g'], enumNames: ['Red', 'Green'] });
    expect((await read(several)).items).toMatchObject({
      choices: [
        ['red', 'red'],
        ['green', 'green'],
      ],
    });
    await done(204, 'PATCH', single, { ...(await read(single)), values: ['blue'] });
    expect((await read(single)).choices).toEqual([['blue', 'blue']]);
    await done(204, 'PATCH', single, { vocabulary: { '@id': `${site.url}/@vocabularies/roles` } });
    expect((await read(single)).choices).toBeUndefined();
    expect((await read(single)).vocabulary).toEqual({ '@id': `${site.url}/@vocabularies/roles` });
    const served = await read(single);
    const at = await version();
    await done(204, 'PATCH', single, served);
    expect(await version()).toBe(at);
    await done(204, 'PATCH', several, { items: { vocabulary: { '@id': 'roles' } } });
    expect((await read(several)).items).toEqual({
      ...{ title: '', description: '', factory: 'Choice' },
      type: 'string',
      vocabulary: { '@id': `${site.url}/@vocabularies/roles` },
    });
  });

  it('a default outside of the vocabulary of its field is rejected', async () => {
    const type = await newType();
    const post = { factory: 'Choice', title: 'Role', vocabulary: { '@id': 'roles' } };
    expect(await problems('POST', `/@types/${type}`, { ...post, default: 'Emperor' })).toEqual({
      'role.default': '"Emperor" is not one of the choices.',
    });
    expect((await addField(type, { ...post, default: 'Editor' })).default).toBe('Editor');
  });

  it('a field of a behavior cannot be changed in the type', async () => {
    const type = await newType();
    const COMES = 'The field "title" comes from the behavior "dublin_core"';
    const message = `${COMES} and cannot be changed here.`;
    expect(await problems('PATCH', `/@types/${type}/title`, { title: 'Name' })).toEqual({ '': message });
    expect(await problems('PATCH', `/@types/${type}`, { properties: { title: { title: 'Name' } } })).toEqual({
      'properties.title': message,
    });
    expect(await refusal('DELETE', `/@types/${type}/title`)).toContain(COMES);
    expect(await refusal('DELETE', '/@types/Site/title')).toContain('comes from the behavior "basic"');
    expect((await schema(type)).properties.title.title).toBe('Title');
  });

  it('a field keeps the index and the column that it declares', async () => {
    const type = await newType();
    await addField(type, { factory: 'Integer', title: 'Page count', index: 'number', column: true });
    await done(204, 'PATCH', `/@types/${type}/page_count`, { title: 'Pages' });
    await done(204, 'PUT', `/@types/${type}`, {
      properties: { page_count: { title: 'Number of pages', factory: 'Integer' } },
    });
    await done(201, 'POST', '/', { '@type': type, title: 'A book', page_count: 7 });
    const found = await read('/@search?page_count=7&metadata_fields=page_count');
    expect(found.items).toMatchObject([{ title: 'A book', page_count: 7 }]);
    await done(204, 'PATCH', `/@types/${type}/page_count`, { index: null, column: null });
    expect((await read('/@querystring')).indexes.page_count).toBeUndefined();
  });

  it('only Managers change fields, and nobody else learns whether a type exists', async () => {
    for (const path of ['/@types/Page', '/@types/No-such-type']) {
      for (const method of ['POST', 'PATCH', 'PUT'])
        expect((await ask(method, path, { factory: LINE, title: 'X' }, { as: 'anonymous' })).status).toBe(401);
      expect((await ask('DELETE', `${path}/x`, undefined, { as: 'anonymous' })).status).toBe(401);
    }
    for (const [method, path] of [
      ['POST', '/@types/No-such-type'],
      ['PATCH', '/@types/constructor'],
      ['PATCH', '/@types/Page/nothing'],
      ['DELETE', '/@types/Page/nothing'],
    ] as const)
      await done(404, method, path, { factory: LINE, title: 'X' });
  });

  it('concurrent changes of fields are all kept', async () => {
    const type = await newType();
    const names = Array.from({ length: 8 }, (_, at) => `field_${at}`);
    const answers = await Promise.all(
      names.map((id) => ask('POST', `/@types/${type}`, { factory: LINE, title: id, id })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const { properties, fieldsets } = await schema(type);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(names));
    expect([...fieldsets[0].fields].sort()).toEqual(['description', ...names, 'title']);
    const same = await Promise.all(
      names.map(() => ask('POST', `/@types/${type}`, { factory: LINE, title: 'Only one' })),
    );
    expect(same.map(({ status }) => status).sort()).toEqual([201, ...names.slice(1).map(() => 400)]);
  });
});
