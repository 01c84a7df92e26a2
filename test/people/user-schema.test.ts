import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { peopleOf } from './people-site.ts';

describeEachEngine('the schema of users', (engine) => {
  const site = useTestSite(engine);
  const { as, addUser, read } = peopleOf(site);
  const change = async (json: Json, options = {}) =>
    (await site.request('PATCH', '/@userschema', { json, ...options })).status;
  const COLOUR = {
    title: 'Colour',
    factory: 'Choice',
    choices: [
      ['r', 'Red'],
      ['g', 'Green'],
    ],
  };

  it('only Managers change the schema of users', async () => {
    const helper = await addUser(['Site Administrator']);
    const json = { properties: { shoe: { title: 'Shoe' } } };
    expect(await change(json, { as: as(helper) })).toBe(403);
    expect(await change(json, { as: 'anonymous' })).toBe(401);
    expect((await read('/@userschema')).properties.shoe).toBeUndefined();
    expect((await site.request('GET', '/@userschema', { as: 'anonymous' })).status).toBe(200);
    expect((await site.request('GET', '/@userschema/other')).status).toBe(400);
  });

  it('values of new user fields are checked by their kinds, served and emptied', async () => {
    expect(
      await change({
        properties: {
          colour: COLOUR,
          size: { title: 'Size', factory: 'Integer' },
          born: { title: 'Born', factory: 'Date' },
        },
        fieldsets: [
          { id: 'default', title: 'Default', fields: ['email', 'fullname'] },
          { id: 'more', title: 'More', fields: ['size', 'colour', 'size'] },
        ],
      }),
    ).toBe(204);
    const schema = await read('/@userschema');
    expect(schema.fieldsets[1].fields).toEqual(['size', 'colour']);
    const names = schema.fieldsets.flatMap(({ fields }: { fields: string[] }) => fields);
    expect(names.sort()).toEqual(Object.keys(schema.properties).sort());
    const user = await addUser([], { colour: 'g', size: 42, born: '2001-02-03' });
    expect(await read(`/@users/${user}`)).toMatchObject({
      colour: { token: 'g', title: 'Green' },
      size: 42,
      born: '2001-02-03',
    });
    const patch = (json: Json) => site.request('PATCH', `/@users/${user}`, { as: as(user), json });
    for (const bad of [{ colour: 'blue' }, { size: 'large' }, { born: 'x' }, { size: { a: 1 } }]) {
      const { status, body } = await patch(bad);
      expect([status, body.error.errors[0].field], JSON.stringify(bad)).toEqual([400, Object.keys(bad)[0]]);
    }
    expect((await patch({ colour: null, unheard: 'of' })).status).toBe(400);
    expect((await patch({ colour: null })).status).toBe(204);
    const after = await read(`/@users/${user}`);
    expect([after.colour, after.size]).toEqual([null, 42]);
    expect((await patch(after)).status).toBe(204);
  });

  it('a required user field is required in registration as well', async () => {
    expect(await change({ properties: { dept: { title: 'Department' } }, required: ['email', 'dept'] })).toBe(204);
    const json = { username: 'deptless', email: 'd@example.org', password: 'Long-enough-77!' };
    expect((await site.request('POST', '/@users', { json })).body.error.errors[0].field).toBe('dept');
    const user = await addUser([], { dept: 'IT' });
    expect((await site.request('PATCH', `/@users/${user}`, { json: { dept: '' } })).status).toBe(400);
    expect((await read('/@userschema/registration')).required).toContain('dept');
    expect(await change({ properties: { dept: null } })).toBe(204);
    expect((await read('/@userschema')).required).toEqual(['email']);
    expect((await read(`/@users/${user}`)).dept).toBeUndefined();
  });

  it.each([
    { properties: { 'Bad Name': { title: 'x' } } },
    { properties: { roles: { title: 'x' } } },
    { properties: { '@id': { title: 'x' } } },
    { properties: { file2: { title: 'x', factory: 'File' } } },
    { properties: { rel: { title: 'x', factory: 'Relation Choice' } } },
    { properties: { proto: { title: 'x', factory: 'constructor' } } },
    { properties: { untitled: { factory: 'Text' } } },
    { properties: { c: { title: 'x', factory: 'Choice', choices: [1] } } },
    { properties: 'x' },
    { properties: Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}`, { title: 'x' }])) },
    { fieldsets: 'x' },
    { fieldsets: [{ id: 'a' }] },
    { required: [7] },
  ])('the schema of users is not changed by %j', async (json) => {
    const before = await read('/@userschema');
    expect(await change(json)).toBe(400);
    expect(await read('/@userschema')).toEqual(before);
  });

  it('name, address and picture stay in the schema of users', async () => {
    expect(await change({ properties: { email: null, fullname: null, portrait: null }, required: [] })).toBe(204);
    const { properties, required } = await read('/@userschema');
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(['fullname', 'email', 'portrait']));
    expect(required).toEqual(['email']);
  });

  it('simultaneous changes of the schema of users lose nothing', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => change({ properties: { [name]: { title: name } } })));
    expect(Object.keys((await read('/@userschema')).properties)).toEqual(expect.arrayContaining(names));
  });
});
