import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const LINE = 'Text line (String)';

const CONTACTS = {
  factory: 'Object List',
  title: 'Contacts',
  schema: {
    properties: {
      name: { factory: LINE, title: 'Name', maxLength: 20, required: true },
      phone: { factory: LINE, title: 'Phone', pattern: '^[0-9 +]+$' },
      kind: {
        factory: 'Choice',
        title: 'Kind',
        choices: [
          ['home', 'At home'],
          ['work', 'At work'],
        ],
        default: 'home',
      },
      since: { factory: 'Date', title: 'Since' },
      site: { factory: 'Relation Choice', title: 'Page' },
      notes: { factory: 'Rich Text', title: 'Notes' },
    },
  },
};

const ADDRESS = {
  factory: 'Object',
  title: 'Address',
  schema: {
    properties: {
      street: { factory: LINE, title: 'Street' },
      place: {
        factory: 'Object',
        title: 'Place',
        schema: { properties: { town: { factory: LINE, title: 'Town', required: true } } },
      },
    },
    fieldsets: [{ id: 'default', title: 'Default', fields: ['place'] }],
  },
};

describeEachEngine('groups of fields', (engine) => {
  const site = useTestSite(engine);
  const { ask, done, read, problems, schema, newType, addField, create } = typesSite(site);
  const groupType = async (): Promise<string> => {
    const type = await newType();
    await addField(type, CONTACTS);
    await addField(type, ADDRESS);
    return type;
  };

  it('are described for forms and as JSON Schema, and can be sent back as they are served', async () => {
    const type = await groupType();
    const { properties } = await schema(type);
    expect(properties.contacts).toMatchObject({
      type: 'array',
      factory: 'Object List',
      widget: 'object_list',
      schema: {
        title: 'Contacts',
        fieldsets: [{ id: 'default', fields: ['name', 'phone', 'kind', 'since', 'site', 'notes'] }],
        required: ['name'],
        properties: { name: { maxLength: 20 }, kind: { enum: ['home', 'work'], default: 'home' } },
      },
      items: { type: 'object', required: ['name'], properties: { phone: { pattern: '^[0-9 +]+$', type: 'string' } } },
    });
    expect(properties.address).toMatchObject({
      type: 'object',
      widget: 'object',
      properties: { place: { type: 'object', properties: { town: { title: 'Town' } } } },
      schema: { fieldsets: [{ fields: ['place', 'street'] }] },
    });
    expect(JSON.stringify(properties)).not.toContain('$ref');
    await done(204, 'PATCH', `/@types/${type}`, {
      properties: { contacts: properties.contacts, address: properties.address },
    });
    expect((await schema(type)).properties).toEqual(properties);
    await done(204, 'PATCH', `/@types/${type}/contacts`, { title: 'People' });
    expect((await schema(type)).properties.contacts.schema.required).toEqual(['name']);
  });

  it('are stored, served, changed and searched with the kinds of their fields', async () => {
    const type = await groupType();
    const target = await create('Page', { title: 'Office' });
    const path = await create(type, {
      contacts: [
        { '@id': 'row-1', name: ' Ada ', phone: '+44 1', since: '1999-05-01', site: target },
        {
          name: 'Grace',
          kind: 'work',
          notes: { data: '<p>Zeppelin</p><script>x</script>', 'content-type': 'text/html' },
        },
      ],
      address: { street: 'Quayside', place: { town: 'Wellington' } },
    });
    const { contacts, address } = await read(path);
    expect(contacts).toMatchObject([
      { '@id': 'row-1', name: 'Ada', phone: '+44 1', kind: { token: 'home', title: 'At home' }, since: '1999-05-01' },
      { name: 'Grace', phone: null, kind: { token: 'work', title: 'At work' }, site: null },
    ]);
    expect(contacts[0].site).toMatchObject({ '@id': target, title: 'Office' });
    expect(contacts[1].notes.data).toBe('<p>Zeppelin</p>');
    expect(address).toEqual({ street: 'Quayside', place: { town: 'Wellington' } });
    for (const word of ['zeppelin', 'wellington', 'grace'])
      expect((await ask('GET', `/@search?SearchableText=${word}`)).body.items_total).toBe(1);
    await done(204, 'PATCH', path, { contacts: [...contacts].reverse(), address });
    const after = await read(path);
    expect(after.contacts.map(({ name }: Json) => name)).toEqual(['Grace', 'Ada']);
    expect(after.contacts[1].site['@id']).toBe(target);
    await done(204, 'PATCH', path, { contacts: null, address: null });
    expect(await read(path)).toMatchObject({ contacts: [], address: null });
    expect((await ask('GET', '/@search?SearchableText=zeppelin')).body.items_total).toBe(0);
  });

  it('link to what their relations lead to, for link integrity and after a move', async () => {
    const type = await groupType();
    const target = await create('Page', { title: 'Target' });
    const path = await create(type, { contacts: [{ name: 'Ada', site: target }] });
    const { UID } = await read(target);
    const [{ breaches }] = (await ask('GET', `/@linkintegrity?uids=${UID}`)).body;
    expect(breaches.map((breach: Json) => breach['@id'])).toEqual([path]);
    await done(204, 'PATCH', target, { id: `moved-${UID.slice(0, 6)}` });
    expect((await read(path)).contacts[0].site['@id']).toContain('moved-');
  });

  it('name each value that does not fit by its place, and change nothing', async () => {
    const type = await groupType();
    const post = (values: Json) => problems('POST', '/', { '@type': type, title: 'Thing', ...values });
    expect(
      await post({
        contacts: [
          { name: 'x'.repeat(21), phone: 'none' },
          { phone: '1', colour: 'red', since: 'never', kind: 'away' },
          'text',
        ],
        address: { street: 5, place: {} },
      }),
    ).toEqual({
      'contacts.0.name': 'Is longer than 20 characters.',
      'contacts.0.phone': 'Does not fit the pattern ^[0-9 +]+$.',
      'contacts.1.colour': 'Is no field of this group.',
      'contacts.1.name': 'Required input is missing.',
      'contacts.1.since': 'Is not a date, such as 2026-05-01.',
      'contacts.1.kind': '"away" is not one of the choices.',
      'contacts.2': 'Must be an object with the fields of the group.',
      'address.street': 'Must be a string.',
      'address.place.town': 'Required input is missing.',
    });
    expect(await post({ contacts: { name: 'Ada' } })).toHaveProperty('contacts');
    expect(await post({ contacts: Array.from({ length: 1001 }, () => ({ name: 'A' })) })).toEqual({
      contacts: 'Has more than 1000 items.',
    });
    expect(await post({ contacts: [{ name: 'A', '@id': 5 }] })).toHaveProperty(['contacts.0.@id']);
    await done(204, 'PATCH', `/@types/${type}/contacts`, { maxItems: 1, required: true });
    expect(await post({ contacts: [{ name: 'A' }, { name: 'B' }] })).toEqual({ contacts: 'Has more than 1 items.' });
    expect(await post({})).toEqual({ contacts: 'Required input is missing.' });
  });

  it('have defaults, of the whole and of single fields', async () => {
    const type = await newType();
    await addField(type, { ...CONTACTS, default: [{ name: 'Reception', phone: '1' }] });
    const path = await create(type);
    expect((await read(path)).contacts).toMatchObject([{ name: 'Reception', kind: { token: 'home' } }]);
    expect(await problems('PATCH', `/@types/${type}/contacts`, { default: [{ phone: '1' }] })).toHaveProperty(
      'default',
    );
  });

  it('cannot have what they cannot hold: files, settings of whole fields, too many levels', async () => {
    const type = await newType();
    let number = 0;
    const group = (properties: Json) => ({ factory: 'Object', title: `Group ${++number}`, schema: { properties } });
    const refused = (field: Json) => problems('POST', `/@types/${type}`, field);
    expect(await refused(group({ photo: { factory: 'Image', title: 'Photo' } }))).toEqual({
      'schema.properties.photo': 'Files cannot be inside of a group of fields: add them as content and relate to them.',
    });
    expect(await refused(group({ code: { factory: LINE, title: 'Code', unique: true } }))).toEqual({
      'schema.properties.code': '"unique" cannot be set inside of a group: set it on the group.',
    });
    expect(await refused(group({ code: { factory: LINE, title: 'Code', colour: 'red', pattern: '(' } }))).toEqual({
      'schema.properties.code.colour': 'Is no key that Canopy knows.',
      'schema.properties.code.pattern':
        'Must be a regular expression of up to 500 characters, without look-around and back-references.',
    });
    const line = { factory: LINE, title: 'Line' };
    const third = group({ line });
    expect(await refused(group({ a: group({ b: group({ c: third }) }) }))).toEqual({
      'schema.properties.a.schema.properties.b.schema.properties.c.schema': 'Groups can be 3 deep at most.',
    });
    await done(201, 'POST', `/@types/${type}`, group({ a: group({ b: third }) }));
    expect(await refused(group({}))).toHaveProperty(['schema.properties']);
    expect(await refused({ factory: 'Object', title: 'Empty' })).toHaveProperty('schema');
    expect(await refused({ ...line, schema: { properties: {} } })).toEqual({ schema: 'Is no key that Canopy knows.' });
    expect(await refused(group({ 'a b': line }))).toHaveProperty(['schema.properties.a b']);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, line]));
    expect(await refused(group(many))).toEqual({ 'schema.properties': 'A group has at most 50 fields.' });
  });

  it('keep versions and copies, and are found and replaced in', async () => {
    const type = await newType({ versioning: true });
    await addField(type, CONTACTS);
    const path = await create(type, { contacts: [{ name: 'Harbour master' }] });
    await done(204, 'PATCH', path, { contacts: [{ name: 'Harbour pilot' }] });
    expect((await read(`${path}/@history/0`)).contacts[0].name).toBe('Harbour master');
    const replaced = await ask('POST', '/@replace', { pattern: 'Harbour', replacement: 'Port' });
    expect(replaced.status, replaced.text).toBeLessThan(300);
    expect((await read(path)).contacts[0].name).toBe('Port pilot');
    const exported = (await ask('GET', `${path}/@export`)).body;
    expect(JSON.stringify(exported)).toContain('Port pilot');
  });
});
