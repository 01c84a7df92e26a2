import { afterAll, beforeAll, expect, it } from 'vitest';
import { findContent } from '../../src/core/content/locate.ts';
import { type ContentQuery, queryContent } from '../../src/core/content/query-content.ts';
import { findContents } from '../../src/core/content/statements/load-content.ts';
import { ANONYMOUS, type Caller, confinedTo } from '../../src/core/security/caller.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { make, manager } from './make.ts';

describeEachEngine('finding content without a request', (engine) => {
  let site: TestSite;
  const queried = async (query: Partial<ContentQuery>, caller: Caller = manager()): Promise<[string, number]> => {
    const { kernel } = site;
    const context = { db: kernel.db, site: await kernel.sites.current(), caller };
    const { items, total } = await queryContent(context, { limit: 10, ...query });
    return [items.map(({ object }) => object.path).join(' '), total];
  };
  const byId = [{ on: 'getId', descending: false }];

  beforeAll(async () => {
    site = await startTestSite(engine);
    const { kernel } = site;
    await make(kernel, '/', { '@type': 'Folder', id: 'news' }, { state: 'published' });
    await make(kernel, '/news', { id: 'open', title: 'Harvest', subjects: ['fruit'] }, { state: 'published' });
    await make(kernel, '/news', { id: 'shut', title: 'Harvesters', subjects: ['fruit', 'people'] });
    await make(kernel, '/', { id: 'elsewhere', title: 'Harvest', subjects: ['people'] }, { state: 'published' });
    await make(kernel, '/news', { id: 'over', expires: '2001-01-01T00:00:00Z' }, { state: 'published' });
  });
  afterAll(() => site?.close());

  it('a query finds by indexes, words and paths, in its order', async () => {
    expect(await queried({ where: { Subject: ['fruit', 'people'] }, sort: byId })).toEqual([
      '/elsewhere /news/open /news/shut',
      3,
    ]);
    expect(await queried({ where: { portal_type: PAGE, Subject: 'people' }, paths: ['/news'] })).toEqual([
      '/news/shut',
      1,
    ]);
    expect(await queried({ words: 'harvest', paths: ['/news'], sort: byId })).toEqual(['/news/open /news/shut', 2]);
    expect(await queried({ where: { Subject: ['fruit', 'people'] }, sort: byId, start: 1, limit: 1 })).toEqual([
      '/news/open',
      3,
    ]);
  });

  it('results are whole objects with the containers up to the root', async () => {
    const { kernel } = site;
    const context = { db: kernel.db, site: await kernel.sites.current(), caller: manager() };
    const [found] = (await queryContent(context, { where: { getId: 'open' }, limit: 1 })).items;
    expect(found?.object.fields).toMatchObject({ title: 'Harvest', subjects: ['fruit'] });
    expect(found?.ancestors.map(({ path }) => path)).toEqual(['/news', '/']);
  });

  it('a query finds what its caller may view', async () => {
    const where = { Subject: ['fruit', 'people'] };
    expect(await queried({ where, sort: byId }, ANONYMOUS)).toEqual(['/elsewhere /news/open', 2]);
    const confined = confinedTo(manager(), ['/news']);
    expect(await queried({ where, sort: byId, paths: ['/news'] }, confined)).toEqual(['/news/open /news/shut', 2]);
    expect(await queried({ where, sort: byId }, confined)).toEqual(['/elsewhere /news/open', 2]);
  });

  it('content outside of its dates of publication is found on request', async () => {
    expect(await queried({ where: { getId: 'over' } })).toEqual(['', 0]);
    expect(await queried({ where: { getId: 'over' }, inactive: true })).toEqual(['/news/over', 1]);
  });

  it('unknown indexes and too many objects are errors', async () => {
    await expect(queried({ where: { flavour: 'sweet' } })).rejects.toThrow('The site has no index "flavour".');
    await expect(queried({ limit: 1001 })).rejects.toThrow('A query returns 1000 objects at most, not 1001.');
  });

  it('content is found by its path, UIDs and numbers', async () => {
    const { kernel } = site;
    const [open, shut] = [await findContent(kernel, '/news/open'), await findContent(kernel, '/news/shut')];
    if (!open || !shut) throw new Error('The content is not there');
    const pathsOf = async (keys: Parameters<typeof findContents>[1]) =>
      (await findContents(kernel.db, keys)).map(({ object, ancestors }) => [object.path, ancestors.length]);
    const expected = [
      ['/news/shut', 2],
      ['/news/open', 2],
    ];
    expect(await pathsOf({ uids: [shut.object.uid, 'unknown', open.object.uid] })).toEqual(expected);
    expect(await pathsOf({ oids: [shut.object.oid, 0, open.object.oid] })).toEqual(expected);
    expect(await pathsOf({ uids: [] })).toEqual([]);
    expect(await findContent(kernel, '/news/absent')).toBeUndefined();
  });
});
