import { expect, it } from 'vitest';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { commentsOf } from './comment-site.ts';

describeEachEngine('the work that comments make', (engine) => {
  let database: CountingDatabase | undefined;
  const site = useTestSite(engine, () => ({
    wrap: (db) => {
      database = new CountingDatabase(db);
      return database;
    },
  }));
  const { comment, list, page, texts } = commentsOf(site);
  const during = async (work: () => Promise<unknown>) => (await database?.during(work)) ?? [];

  it('is one statement for a list, however long it is', async () => {
    const path = await page();
    for (let n = 0; n < 10; n += 1) await comment(await comment(path, `Comment ${n}`), 'Reply');
    const seen = await during(() => list(path, 'anonymous'));
    expect(seen.filter((name) => name.includes('comment'))).toEqual(['list-comments']);
    expect(seen.length).toBeLessThanOrEqual(3);
  });

  it('leaves kept answers about the content as they are, and is never kept itself', async () => {
    const path = await page();
    const read = () => site.request('GET', path, { as: 'anonymous' });
    for (let n = 0; n < 3; n += 1) await read();
    await comment(path, 'New');
    expect((await during(read)).filter((name) => name !== 'site-moment')).toEqual([]);
    expect(await texts(path, 'anonymous')).toEqual([1, 'New']);
    await comment(path, 'Newer');
    expect(await texts(path, 'anonymous')).toEqual([2, 'New', 'Newer']);
  });
});
