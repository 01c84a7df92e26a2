import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { make } from './make.ts';
import { addPerson } from './people.ts';

describeEachEngine('the order of children', (engine) => {
  let site: TestSite;
  let folders = 0;

  /** A folder with one child for each letter. */
  async function folder(letters: string): Promise<string> {
    folders += 1;
    const path = await make(site.kernel, '/', { '@type': 'Folder', id: `folder-${folders}` });
    for (const id of letters) await make(site.kernel, path, { id });
    return path;
  }
  const orderOf = async (path: string): Promise<string> =>
    (await site.request('GET', `${path}?b_size=1000`)).body.items.map(({ id }: Json) => id).join('');
  const move = (path: string, obj_id: unknown, delta: unknown, subset_ids?: unknown): Promise<Exchange> =>
    site.request('PATCH', path, {
      json: { ordering: { obj_id, delta, ...(subset_ids === undefined ? {} : { subset_ids }) } },
    });

  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  it.each([
    ['c', 'top', 'cabde'],
    ['c', 'bottom', 'abdec'],
    ['c', 1, 'abdce'],
    ['c', -1, 'acbde'],
    ['c', 2, 'abdec'],
    ['c', -2, 'cabde'],
    ['c', '1', 'abdce'],
    ['c', '-1', 'acbde'],
    ['c', 0, 'abcde'],
    ['c', 100, 'abdec'],
    ['c', -100, 'cabde'],
    ['a', 'top', 'abcde'],
    ['e', 'bottom', 'abcde'],
    ['a', -1, 'abcde'],
    ['e', 1, 'abcde'],
  ])('moving a child (%s by %j) gives the expected order', async (id, delta, expected) => {
    const path = await folder('abcde');
    const { status, text } = await move(path, id, delta);
    expect([status, text, await orderOf(path)]).toEqual([204, '', expected]);
  });

  it('a child moves among the siblings that the client shows', async () => {
    const path = await folder('abcdef');
    expect((await move(path, 'a', 1, ['a', 'c', 'e'])).status).toBe(204);
    expect(await orderOf(path)).toBe('bcadef');
    expect((await move(path, 'e', -1, ['b', 'c', 'e'])).status).toBe(204);
    expect(await orderOf(path)).toBe('becadf');
  });

  it.each([
    [{}],
    ['a'],
    [{ obj_id: 'a' }],
    [{ delta: 1 }],
    [{ obj_id: 'nobody', delta: 1 }],
    [{ obj_id: '', delta: 1 }],
    [{ obj_id: 7, delta: 1 }],
    [{ obj_id: 'a', delta: 'up' }],
    [{ obj_id: 'a', delta: 1.5 }],
    [{ obj_id: 'a', delta: null }],
    [{ obj_id: 'a', delta: 1e300 }],
    [{ obj_id: 'a', delta: 1, subset_ids: 'a' }],
    [{ obj_id: 'a', delta: 1, subset_ids: [7] }],
    [{ obj_id: 'a', delta: 1, subset_ids: ['b', 'a'] }],
    [{ obj_id: 'a', delta: 1, subset_ids: ['a', 'nobody'] }],
    [{ obj_id: 'a', delta: 1, subset_ids: ['b', 'c'] }],
  ])('the ordering %j is rejected, and the order stays', async (ordering) => {
    const path = await folder('abc');
    const { status, body } = await site.request('PATCH', path, { json: { ordering } });
    expect([status, body.message.length > 0, await orderOf(path)]).toEqual([400, true, 'abc']);
  });

  it('ordering is rejected for content that is no container', async () => {
    const link = await make(site.kernel, await folder(''), { '@type': 'Link', id: 'link', remoteUrl: 'https://e.com' });
    expect((await move(link, 'a', 1)).status).toBe(400);
  });

  it('reordering does not change the modification date', async () => {
    const path = await folder('ab');
    const { modified } = (await site.request('GET', path)).body;
    await move(path, 'b', 'top');
    expect((await site.request('GET', path)).body.modified).toBe(modified);
  });

  it('a hundred moves into the same gap do not use it up', async () => {
    const path = await folder('abc');
    for (let i = 0; i < 60; i += 1) await move(path, i % 2 ? 'c' : 'a', i % 2 ? -1 : 1);
    expect((await orderOf(path)).split('').sort().join('')).toBe('abc');
    await move(path, 'c', 'top');
    await move(path, 'a', 'bottom');
    expect(await orderOf(path)).toBe('cba');
  });

  it('five clients that reorder at once keep every child exactly once', async () => {
    const path = await folder('abcdefgh');
    const deltas = ['top', 'bottom', 1, -1, 3, -3];
    const client = async (seed: number) => {
      for (let i = 0; i < 8; i += 1) {
        const { status } = await move(
          path,
          'abcdefgh'.charAt((seed * 3 + i * 5) % 8),
          deltas[(seed + i) % deltas.length],
        );
        expect(status).toBe(204);
      }
    };
    await Promise.all([0, 1, 2, 3, 4].map(client));
    const order = await orderOf(path);
    expect(order.split('').sort().join('')).toBe('abcdefgh');
    expect(await orderOf(path)).toBe(order);
  });

  describe('sorting once', () => {
    it.each([
      ['id', 'ascending', 'abc'],
      ['id', 'descending', 'cba'],
      ['id', 'reverse', 'cba'],
      ['sortable_title', 'ascending', 'cab'],
      ['effective', 'ascending', 'bca'],
      ['created', 'descending', 'acb'],
      ['portal_type', 'ascending', 'bca'],
      ['getObjPositionInParent', 'ascending', 'bca'],
      ['getObjPositionInParent', 'descending', 'acb'],
    ])('sorting by %s puts the children in the order %s', async (on, order, expected) => {
      const path = await folder('');
      await make(site.kernel, path, { id: 'b', title: 'Part 10' });
      await make(site.kernel, path, { id: 'c', title: 'Part 1', effective: '2026-01-01' });
      await make(site.kernel, path, { id: 'a', title: 'part 9', effective: '2026-05-01' });
      expect((await site.request('PATCH', path, { json: { sort: { on, order } } })).status).toBe(204);
      expect(await orderOf(path)).toBe(expected);
    });

    it.each([[{}], [{ on: 'nothing' }], [{ on: 'constructor' }], [{ on: 'id', order: 'up' }], ['id'], [{ on: 7 }]])(
      'the sorting %j is rejected',
      async (sort) => {
        const path = await folder('ba');
        expect((await site.request('PATCH', path, { json: { sort } })).status).toBe(400);
        expect(await orderOf(path)).toBe('ba');
      },
    );
  });
});

