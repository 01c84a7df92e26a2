import { beforeAll, expect, it } from 'vitest';
import { contentOf } from '../history/history-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('fields that translations share', (engine) => {
  const site = useTestSite(engine);
  const { read, addUser, share } = contentOf(() => site);
  const patch = (path: string, json: Json, as: Parameters<typeof site.request>[2] = {}) =>
    site.request('PATCH', path, { json, ...as });
  const add = async (json: Json): Promise<string> => {
    const { status, text, body } = await site.request('POST', '/', { json: { '@type': PAGE, ...json } });
    expect(status, text).toBe(201);
    return new URL(body['@id']).pathname;
  };
  beforeAll(async () => {
    await site.request('PATCH', '/@controlpanels/language', { json: { available_languages: ['en', 'nl', 'de'] } });
    const shared = { multilingual_options: { language_independent: true } };
    for (const [id, factory] of [
      ['price', 'Integer'],
      ['flyer', 'File'],
    ]) {
      const json = { factory, title: id, description: '' };
      expect((await site.request('POST', `/@types/${PAGE}`, { json: { ...json, id } })).status).toBe(201);
    }
    const properties = { price: shared, flyer: shared };
    expect((await patch(`/@types/${PAGE}`, { properties })).status).toBe(204);
  });

  it('a new translation begins with the values of the original', async () => {
    const flyer = { data: Buffer.from('Hello').toString('base64'), encoding: 'base64', filename: 'a.txt' };
    const original = await add({ id: 'tea', title: 'Tea', language: 'en', price: 3, flyer });
    const translation = await add({ id: 'thee', title: 'Thee', language: 'nl', price: 9, translation_of: original });
    expect(await read(translation)).toMatchObject({ title: 'Thee', price: 3, flyer: { filename: 'a.txt', size: 5 } });
    expect((await read(`${translation}/@history`)).length).toBe((await read(`${original}/@history`)).length);
  });

  it('a change of one translation changes all, also by a user who may change only that one', async () => {
    const original = await add({ title: 'Milk', language: 'en', price: 1 });
    const dutch = await add({ title: 'Melk', language: 'nl', translation_of: original });
    const german = await add({ title: 'Milch', language: 'de', translation_of: original });
    const editor = await addUser(['Member']);
    await share(dutch, editor, 'Editor');
    expect((await patch(german, { price: 5 }, { as: editor })).status).toBe(403);
    expect((await patch(dutch, { title: 'Koemelk', price: 2 }, { as: editor })).status).toBe(204);
    expect([(await read(original)).price, (await read(german)).price, (await read(german)).title]).toEqual([
      2,
      2,
      'Milch',
    ]);
    const [latest] = await read(`${german}/@history`);
    expect(latest.actor.id).toBe(editor.id);
    expect((await patch(original, { price: null })).status).toBe(204);
    expect([(await read(dutch)).price, (await read(german)).price]).toEqual([null, null]);
  });

  it('content that is linked takes the values of what it is linked to, and keeps them when it is unlinked', async () => {
    const original = await add({ title: 'Bread', language: 'en', price: 4 });
    const other = await add({ title: 'Brood', language: 'nl', price: 7 });
    expect((await site.request('POST', `${original}/@translations`, { json: { id: other } })).status).toBe(204);
    expect([(await read(original)).price, (await read(other)).price]).toEqual([4, 4]);
    expect((await site.request('DELETE', `${original}/@translations`, { json: { language: 'nl' } })).status).toBe(204);
    expect((await patch(original, { price: 8 })).status).toBe(204);
    expect((await read(other)).price).toBe(4);
  });

  it('concurrent changes of two translations leave the same value in both', async () => {
    const original = await add({ title: 'Salt', language: 'en', price: 1 });
    const other = await add({ title: 'Zout', language: 'nl', translation_of: original });
    const changes = await Promise.all([patch(original, { price: 11 }), patch(other, { price: 12 })]);
    expect(changes.map(({ status }) => status)).toEqual([204, 204]);
    const prices = [(await read(original)).price, (await read(other)).price];
    expect(prices[0]).toBe(prices[1]);
    expect([11, 12]).toContain(prices[0]);
  });
});
