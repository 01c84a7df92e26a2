import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = { data: PNG, encoding: 'base64', filename: 'dot.png', 'content-type': 'image/png' };

for (const profile of ['plone', 'default']) {
  const page = profile === 'plone' ? 'Document' : 'Page';
  describeEachEngine(`content that links to its picture, profile ${profile}`, (engine) => {
    let site: TestSite;
    let database: CountingDatabase;
    let reader: Who;

    beforeAll(async () => {
      site = await startTestSite(engine, {
        profile,
        environment: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' },
        wrap: (db) => {
          database = new CountingDatabase(db);
          return database;
        },
      });
      reader = await addPerson(site, { id: 'reader' });
      await post('/', { '@type': page, id: 'pictures', title: 'Pictures' });
      await post('/pictures', { '@type': 'Image', id: 'dot.png', title: 'Dot', image: picture });
      await post('/', { '@type': page, id: 'news', title: 'News' });
      for (const id of ['one', 'two', 'three'])
        await post('/news', { '@type': page, id, title: id, preview_image_link: '/pictures/dot.png' });
      await post('/news', { '@type': page, id: 'bare', title: 'Bare' });
      await post('/', {
        '@type': page,
        id: 'front',
        title: 'Front',
        blocks: { a: { '@type': 'teaser', href: [{ '@id': '/news/one' }], overwrite: false } },
        blocks_layout: { items: ['a'] },
      });
      for (const path of ['/news', '/news/one', '/news/two', '/news/three', '/news/bare', '/front'])
        await publish(path);
    });
    afterAll(() => site?.close());

    const get = async (path: string, as: Who = 'admin'): Promise<Json> => {
      const { status, body, text } = await site.request('GET', path, { as });
      expect(status, text).toBe(200);
      return body;
    };
    async function post(container: string, json: Json): Promise<Json> {
      const { status, body, text } = await site.request('POST', container, { json });
      expect(status, text).toBe(201);
      return body;
    }
    async function publish(path: string): Promise<void> {
      const { status, text } = await site.request('POST', `${path}/@workflow/publish`, { json: {} });
      expect(status, text).toBe(200);
    }
    const DOT = {
      image_field: 'preview_image_link',
      image_scales: {
        preview_image_link: [
          {
            filename: 'dot.png',
            'content-type': 'image/png',
            width: 1,
            height: 1,
            base_path: '/pictures/dot.png',
            download: expect.stringMatching(/^@@images\/image-1-[\w-]+\.png$/),
          },
        ],
      },
    };
    const NONE = { image_field: '', image_scales: null };

    it('Search results have the picture, and its address is one that serves it.', async () => {
      const { items } = await get(`/news/@search?portal_type=${page}`);
      const one = items.find((item: Json) => item['@id'].endsWith('/news/one'));
      expect(one).toMatchObject(DOT);
      const [{ base_path: path, download }] = one.image_scales.preview_image_link;
      const { status, headers } = await site.request('GET', `${path}/${download}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(items.find((item: Json) => item['@id'].endsWith('/news/bare'))).toMatchObject(NONE);
    });

    it('Listings, items with columns, relations, teasers and the catalog have the picture.', async () => {
      const query = [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: '/news/one' }];
      const { body } = await site.request('POST', '/@querystring-search', { json: { query } });
      expect(body.items[0]).toMatchObject(DOT);
      const { items } = await get('/news?metadata_fields=image_field&metadata_fields=image_scales');
      expect(items.find(({ id }: Json) => id === 'two')).toMatchObject(DOT);
      expect((await get('/front')).blocks.a.href[0]).toMatchObject(DOT);
      expect(await get('/news/one/@catalog')).toMatchObject(DOT);
      await post('/', { '@type': page, id: 'related', title: 'Related', relatedItems: ['/news/one'] });
      expect((await get('/related')).relatedItems[0]).toMatchObject(DOT);
    });

    it('Who may not view the picture does not learn of it.', async () => {
      const { items } = await get(`/news/@search?portal_type=${page}`, reader);
      expect(items.find((item: Json) => item['@id'].endsWith('/news/one'))).toMatchObject(NONE);
      expect(JSON.stringify(items)).not.toContain('dot.png');
      expect((await get('/front', reader)).blocks.a.href[0]).toMatchObject(NONE);
      expect((await get('/news/one', reader)).preview_image_link).toBeNull();
    });

    it('Pictures cost one statement, however many results there are.', async () => {
      const statements = (path: string) => database.during(() => get(path));
      const [three, one] = [
        await statements(`/news/@search?portal_type=${page}`),
        await statements('/news/@search?id=one'),
      ];
      expect(three).toEqual(one);
      expect(one.filter((name) => name === 'find-targets')).toHaveLength(1);
      expect((await statements('/front')).filter((name) => name === 'find-targets')).toHaveLength(1);
    });

    it('A picture of its own comes behind one that is linked, and a broken link leaves it.', async () => {
      const panel = '/@controlpanels/dexterity-types/News Item';
      expect((await site.request('PATCH', panel, { json: { 'plone.leadimage': true } })).status).toBe(204);
      await post('/', {
        '@type': 'News Item',
        id: 'item',
        title: 'Item',
        image: picture,
        preview_image_link: '/pictures/dot.png',
      });
      const found = async () => (await get('/@search?id=item')).items[0];
      expect(await found()).toMatchObject({
        image_field: 'preview_image_link',
        image_scales: { image: [{ width: 1 }] },
      });
      await post('/pictures', { '@type': page, id: 'no-picture', title: 'None' });
      const link = { preview_image_link: '/pictures/no-picture' };
      expect((await site.request('PATCH', '/item', { json: link })).status).toBe(204);
      expect(await found()).toMatchObject({ image_field: 'image', image_scales: { image: [{ width: 1 }] } });
      expect((await found()).image_scales).not.toHaveProperty('preview_image_link');
    });

    it('The form chooses the picture in the browser of content.', async () => {
      const { properties } = await get(`/@types/${page}`);
      expect(properties.preview_image_link.widgetOptions.frontendOptions).toEqual({
        widget: 'object_browser',
        widgetProps: { mode: 'image', return: 'single', selectableTypes: ['Image'] },
      });
      expect(Object.hasOwn(properties, 'preview_image')).toBe(profile === 'default');
      const { body } = await site.request('POST', `/@types/${page}`, {
        json: { factory: 'Relation Choice', title: `Other ${profile}` },
      });
      expect(body.widgetOptions.frontendOptions.widget).toBe('object_browser');
    });
  });
}
