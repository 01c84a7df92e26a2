import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { list, make, pathOf, transition } from './make.ts';

const P = 'plone.app.querystring.operation.';

describeEachEngine('listings', (engine) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite(engine);
    await make(site, '/', { '@type': 'Folder', id: 'f', title: 'Folder' });
    await make(site, '/f', { '@type': PAGE, id: 'one', title: 'One', subjects: ['x', 'y'] });
    await make(site, '/f', { '@type': PAGE, id: 'two', title: 'Two', subjects: ['y'] });
    await make(site, '/f', { '@type': 'Link', id: 'link', title: 'Link', remoteUrl: '/f/one' });
    await transition(site, '/f/two', 'publish');
    await transition(site, '/f', 'publish');
  });
  afterAll(() => site?.close());

  it('a listing combines two conditions on one index', async () => {
    const rows = [
      { i: 'Subject', o: `${P}selection.any`, v: ['y'] },
      { i: 'Subject', o: `${P}selection.none`, v: ['x'] },
    ];
    expect((await list(site, '', rows)).paths).toEqual(['/f/two']);
  });

  it('a listing ignores conditions without a value, and is empty without any other condition', async () => {
    const empty = { i: 'Subject', o: `${P}selection.any`, v: [] };
    expect((await list(site, '', [empty, { i: 'getId', o: `${P}string.is`, v: 'one' }])).paths).toEqual(['/f/one']);
    expect(await list(site, '/f', [empty])).toEqual({ status: 200, paths: [], total: 0 });
  });

  it('a listing with an unknown index alone finds everything, on the root as elsewhere, except the content itself', async () => {
    const rows = [{ i: 'no_such_index', o: `${P}string.is`, v: 'x' }];
    const all = ['/', '/f', '/f/link', '/f/one', '/f/two'];
    expect((await list(site, '', rows)).paths.sort()).toEqual(all);
    expect((await list(site, '/f', rows)).paths.sort()).toEqual(all.filter((path) => path !== '/f'));
  });

  it.each(['absolutePath', 'path'])('a listing with an empty %s finds everything', async (operation) => {
    for (const v of ['', null, '::1000']) {
      const rows = [{ i: 'path', o: `${P}string.${operation}`, v }];
      expect((await list(site, '', rows)).paths).toEqual(expect.arrayContaining(['/f', '/f/one']));
      expect((await list(site, '/f', rows)).paths).toEqual(expect.arrayContaining(['/f/one', '/f/two']));
    }
  });

  it('a listing below an unknown UID is empty', async () => {
    const v = '00000000000000000000000000000000::1';
    expect((await list(site, '', [{ i: 'path', o: `${P}string.absolutePath`, v }])).total).toBe(0);
  });

  it('a listing ends at its limit, whatever the size of the batch', async () => {
    const rows = [{ i: 'path', o: `${P}string.absolutePath`, v: '/f' }];
    const limited = await list(site, '', rows, { limit: '2', b_size: 10_000_000_000 });
    expect(limited).toMatchObject({ total: 2, paths: { length: 2 } });
    expect((await list(site, '', rows, { limit: 3, b_size: 2, b_start: 2 })).paths).toHaveLength(1);
    expect((await list(site, '', rows, { limit: '0' })).total).toBe(4);
  });

  it('the query of a listing can be in the query string, encoded once or twice', async () => {
    const json = encodeURIComponent(JSON.stringify({ query: [{ i: 'getId', o: 'string.is', v: 'one' }] }));
    for (const query of [json, encodeURIComponent(json)]) {
      const { status, body } = await site.request('GET', `/@querystring-search?query=${query}`);
      expect([status, body.items_total]).toEqual([200, 1]);
    }
  });

  it('links in a listing lead to their targets, but not for callers who may not view those', async () => {
    await transition(site, '/f/link', 'publish');
    const rows = [{ i: 'getId', o: 'string.is', v: 'link' }];
    const ask = async (as: 'admin' | 'anonymous') =>
      (await site.request('POST', '/@querystring-search', { json: { query: rows }, as })).body.items[0].getRemoteUrl;
    expect(await ask('admin')).toBe(`${site.url}/f/one`);
    expect(await ask('anonymous')).toBeNull();
  });

  it('relative dates of a listing are in the time zone of the site', async () => {
    const rows = [
      { i: 'created', o: `${P}date.today` },
      { i: 'getId', o: `${P}string.is`, v: 'one' },
    ];
    expect((await list(site, '', rows)).total).toBe(1);
  });

  it.each([
    [{ query: [{ i: 'path', o: `${P}path.isWithin`, v: '/f' }] }],
    [{ query: [{ o: `${P}string.is`, v: 'x' }] }],
    [{ query: ['x'] }],
    [{ query: 'x' }],
    [{ query: [{ i: 'created', o: `${P}date.lessThan`, v: 'soon' }] }],
    [{ query: [{ i: 'created', o: `${P}date.lessThanRelativeDate`, v: '1e9' }] }],
    [{ query: [{ i: 'getId', o: `${P}string.is`, v: { a: 1 } }] }],
    [{ query: [{ i: 'path', o: `${P}string.absolutePath`, v: '/f::x' }] }],
    [{ query: [{ i: 'getId', o: `${P}string.is`, v: 'x' }], limit: 'many' }],
    [{ query: [{ i: 'getId', o: `${P}selection.any`, v: Array(6000).fill('x') }] }],
  ])('the listing %j is rejected with 400', async (body) => {
    const { status, body: answer } = await site.request('POST', '/@querystring-search', { json: body });
    expect(status).toBe(400);
    expect(answer.message).toEqual(expect.any(String));
  });

  it('a collection shows the results of its stored query, in its order, in batches', async () => {
    const path = await make(site, '/f', {
      '@type': 'Collection',
      title: 'Pages',
      query: [
        { i: 'portal_type', o: `${P}selection.any`, v: [PAGE] },
        { i: 'path', o: `${P}string.relativePath`, v: '..' },
      ],
      sort_on: 'sortable_title',
      sort_reversed: true,
    });
    const { body } = await site.request('GET', `${path}?b_size=1`);
    expect(body.items.map((item: { '@id': string }) => pathOf(site, item['@id']))).toEqual(['/f/two']);
    expect(body.items_total).toBe(2);
    expect((await site.request('GET', body.batching.next)).body.items[0].title).toBe('One');
    expect((await site.request('GET', `${path}?include_items=false`)).body).not.toHaveProperty('items');
    await transition(site, path, 'publish');
    expect((await site.request('GET', path, { as: 'anonymous' })).body.items_total).toBe(1);
  });

  it('a collection with an invalid query can still be read', async () => {
    const path = await make(site, '/', {
      '@type': 'Collection',
      title: 'Broken',
      query: [{ i: 'path', o: 'no.such' }],
    });
    expect((await site.request('GET', path)).body).toMatchObject({ title: 'Broken', items: [], items_total: 0 });
  });

  it('the editor of queries offers the tags that the caller can see', async () => {
    const tags = async (as: 'admin' | 'anonymous') =>
      Object.keys((await site.request('GET', '/@querystring', { as })).body.indexes.Subject.values);
    expect(await tags('admin')).toEqual(['x', 'y']);
    expect(await tags('anonymous')).toEqual(['y']);
    // Expired content is neither listed nor counted for tags.
    const past = await make(site, '/f', { '@type': PAGE, title: 'Past', subjects: ['z'], expires: '2001-01-01' });
    await transition(site, past, 'publish');
    expect(await tags('admin')).toEqual(['x', 'y', 'z']);
    expect(await tags('anonymous')).toEqual(['y']);
  });
});
