import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChangeWatch } from '../../src/core/cache/change-watch.ts';
import { CHANGE_WATCH } from '../../src/core/cache/change-watch.ts';
import { KeptRows } from '../../src/core/cache/kept-rows.ts';
import { footprintOf, ofAnything } from '../../src/database/footprint.ts';
import { make } from '../content/make.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const MEGABYTE = 1024 * 1024;

describeEachEngine('rows that are kept for other requests', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let changes: ChangeWatch;
  let asked = 0;

  beforeAll(async () => {
    site = await startTestSite(engine, {
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    changes = site.kernel.slots.get(CHANGE_WATCH);
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
  const confirmed = engine === 'pglite' ? [] : ['site-moment'];

  it.each(['/folder/page', '/folder', '/folder?fullobjects=1', '/@search?SearchableText=walrus'])(
    'a new response is made of what was read for another one: %s',
    async (path) => {
      await statements(path);
      // What was read right after a write may be of the generation before it.
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
    const kept = new KeptRows(changes, MEGABYTE);
    await changes.current();
    const [row] = (
      await kept
        .forRequest()
        .query({ text: 'a', footprint: ofAnything }, async () => [{ title: 'One', fields: { list: ['x'] } }])
    ).rows;
    expect(() => Object.assign(row ?? {}, { title: 'Two' })).toThrow(TypeError);
    expect(() => row?.fields.list.push('y')).toThrow(TypeError);
    const again = await kept.forRequest().query({ text: 'a', footprint: ofAnything }, async () => []);
    expect(again.rows).toEqual([{ title: 'One', fields: { list: ['x'] } }]);
  });

  it('rows of statements without a footprint are read each time, and values are part of what is asked', async () => {
    const kept = new KeptRows(changes, MEGABYTE);
    await changes.current();
    let reads = 0;
    const ask = async (statement: Parameters<ReturnType<KeptRows['forRequest']>['query']>[0]) =>
      (
        await kept.forRequest().query(statement, async () => {
          reads += 1;
          return [{ reads }];
        })
      ).rows;
    expect([await ask({ text: 'b' }), await ask({ text: 'b' })]).toEqual([[{ reads: 1 }], [{ reads: 2 }]]);
    const one = { text: 'b', values: [1], footprint: () => footprintOf([1]) };
    expect([await ask(one), await ask({ ...one, values: [2] }), await ask(one)]).toEqual([
      [{ reads: 3 }],
      [{ reads: 4 }],
      [{ reads: 3 }],
    ]);
  });

  it('rows that take more than an eighth of the memory are not kept, and the memory of all stays bounded', async () => {
    const kept = new KeptRows(changes, MEGABYTE);
    await changes.current();
    let reads = 0;
    const ask = async (key: number, length: number) =>
      kept.forRequest().query({ text: 'c', values: [key], footprint: ofAnything }, async () => {
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
