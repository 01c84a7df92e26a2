import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pruneVersions } from '../../src/features/history/versioning.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { contentOf } from './history-site.ts';

describeEachEngine('pruning of versions', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterEach(() => setting('versioning', { keep: null, days: null }));
  afterAll(() => site.close());
  const { add, edit, read, versions, setting } = contentOf(() => site);
  const numbers = async (path: string) => (await versions(path)).map(({ version }) => version);
  const pageWith = async (edits: number) => {
    const page = await add('/', { title: 'Title 0' });
    for (let i = 1; i <= edits; i += 1) await edit(page, { title: `Title ${i}` });
    return page;
  };
  /** Moves the dates of versions into the past. */
  const age = (path: string, days: number, upTo: number) =>
    site.kernel.db.query({
      text: `update version set at = at - $2 * interval '1 day' where number <= $3 and content = (select oid from content where path = $1)`,
      values: [path, days, upTo],
    });

  it('all versions are kept unless the site sets a limit', async () => {
    const page = await pageWith(3);
    expect(await pruneVersions(site.kernel)).toBe(0);
    expect(await numbers(page)).toEqual([3, 2, 1, 0]);
  });

  it('each edit prunes versions to the configured number, and the remaining ones keep their values', async () => {
    await setting('versioning', { keep: 2 });
    const page = await pageWith(4);
    expect(await numbers(page)).toEqual([4, 3]);
    expect((await read(`${page}/@history/3`)).title).toBe('Title 3');
    expect((await site.request('GET', `${page}/@history/2`)).status).toBe(404);
    expect((await site.request('PATCH', `${page}/@history`, { json: { version: 2 } })).status).toBe(404);
    await edit(page, { title: 'Title 5' });
    expect(await numbers(page)).toEqual([5, 4]);
    expect((await read(`${page}/@history/4`)).title).toBe('Title 4');
  });

  it('one version is kept when the site keeps one', async () => {
    await setting('versioning', { keep: 1 });
    const page = await pageWith(3);
    expect(await numbers(page)).toEqual([3]);
  });

  it('the job prunes versions of objects that nobody edits', async () => {
    const pages = [await pageWith(3), await pageWith(1), await pageWith(2)];
    await setting('versioning', { keep: 2 });
    expect(await pruneVersions(site.kernel)).toBeGreaterThanOrEqual(3);
    expect(await Promise.all(pages.map(numbers))).toEqual([
      [3, 2],
      [1, 0],
      [2, 1],
    ]);
    expect(await pruneVersions(site.kernel)).toBe(0);
  });

  it('the days of a version count from its replacement, and the newest version is never removed', async () => {
    const page = await pageWith(3);
    await age(page, 40, 3);
    await age(page, 60, 1);
    await setting('versioning', { days: 50 });
    await pruneVersions(site.kernel);
    // Version 0 was replaced 100 days ago, version 1 40 days ago.
    expect(await numbers(page)).toEqual([3, 2, 1]);
    await setting('versioning', { days: 1 });
    await pruneVersions(site.kernel);
    expect(await numbers(page)).toEqual([3]);
    await edit(page, { title: 'Title 4' });
    expect(await numbers(page)).toEqual([4, 3]);
    expect((await read(`${page}/@history/3`)).title).toBe('Title 3');
  });

  it.each([[0], [-1], ['2'], [1.5], [true]])('the stored limit %j means no limit', async (keep) => {
    await setting('versioning', { keep, days: keep });
    const page = await pageWith(2);
    await pruneVersions(site.kernel);
    expect(await numbers(page)).toEqual([2, 1, 0]);
  });
});
