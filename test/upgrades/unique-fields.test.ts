import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

describeEachEngine('an upgrade that makes a field unique', (engine) => {
  let profile: ProfileCopy;
  beforeAll(async () => {
    profile = await copyProfile();
    await profile.edit('types/Page.json', (type) => {
      type.properties = {
        isbn: { title: 'ISBN', type: 'string', factory: 'Text line (String)' },
        shelf: { title: 'Shelf', type: 'integer', factory: 'Integer' },
      };
      type.fieldsets = [{ id: 'default', title: 'Default', fields: ['isbn', 'shelf'] }];
    });
  });
  afterAll(() => profile?.close());
  const site = useTestSite(engine, () => ({ profile: 'village', profiles: profile.profiles }));

  const add = async (isbn: string, more: Json = {}): Promise<number> =>
    (await site.request('POST', '/', { json: { '@type': 'Page', title: 'Book', isbn, ...more } })).status;
  const upgrade = () => site.request('POST', '/@upgrade', { json: {} });

  it('is refused while content shares a value, and changes nothing', async () => {
    expect([await add('1', { shelf: 7 }), await add('1')]).toEqual([201, 201]);
    expect([await add('1', { shelf: 7 }), await add('')]).toEqual([201, 201]);
    await profile.edit('types/Page.json', (type) => {
      type.properties.isbn.unique = true;
      type.properties.shelf.unique = true;
    });
    await profile.release('1001');
    const refused = await upgrade();
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          field: 'Page.isbn.unique',
          message: 'There is content with the same value: /book, /book-2 (3). Change it first.',
        },
        {
          field: 'Page.shelf.unique',
          message: 'There is content with the same value: /book, /book-2. Change it first.',
        },
      ].map((problem) => expect.objectContaining(problem)),
    ]);
    expect((await site.request('GET', '/@upgrade')).body.versions.instance).toBe('1000');
    expect(await add('1')).toBe(201);
  });

  it('names ten values of a field at most, and says how many more there are', async () => {
    for (let i = 10; i < 21; i++) expect([await add(`${i}`), await add(`${i}`)]).toEqual([201, 201]);
    const [isbn] = (await upgrade()).body.errors;
    expect(isbn.message.split('; ').length).toBe(10);
    expect(isbn.message).toMatch(/\. So it is with 2 more values\. Change it first\.$/);
  });

  it('goes through once all values differ', async () => {
    const found = (await site.request('GET', '/@search?portal_type=Page&SearchableText=Book&b_size=100')).body.items;
    for (const [i, item] of found.entries())
      await site.request('PATCH', item['@id'], { json: { isbn: `new-${i}`, shelf: null } });
    const { status, text } = await upgrade();
    expect(status, text).toBe(200);
    expect([await add('new-0'), await add('2')]).toEqual([400, 201]);
  });
});
