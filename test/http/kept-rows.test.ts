import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChangeFeed } from '../../src/core/cache/change-feed.ts';
import { CHANGE_FEED } from '../../src/core/cache/change-feed.ts';
import { RowCache } from '../../src/core/cache/row-cache.ts';
import { cacheTagsOf, ofAnything } from '../../src/database/cache-tags.ts';
import { make } from '../content/make.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const MEGABYTE = 1024 * 1024;

describeEachEngine('rows that are kept for other requests', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let changes: ChangeFeed;
  let asked = 0;

  beforeAll(async () => {
    site = await startTestSite(engine, {
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    changes = site.kernel.slots.get(CHANGE_FEED);
    await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' }, { state: 'published' });
    await make(site.kernel, '/folder', { id: 'page', title: 'A walrus' }, { state: 'published' });
    await make(site.kernel, '/', { id: 'other' }, { state: 'published' });
  });
  afterAll(() => site?.close());

  /** The SQL statements of a request that nobody has sent before. */
  async function statements(path: string): Promise<string[]> {
    return database.during(async () => {
      asked += 1;
      const query = `${path.includes('?') ? '&' : '?'}expand=asked-${asked}`;
      const { status, text } = await site.request('GET', path + query, { as: 'anonymous' });
      expect(status, text).toBe(200);
    });
  }
  const confirmed = engine === 'pglite' ? [] : ['site-poll'];

  it.each(['/folder/page', '/folder', '/folder?fullobjects=1', '/@search?SearchableText=walrus'])(
    'a new response is made of what was read for another one: %s',
    async (path) => {
      await statements(path);
      // A read right after a write may return the version before it.
      await statements(path);
      expect(await statements(path)).toEqual(confirmed);
    },
  );

  it('a page is read from the database again when it has changed, and not when another one has', async () => {
    await statements('/folder/page');
    await site.request('PATCH', '/other', { json: { title: 'Changed' } });
    await statements('/other');
    expect(await statements('/folder/page')).not.toContain('locate-content');
    await site.request('PATCH', '/folder/page', { json: { title: 'Another walrus' } });
    const { body } = await site.request('GET', '/folder/page?expand=asked-again', { as: 'anonymous' });
    expect(body.title).toBe('Another walrus');
  });

  it('kept rows cannot be changed by who gets them', async () => {
    const kept = new RowCache(changes, MEGABYTE);
    await changes.current();
    const [row] = (
      await kept
        .forRequest()
        .query({ text: 'a', tags: ofAnything }, async () => [{ title: 'One', fields: { list: ['x'] } }])
    ).rows;
    expect(() => Object.assign(row ?? {}, { title: 'Two' })).toThrow(TypeError);
    expect(() => row?.fields.list.push('y')).toThrow(TypeError);
    const again = await kept.forRequest().query({ text: 'a', tags: ofAnything }, async () => []);
    expect(again.rows).toEqual([{ title: 'One', fields: { list: ['x'] } }]);
  });

  it('rows of statements without a tags are read each time, and values are part of what is asked', async () => {
    const kept = new RowCache(changes, MEGABYTE);
    await changes.current();
    let reads = 0;
    const ask = async (statement: Parameters<ReturnType<RowCache['forRequest']>['query']>[0]) =>
      (
        await kept.forRequest().query(statement, async () => {
          reads += 1;
          return [{ reads }];
        })
      ).rows;
    expect([await ask({ text: 'b' }), await ask({ text: 'b' })]).toEqual([[{ reads: 1 }], [{ reads: 2 }]]);
    const one = { text: 'b', values: [1], tags: () => cacheTagsOf([1]) };
    expect([await ask(one), await ask({ ...one, values: [2] }), await ask(one)]).toEqual([
      [{ reads: 3 }],
      [{ reads: 4 }],
      [{ reads: 3 }],
    ]);
  });

  it('rows about single objects are kept for each object, and only those of changed and new ones are read again', async () => {
    const kept = new RowCache(changes, MEGABYTE);
    await changes.current();
    const pages = ['/folder/page', '/other'];
    const [page, other] = await Promise.all(
      pages.map(async (path) => {
        const [row] = await site.kernel.db.query<{ oid: number }>({
          text: 'select oid from content where path = $1',
          values: [path],
        });
        return row?.oid ?? 0;
      }),
    );
    const reads: unknown[] = [];
    const ask = async (oids: readonly (number | undefined)[]) => {
      const tags = () => cacheTagsOf(oids);
      const statement = { text: 'd', values: [oids, 'x'], tags, each: 'content' };
      const found = await kept.forRequest().query(statement, async ({ values: [missing] = [] }) => {
        reads.push(missing);
        // One object has two rows, the others have none.
        return (missing as number[]).includes(other ?? 0)
          ? [
              { content: other, n: 1 },
              { content: other, n: 2 },
            ]
          : [];
      });
      expect(found.tags).toEqual(cacheTagsOf(oids));
      return found.rows.map(({ n }) => n);
    };
    expect([await ask([page, other]), await ask([other, page]), await ask([page])]).toEqual([[1, 2], [1, 2], []]);
    expect(reads).toEqual([[page, other]]);
    await site.request('PATCH', '/other', { json: { title: 'Changed again' } });
    await changes.current();
    expect(await ask([page, other, 0])).toEqual([1, 2]);
    expect(reads).toEqual([
      [page, other],
      [other, 0],
    ]);
  });

  it('columns of a listing are read only for what has changed', async () => {
    const path = '/@search?metadata_fields=_all&sort_on=path';
    const columns = ['block-types-of', 'comment-figures', 'working-copies-among'];
    const loads = async () => (await statements(path)).filter((name) => columns.includes(name));
    await loads();
    await loads();
    await site.request('PATCH', '/other', { json: { title: 'Changed once more' } });
    expect((await loads()).sort()).toEqual(columns);
    await loads();
    expect(await loads()).toEqual([]);
  });

  it('a listing has the columns of a changed object, and keeps those of the others', async () => {
    const listed = async () => {
      asked += 1;
      const path = `/@search?metadata_fields=_all&sort_on=path&expand=asked-${asked}`;
      const { body } = await site.request('GET', path, { as: 'anonymous' });
      return Object.fromEntries(
        body.items.map((item: { getPath: string; block_types: unknown; total_comments: number }) => [
          item.getPath,
          [item.block_types, item.total_comments],
        ]),
      );
    };
    const before = await listed();
    expect(before['/other']).toEqual([{}, 0]);
    const blocks = {
      blocks: { a: { '@type': 'slate' }, b: { '@type': 'slate' } },
      blocks_layout: { items: ['a', 'b'] },
    };
    await site.request('PATCH', '/other', { json: blocks });
    expect(await listed()).toEqual({ ...before, '/other': [{ slate: 2 }, 0] });
  });

  it('rows that take more than an eighth of the memory are not kept, and the memory of all stays bounded', async () => {
    const kept = new RowCache(changes, MEGABYTE);
    await changes.current();
    let reads = 0;
    const ask = async (key: number, length: number) =>
      kept.forRequest().query({ text: 'c', values: [key], tags: ofAnything }, async () => {
        reads += 1;
        return [{ text: 'x'.repeat(length) }];
      });
    await ask(0, MEGABYTE / 4);
    await ask(0, MEGABYTE / 4);
    expect(reads).toBe(2);
    for (let key = 1; key <= 20; key += 1) await ask(key, MEGABYTE / 10);
    await ask(20, MEGABYTE / 10);
    expect(reads).toBe(22);
    await ask(1, MEGABYTE / 10);
    expect(reads).toBe(23);
  });
});
