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

  it('parentheses group alternatives, and a hyphen in front excludes a word, a phrase or a group', async () => {
    const pages = { oak: 'oak tree leaf', elm: 'elm tree leaf', pine: 'pine tree needle', moss: 'moss stone e-mail' };
    for (const [id, title] of Object.entries(pages)) await make(site, '/', { '@type': PAGE, id, title });
    const finds: Record<string, string[]> = {
      '(oak OR pine) needle': ['/pine'],
      'needle (oak OR pine)': ['/pine'],
      'oak OR (pine needle)': ['/oak', '/pine'],
      'tree -leaf': ['/pine'],
      'tree -"elm tree"': ['/oak', '/pine'],
      'tree -(oak OR elm)': ['/pine'],
      'tree NOT (oak OR elm)': ['/pine'],
      'tree -(-leaf)': ['/elm', '/oak'],
      '(oak OR moss) AND (leaf OR stone)': ['/moss', '/oak'],
      '((oak': ['/oak'],
      'oak))': ['/oak'],
      ') oak ( leaf': ['/oak'],
      'oak () - -- (-)': ['/oak'],
      'e-mail': ['/moss'],
      '(oak) OR': ['/oak'],
      'pi?e': ['/pine'],
      'moss st*e': ['/moss'],
      'what is moss?': [],
      'moss?': ['/moss'],
    };
    for (const [query, paths] of Object.entries(finds)) expect(await found(query), query).toEqual(paths);
    const deep = await site.request('GET', `/@search?SearchableText=${encodeURIComponent(`${'('.repeat(60)}oak`)}`);
    expect(deep.status).toBe(400);
    expect(deep.body.message).toContain('50 parentheses');
  });

  it('several texts of one search must all occur, whatever operators they have', async () => {
    const { paths } = await search(site, '/', 'SearchableText=oak+OR+pine&SearchableText=needle');
    expect(paths).toEqual(['/pine']);
  });

  it('a search finds content by its id, which follows when the content is renamed or copied', async () => {
    await make(site, '/', { '@type': PAGE, id: 'willowherb', title: 'A plant' });
    expect(await found('willowherb')).toEqual(['/willowherb']);
    await site.request('PATCH', '/willowherb', { json: { id: 'fireweed' } });
    expect(await found('willowherb')).toEqual([]);
    expect(await found('fireweed')).toEqual(['/fireweed']);
    await site.request('POST', '/@copy', { json: { source: '/fireweed' } });
    expect(await found('fireweed')).toEqual(['/copy_of_fireweed', '/fireweed']);
    expect(await found('copy fireweed')).toEqual(['/copy_of_fireweed']);
  });
});
