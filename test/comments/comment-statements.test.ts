import { expect, it } from 'vitest';
import { CountingDatabase, LOOKS } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { commentsOf } from './comment-site.ts';

describeEachEngine('statements and caching of comments', (engine) => {
  let database: CountingDatabase | undefined;
  const site = useTestSite(engine, () => ({
    wrap: (db) => {
      database = new CountingDatabase(db);
      return database;
    },
  }));
  const { comment, list, page, texts } = commentsOf(site);
  const during = async (work: () => Promise<unknown>) => (await database?.during(work)) ?? [];

  it('a list of comments takes one statement, however long it is', async () => {
    const path = await page();
    for (let n = 0; n < 10; n += 1) await comment(await comment(path, `Comment ${n}`), 'Reply');
    const seen = await during(() => list(path, 'anonymous'));
    expect(seen.filter((name) => name.includes('comment'))).toEqual(['list-comments']);
    expect(seen.length).toBeLessThanOrEqual(3);
  });

  it('a new comment ends cached responses of its content and of no other, and lists of comments are never cached', async () => {
    const [path, other] = [await page(), await page()];
    const statementsOf = async (address: string) =>
      (await during(() => site.request('GET', address, { as: 'anonymous' }))).filter((name) => !LOOKS.includes(name));
    for (let n = 0; n < 3; n += 1) for (const address of [path, other]) await statementsOf(address);
    await comment(path, 'New');
    expect(await statementsOf(other)).toEqual([]);
    expect(await statementsOf(path)).not.toEqual([]);
    expect(await statementsOf(path)).toEqual([]);
    expect(await texts(path, 'anonymous')).toEqual([1, 'New']);
    await comment(path, 'Newer');
    expect(await texts(path, 'anonymous')).toEqual([2, 'New', 'Newer']);
  });
});
