import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf } from '../history/history-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('scheduled publishing', (engine) => {
  let site: TestSite;
  let folder: string;
  let future: string;
  let past: string;
  let present: string;
  const { add, edit, addUser, go } = contentOf(() => site);
  beforeAll(async () => {
    site = await startTestSite(engine);
    folder = await add('/', { '@type': 'Folder', nextPreviousEnabled: true, title: 'Schedule', language: 'en' });
    await go(folder, 'publish');
    future = await add(folder, { title: 'Coming words' });
    present = await add(folder, { title: 'Present words' });
    past = await add(folder, { title: 'Bygone words' });
    await go(future, 'publish', { effective: '2090-01-01T00:00:00Z' });
    await go(present, 'publish');
    await go(past, 'publish', { effective: '2001-01-01T00:00:00Z', expires: '2002-01-01T00:00:00Z' });
    // Two pages that are translations of each other.
    await site.kernel.db.query({
      text: `update content set translation_group = 'schedule', language = case path when $1 then 'nl' when $2 then 'sv' else 'en' end where path = any($3)`,
      values: [future, past, [future, past, present]],
    });
  });
  afterAll(() => site.close());

  const lists = () => [
    folder,
    `${folder}/@navigation?expand.navigation.depth=3`,
    `${folder}/@contextnavigation?expand.contextnavigation.includeTop=1&expand.contextnavigation.bottomLevel=3`,
    `${folder}/@search?SearchableText=words`,
    `${folder}/rss_view`,
    `${present}/@related`,
    `${present}/@translations`,
    present,
  ];
  const text = async (path: string, as: Who) => (await site.request('GET', path, { as })).text;

  it('content before its publishing date and after its end is left out of every list', async () => {
    const member = await addUser(['Member']);
    for (const who of ['anonymous' as const, member])
      for (const list of lists()) expect(await text(list, who), list).not.toMatch(/coming-words|bygone-words/i);
    expect(await text(folder, 'anonymous')).toContain('Present words');
  });

  it('content outside of its dates is listed for those who may access inactive content', async () => {
    for (const list of [folder, `${folder}/@navigation?expand.navigation.depth=3`, `${present}/@translations`]) {
      const seen = await text(list, 'admin');
      if (list !== '/@navigation') expect(seen, list).toMatch(/coming-words/i);
      expect(seen, list).toMatch(/bygone-words/i);
    }
  });

  it('content outside of its dates is served at its own address', async () => {
    for (const page of [future, past]) expect((await site.request('GET', page, { as: 'anonymous' })).status).toBe(200);
  });

  it('content is listed when its publishing date has come', async () => {
    const page = await add(folder, { title: 'In a moment' });
    await go(page, 'publish', { effective: new Date(Date.now() + 1500).toISOString() });
    expect(await text(folder, 'anonymous')).not.toContain('In a moment');
    await expect.poll(() => text(folder, 'anonymous'), { timeout: 5000 }).toContain('In a moment');
    await edit(page, { expires: new Date(Date.now() + 300).toISOString() });
    await expect.poll(() => text(folder, 'anonymous'), { timeout: 5000 }).not.toContain('In a moment');
  });
});
