import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { copyProfile, type ProfileCopy } from './profile-copy.ts';

describeEachEngine('an upgrade that makes a field unique', (engine) => {
  let profile: ProfileCopy;
  beforeAll(async () => {
    profile = await copyProfile();
    await profile.edit('types/Page.json', (type) => {
      type.properties = { isbn: { title: 'ISBN', type: 'string', factory: 'Text line (String)' } };
      type.fieldsets = [{ id: 'default', title: 'Default', fields: ['isbn'] }];
    });
  });
  afterAll(() => profile?.close());
  const site = useTestSite(engine, () => ({ profile: 'village', profiles: profile.profiles }));

  it('is refused while content shares a value, and changes nothing', async () => {
    const add = async (isbn: string): Promise<number> =>
      (await site.request('POST', '/', { json: { '@type': 'Page', title: 'Book', isbn } })).status;
    expect([await add('1'), await add('1')]).toEqual([201, 201]);
    await profile.edit('types/Page.json', (type) => {
      type.properties.isbn.unique = true;
    });
    await profile.release('1001');
    const refused = await site.request('POST', '/@upgrade', { json: {} });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'Page.isbn.unique' })],
    ]);
    expect((await site.request('GET', '/@upgrade')).body.versions.instance).toBe('1000');
    expect(await add('1')).toBe(201);
    const found = (await site.request('GET', '/@search?portal_type=Page&SearchableText=Book')).body.items;
    for (const [i, item] of found.entries()) await site.request('PATCH', item['@id'], { json: { isbn: `new-${i}` } });
    const { status, text } = await site.request('POST', '/@upgrade', { json: {} });
    expect(status, text).toBe(200);
    expect([await add('new-0'), await add('2')]).toEqual([400, 201]);
  });
});
