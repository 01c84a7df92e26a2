import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { make, search } from './make.ts';

describeEachEngine('words of searches', (engine) => {
  const site = useTestSite(engine);
  const found = async (words: string) =>
    (await search(site, '/', `SearchableText=${encodeURIComponent(words)}`)).paths.toSorted();

  it('a search finds words with accents by words without, and the other way round', async () => {
    const page = async (id: string, title: string) => make(site, '/', { '@type': PAGE, id, title });
    await page('accents', 'Café Čapek, Łódź, Ærø, Straße');
    await page('none', 'cafe strasse');
    const both = ['/accents', '/none'];
    for (const word of ['cafe', 'CAFÉ', 'caf*', 'café*', 'strasse', 'Straße', '"café strasse" OR čapek']) {
      expect(await found(word), word).toEqual(both);
    }
    for (const word of ['capek', 'lodz', 'aero', 'łodz', '"cafe capek"'])
      expect(await found(word), word).toEqual(['/accents']);
  });

  it('a search finds any part of a text in a script without spaces', async () => {
    await make(site, '/', {
      '@type': PAGE,
      id: 'unspaced',
      title: '日本語の全文検索 iPhone手機',
      description: '한국어검색',
    });
    for (const word of [
      '日本語',
      '全文検索',
      '検索',
      '索',
      '日',
      '検*',
      '"日本語の全文"',
      '手機',
      'iphone',
      '国 OR 검색',
      '국어',
    ])
      expect(await found(word), word).toEqual(['/unspaced']);
    for (const word of ['本日', '日検', '"全文 日本語"', '機手']) expect(await found(word), word).toEqual([]);
  });

  it('a job builds the catalog of a site anew that is updated with content in it', async () => {
    const { db } = site.kernel;
    const migration = new URL('../../migrations/0023_words_without_accents.sql', import.meta.url);
    await db.script(await readFile(migration, 'utf8'));
    const [job] = await db.query<{ action: string; params: unknown }>({
      text: "select action, params from job where status = 'created'",
    });
    expect(job).toEqual({ action: 'reindex', params: { type: [] } });
  });
});