describeEachEngine('removing content', (engine) => {
  let site: TestSite;
  const count = async (table: string) =>
    (await site.kernel.db.query<{ n: number }>({ text: `select count(*)::int as n from ${table}` }))[0]?.n;
  const TABLES = ['content', 'catalog', 'reference', 'redirect', 'workflow_history'];

  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  it('removing content removes everything below it, and leaves its neighbours and no trace of itself', async () => {
    await make(site.kernel, '/', { id: 'stays' });
    await make(site.kernel, '/', { id: 'news-archive' });
    const before = await Promise.all(TABLES.map(count));
    const path = await make(site.kernel, '/', { '@type': 'Folder', id: 'news' });
    await make(site.kernel, path, { id: 'item', relatedItems: ['/stays'] });
    await make(site.kernel, `${path}/item`, { id: 'deep' }, { state: 'published' });
    await site.request('PATCH', `${path}/item`, { json: { id: 'renamed' } });
    const { status, text } = await site.request('DELETE', path);
    expect([status, text]).toEqual([204, '']);
    for (const gone of ['', '/item', '/renamed', '/renamed/deep'])
      expect((await site.request('GET', path + gone)).status).toBe(404);
    for (const stays of ['/stays', '/news-archive']) expect((await site.request('GET', stays)).status).toBe(200);
    expect(await Promise.all(TABLES.map(count))).toEqual(before);
  });

  it('removing is 404 for missing content and 405 for the root, and works once', async () => {
    expect((await site.request('DELETE', '/nothing')).status).toBe(404);
    expect((await site.request('DELETE', '/')).status).toBe(405);
    const path = await make(site.kernel, '/', { id: 'once' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => site.request('DELETE', path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  });

  it('locked content is removed only with the token of the lock', async () => {
    const path = await make(site.kernel, '/', { id: 'locked' });
    const editor = await addPerson(site, { id: 'ed', roles: ['Member', 'Editor'] });
    const { token } = (await site.request('POST', `${path}/@lock`, { as: editor })).body;
    expect((await site.request('DELETE', path)).status).toBe(403);
    expect((await site.request('DELETE', path, { as: editor })).status).toBe(403);
    expect((await site.request('DELETE', path, { headers: { 'Lock-Token': 'wrong' } })).status).toBe(403);
    expect((await site.request('DELETE', path, { as: editor, headers: { 'Lock-Token': token } })).status).toBe(204);
  });

  it('content added during a removal is removed or rejected', async () => {
    const path = await make(site.kernel, '/', { id: 'busy' });
    const adds = [1, 2, 3, 4, 5].map(() => site.request('POST', path, { json: { '@type': 'Page', title: 'New' } }));
    const [removed, ...added] = await Promise.all([site.request('DELETE', path), ...adds]);
    expect(removed.status).toBe(204);
    for (const { status } of added) expect([201, 404]).toContain(status);
    expect(await site.kernel.db.query({ text: "select path from content where starts_with(path, '/busy')" })).toEqual(
      [],
    );
  });

  it('references to removed content are no longer served, and its id is free', async () => {
    await make(site.kernel, '/', { id: 'target' });
    await make(site.kernel, '/', { id: 'source', relatedItems: ['/target'], preview_image_link: '/target' });
    await site.request('DELETE', '/target');
    const again = await site.request('POST', '/', { json: { '@type': 'Page', title: 'Again', id: 'target' } });
    expect(again.status).toBe(201);
    expect((await site.request('GET', '/source')).body).toMatchObject({ relatedItems: [], preview_image_link: null });
  });
});
