import { expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('what Volto offers to add', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;

  it('The menu has neither folders nor collections nor videos, which are there for imported content.', async () => {
    const types: Json[] = await get('/@types');
    const addable = types.filter((type) => type.addable).map(({ title }) => title);
    expect(addable).toEqual(expect.arrayContaining(['Event', 'File', 'Image', 'Link', 'News Item']));
    for (const title of ['Folder', 'Collection', 'Video', 'Plone Site']) expect(addable).not.toContain(title);
    const { status } = await site.request('POST', '/', { json: { '@type': 'Folder', title: 'Box' } });
    expect(status).toBe(403);
    expect((await site.request('GET', '/@types/Folder')).status).toBe(200);
    // Visitors see nothing of a Video in Volto, and the film of a File in its block for videos.
    const part = 'Content-Disposition: form-data; name="file"; filename="film.mp4"\r\nContent-Type: video/mp4';
    const film = await site.request('POST', '/', {
      body: `--b\r\n${part}\r\n\r\nfilm\r\n--b--\r\n`,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    expect([film.status, film.body['@type']]).toEqual([201, 'File']);
  });

  it('A news item has blocks and no fields that its page does not show, and the languages are those of Plone.', async () => {
    const { properties } = await get('/@types/News%20Item');
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['title', 'description', 'blocks', 'preview_image_link']),
    );
    for (const name of ['text', 'image', 'image_caption']) expect(properties).not.toHaveProperty(name);
    const { data } = await get('/@controlpanels/language');
    expect(data).toMatchObject({ default_language: expect.anything(), use_request_negotiation: false });
    expect(data.available_languages).toEqual(['en']);
    const menu = await site.request('GET', '/@types', { headers: { 'Accept-Language': 'sv' } });
    expect(menu.body.map(({ title }: Json) => title)).toContain('Link');
  });

  it('A type that names them takes them, as in Plone.', async () => {
    const panel = '/@controlpanels/dexterity-types';
    const json = {
      id: 'archive',
      title: 'Archive',
      filter_content_types: 'some',
      allowed_content_types: ['Folder', 'Collection'],
    };
    expect((await site.request('POST', panel, { json })).status).toBe(201);
    const archive = await site.request('POST', '/', { json: { '@type': 'archive', title: 'Old' } });
    const box = await site.request('POST', '/old', { json: { '@type': 'Folder', title: 'Box' } });
    expect([archive.status, box.status]).toEqual([201, 201]);
    expect((await site.request('POST', '/old/box', { json: { '@type': 'Document', title: 'In' } })).status).toBe(201);
  });

  it('A collection lists what the query of Volto finds, in its order and up to its limit.', async () => {
    for (const id of ['b', 'c', 'a'])
      await make(site.kernel, '/', { '@type': 'Document', id, title: id, subjects: ['letters'] });
    const row = { i: 'Subject', o: 'plone.app.querystring.operation.selection.any', v: ['letters'] };
    const query = { query: [row], sort_on: 'sortable_title', sort_order: 'descending', sort_order_boolean: true };
    const collection = await site.request('POST', '/old', {
      json: { '@type': 'Collection', id: 'list', title: 'List', query },
    });
    expect(collection.status, collection.text).toBe(201);
    const ids = async () => (await get('/old/list')).items.map((item: Json) => item['@id'].slice(site.url.length));
    expect(await ids()).toEqual(['/c', '/b', '/a']);
    expect((await get('/old/list')).query).toEqual(query);
    const change = async (json: Json) => expect((await site.request('PATCH', '/old/list', { json })).status).toBe(204);
    await change({ query: { ...query, sort_order: 'ascending', sort_order_boolean: false, limit: '2' } });
    expect(await ids()).toEqual(['/a', '/b']);
    expect((await get('/old/list')).items_total).toBe(2);
    await change({ query: [row], sort_on: 'sortable_title', sort_reversed: true, limit: null });
    expect(await ids()).toEqual(['/c', '/b', '/a']);
    await change({ query: { query: [{ i: 'Subject', o: 'no.such.operation', v: ['letters'] }] } });
    expect(await ids()).toEqual([]);
  });
});
