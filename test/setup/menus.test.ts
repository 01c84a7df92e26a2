import { expect, it } from 'vitest';
import { KINDS, USER_SCHEMA } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { contentOf } from '../history/history-site.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from '../types/types-site.ts';

describeEachEngine('menus, vocabularies and the catalog of a site', (engine) => {
  const site = useTestSite(engine);
  const { ask, done, read, problems, refusal, newType, addField } = typesSite(site);
  const { add, addUser } = contentOf(() => site);
  const offered = async (category: string, options: Json = {}): Promise<string[]> =>
    (await ask('GET', '/@actions', undefined, options)).body[category]?.map(({ id }: Json) => id);

  it('entries of a menu are added, changed, ordered and removed, and offered to whom they are for', async () => {
    const member = { as: await addUser(['Member']) };
    const known = await offered('portal_tabs', { as: 'anonymous' });
    const entry = { id: 'shop', title: 'Shop', url: `$${'{portal_url}'}/shop`, condition: 'authenticated' };
    expect(await done(201, 'POST', '/@actions/portal_tabs', entry)).toEqual(entry);
    await done(201, 'POST', '/@actions/portal_tabs', {
      id: 'map',
      title: 'Map',
      url: '/map',
      permission: 'Manage users',
    });
    expect([await offered('portal_tabs'), await offered('portal_tabs', member)]).toEqual([
      [...known, 'shop', 'map'],
      [...known, 'shop'],
    ]);
    expect(await offered('portal_tabs', { as: 'anonymous' })).toEqual(known);
    await done(204, 'PATCH', '/@actions/portal_tabs', { order: [...known, 'map', 'shop'] });
    await done(204, 'PATCH', '/@actions/portal_tabs/map', { title: 'The map', permission: null });
    expect(await offered('portal_tabs', { as: 'anonymous' })).toEqual([...known, 'map']);
    expect((await read('/@actions/portal_tabs')).slice(known.length)).toEqual([
      { id: 'map', title: 'The map', url: '/map' },
      entry,
    ]);
    await done(204, 'DELETE', '/@actions/portal_tabs/shop');
    await done(404, 'DELETE', '/@actions/portal_tabs/shop');
    await done(201, 'POST', '/@actions/footer', { id: 'imprint', title: 'Imprint', url: 'https://example.org/' });
    expect(await offered('footer')).toEqual(['imprint']);
    await done(404, 'GET', '/@actions/nothing');
    await done(204, 'DELETE', '/@actions/footer/imprint');
    await done(404, 'GET', '/@actions/footer');
    await done(204, 'DELETE', '/@actions/portal_tabs/map');
    expect((await read('/@actions/portal_tabs')).map(({ id }: Json) => id)).toEqual(known);
  });

  it('an entry that cannot be is refused with the setting', async () => {
    const post = (json: Json) => problems('POST', '/@actions/user', { id: 'x', title: 'X', ...json });
    expect(await post({ url: 'javascript:alert(1)' })).toHaveProperty('url');
    expect(await post({ permission: 'Nothing' })).toEqual({ permission: 'There is no such permission.' });
    expect(await post({ condition: 'sunny' })).toEqual({
      condition: expect.stringContaining('Must be one of: anonymous'),
    });
    expect(await post({ id: 'login' })).toEqual({ id: 'The menu has an entry of this id already.' });
    expect(await post({ colour: 'red' })).toHaveProperty('colour');
    expect(await problems('PATCH', '/@actions/user', { order: ['login'] })).toHaveProperty('order');
    expect(await problems('PATCH', '/@actions/user/login', { id: 'other', condition: null })).toHaveProperty('id');
    expect((await read('/@actions/user')).find(({ id }: Json) => id === 'login')).toHaveProperty('condition');
  });

  it('an entry that names what the site no longer has is changed all the same', async () => {
    const old = { id: 'old', title: 'Old', condition: 'of_an_addon', permission: 'Of an add-on' };
    await writeConfiguration(site.kernel.db, [{ kind: KINDS.action, id: 'old', position: 1000, data: [old] }]);
    await done(204, 'PATCH', '/@actions/old/old', { title: 'New' });
    expect(await read('/@actions/old')).toEqual([{ ...old, title: 'New' }]);
    expect(await problems('PATCH', '/@actions/old/old', { condition: 'of_an_addon' })).toHaveProperty('condition');
  });

  it('a vocabulary is made and changed, fields choose from it, and while they do it stays', async () => {
    const items = [
      { token: 'n', title: 'North' },
      { token: 's', title: 'South' },
    ];
    const made = await done(201, 'POST', '/@vocabularies', { id: 'wings', title: 'Wings', items });
    expect(made).toEqual({ '@id': `${site.url}/@vocabularies/wings`, id: 'wings', title: 'Wings', items });
    const type = await newType();
    await addField(type, { factory: 'Choice', title: 'Wing', vocabulary: { '@id': 'wings' } });
    const page = await add('/', { '@type': type, wing: 'n' });
    expect(await problems('PATCH', page, { wing: 'w' })).toHaveProperty('wing');
    await done(204, 'PATCH', '/@vocabularies/wings', { items: [...items, { token: 'w', title: 'West' }] });
    await done(204, 'PATCH', page, { wing: 'w' });
    expect((await read('/@vocabularies/wings')).items.map(({ token }: Json) => token)).toEqual(['n', 's', 'w']);
    expect((await read(page)).wing).toEqual({ token: 'w', title: 'West' });
    expect(await refusal('DELETE', '/@vocabularies/wings')).toBe(
      `The field "${type}.wing" chooses from the vocabulary "wings".`,
    );
    await done(204, 'DELETE', `/@types/${type}/wing`);
    await done(204, 'DELETE', '/@vocabularies/wings');
    await done(404, 'DELETE', '/@vocabularies/wings');
  });

  it('a vocabulary that cannot be is refused with the place', async () => {
    const twice = [
      { token: 'a', title: 'A' },
      { token: 'a', title: 'B' },
    ];
    expect(await problems('POST', '/@vocabularies', { id: 'x', title: 'X', items: twice })).toEqual({
      'items.1.token': 'There are two terms with the token "a".',
    });
    expect(await problems('POST', '/@vocabularies', { id: 'types', title: 'X', items: [] })).toEqual({
      id: 'There is a vocabulary "types" already.',
    });
    expect(await problems('POST', '/@vocabularies', { id: 'x', title: 'X', items: [], colour: 1 })).toHaveProperty(
      'colour',
    );
    expect(await refusal('PATCH', '/@vocabularies/types', { title: 'X' })).toBe(
      'The vocabulary "types" is part of the server and cannot be changed.',
    );
    await done(404, 'PATCH', '/@vocabularies/nothing', { title: 'X' });
    const many = Array.from({ length: 5000 }, (_, n) => ({ token: `t${n}`, title: 'T' }));
    for (const id of ['v1', 'v2', 'v3']) await done(201, 'POST', '/@vocabularies', { id, title: 'V', items: many });
    const terms = (items: Json[]) => ({ id: 'v4', title: 'V', items });
    expect(await problems('POST', '/@vocabularies', terms([...many, { token: 'more', title: 'T' }]))).toHaveProperty(
      'items',
    );
    await done(201, 'POST', '/@vocabularies', terms(many));
    expect(await refusal('POST', '/@vocabularies', { id: 'v5', title: 'V', items: twice.slice(1) })).toContain('20000');
    for (const id of ['v1', 'v2', 'v3', 'v4']) await done(204, 'DELETE', `/@vocabularies/${id}`);
  });

  it('a vocabulary that fields of users choose from stays', async () => {
    await done(201, 'POST', '/@vocabularies', {
      id: 'floors',
      title: 'Floors',
      items: [{ token: '1', title: 'First' }],
    });
    const schema = await read('/@userschema');
    const floor = { title: 'Floor', type: 'string', factory: 'Choice', vocabulary: { '@id': 'floors' } };
    const fieldsets = [{ id: 'default', title: 'Default', fields: [...Object.keys(schema.properties), 'floor'] }];
    const data = { properties: { ...schema.properties, floor }, fieldsets, required: schema.required };
    const row = { kind: KINDS.userSchema, id: USER_SCHEMA, position: 0, data };
    await writeConfiguration(site.kernel.db, [row]);
    expect(await refusal('DELETE', '/@vocabularies/floors')).toBe(
      'The field "user.floor" chooses from the vocabulary "floors".',
    );
  });

  it('indexes and columns of the site are declared at run time, and a job brings the content into them', async () => {
    const type = await newType();
    await addField(type, { factory: 'Text line (String)', title: 'Shelf' });
    await add('/', { '@type': type, shelf: 'north' });
    await add('/', { '@type': type, shelf: 'south' });
    const declared = {
      indexes: [{ name: 'place_of_book', type: 'field', attr: 'shelf', title: 'Shelf' }],
      metadata: [{ name: 'where', attr: 'shelf' }],
    };
    await done(204, 'PATCH', '/@catalog-setup', declared);
    expect(await read('/@catalog-setup')).toEqual(declared);
    const worker = await startWorker(site.kernel);
    const query = `/@search?portal_type=${type}&place_of_book=south&metadata_fields=where`;
    try {
      await expect.poll(async () => (await read(query)).items_total, { timeout: 30_000 }).toBe(1);
    } finally {
      await worker.close();
    }
    expect((await read(query)).items[0].where).toBe('south');
    const refused = (index: Json) =>
      problems('PATCH', '/@catalog-setup', { indexes: [{ name: 'x', type: 'field', ...index }] });
    expect(await refused({ colour: 1 })).toHaveProperty(['indexes.0.colour']);
    expect(await refused({ title: 'a\u0000' })).toHaveProperty(['indexes.0.title']);
    expect(await problems('PATCH', '/@catalog-setup', { columns: [] })).toHaveProperty('columns');
    await done(400, 'PATCH', '/@catalog-setup', { indexes: [{ name: 'path', type: 'field', attr: 'shelf' }] });
    await done(204, 'PATCH', '/@catalog-setup', { indexes: [], metadata: [] });
    expect((await read(query)).items_total).toBe(2);
  });
});
