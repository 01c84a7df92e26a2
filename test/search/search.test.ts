import { afterAll, beforeAll, expect, it } from 'vitest';
import { customIndex } from '../../src/core/search/indexes/declared.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { make, search, slate, transition } from './make.ts';

const titles = defineFeature({
  name: 'titles',
  indexes: [
    customIndex('first_letter', 'field', ({ title }) => [...title].slice(0, 1).join('').toUpperCase()),
    customIndex('title_length', 'number', ({ title }) => title.length),
  ],
});

describeEachEngine('@search', (engine) => {
  let site: TestSite;
  let news: string;

  beforeAll(async () => {
    site = await startTestSite(engine, { features: [titles] });
    news = await make(site, '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await make(site, '/', { '@type': 'Folder', id: 'news-archive', title: 'Archive' });
    await make(site, '/news-archive', { '@type': PAGE, id: 'old', title: 'Old' });
    await make(site, news, { '@type': PAGE, id: 'a', title: 'Something', ...slate('Three zebras were running') });
    await make(site, news, { '@type': PAGE, id: 'b', title: 'Something', description: 'About zebras' });
    await make(site, news, { '@type': PAGE, id: 'c', title: 'Zebras', description: 'Something' });
  });
  afterAll(() => site?.close());

  it('a search below a path leaves out paths that only begin with the same characters', async () => {
    expect((await search(site, '/news', 'portal_type=Page')).paths.toSorted()).toEqual([
      '/news/a',
      '/news/b',
      '/news/c',
    ]);
    expect((await search(site, '/', 'path=/news&portal_type=Page')).total).toBe(3);
  });

  it('a search ranks words of the title over those of the description over those of the text', async () => {
    expect((await search(site, '/', 'SearchableText=zebras')).paths).toEqual(['/news/c', '/news/b', '/news/a']);
  });

  it('a search finds words by their stem in the language of the content, and any word by its beginning', async () => {
    expect((await search(site, '/news', 'SearchableText=run')).paths).toEqual(['/news/a']);
    expect((await search(site, '/news', 'SearchableText=zebra')).total).toBe(3);
    expect((await search(site, '/news', 'SearchableText=runni*')).paths).toEqual(['/news/a']);
    expect((await search(site, '/news', 'SearchableText=runni')).total).toBe(0);
  });

  it('a search finds words of any script in any case and Unicode composition', async () => {
    await make(site, news, { '@type': PAGE, id: 'words', title: 'ÄRGER in Ελλάδα, 東京タワー' });
    for (const word of ['ärger', 'A\u0308rger', 'ΕΛΛΆΔΑ', '東京タワー', '東京*'])
      expect((await search(site, '/', `SearchableText=${encodeURIComponent(word)}`)).paths, word).toEqual([
        '/news/words',
      ]);
  });

  it('a search supports phrases, alternatives and exclusions', async () => {
    const text = (words: string) => search(site, '/news', `SearchableText=${encodeURIComponent(words)}`);
    expect((await text('"zebras were"')).paths).toEqual(['/news/a']);
    expect((await text('"were zebras"')).total).toBe(0);
    expect((await text('about OR running')).paths.toSorted()).toEqual(['/news/a', '/news/b']);
    expect((await text('zebras NOT running')).paths.toSorted()).toEqual(['/news/b', '/news/c']);
  });

  it('batches of a search neither overlap nor have gaps when all sort keys are equal', async () => {
    const seen: string[] = [];
    for (let start = 0; start < 4; start += 1)
      seen.push(
        ...(await search(site, '/news', `sort_on=review_state&b_size=1&b_start=${start}&id=a&id=b&id=c`)).paths,
      );
    expect(seen).toEqual(['/news/a', '/news/b', '/news/c']);
  });

  it('a search counts all results, also for an empty batch and one after the last result', async () => {
    expect(await search(site, '/news', 'id=a&id=b&b_size=0')).toEqual({ status: 200, paths: [], total: 2 });
    expect(await search(site, '/news', 'id=a&id=b&b_start=1000')).toEqual({ status: 200, paths: [], total: 2 });
    expect((await search(site, '/news', 'id=a&id=b&sort_limit=1')).total).toBe(1);
  });

  it('a search excludes values with .not', async () => {
    expect((await search(site, '/news', 'portal_type=Page&id.not=a&id.not=words')).paths.toSorted()).toEqual([
      '/news/b',
      '/news/c',
    ]);
  });

  it('a search finds every recurrence of an event', async () => {
    await make(site, '/', {
      '@type': 'Event',
      id: 'weekly',
      title: 'Weekly',
      start: '2031-01-06T10:00:00Z',
      end: '2031-01-06T12:00:00Z',
      recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4',
    });
    const between = (from: string, to: string, index = 'start') =>
      search(site, '/', `${index}.query=${from}&${index}.query=${to}&${index}.range=min:max`);
    expect((await between('2031-01-20', '2031-01-21')).paths).toEqual(['/weekly']);
    expect((await between('2031-01-21', '2031-01-26')).total).toBe(0);
    expect((await between('2031-01-20T11:30:00Z', '2031-01-20T12:30:00Z', 'end')).total).toBe(1);
    expect((await between('2031-02-01', '2031-03-01')).total).toBe(0);
    expect((await search(site, '/', 'start=2031-01-13')).paths).toEqual(['/weekly']);
  });

  it('a search sorts numbers in titles by their size, and accents with their letters', async () => {
    const folder = await make(site, '/', { '@type': 'Folder', title: 'Sorted' });
    for (const title of ['Part 10', 'Part 2', 'Zoo', 'Äpfel', 'apple'])
      await make(site, folder, { '@type': PAGE, title });
    const { body } = await site.request('GET', `${folder}/@search?sort_on=sortable_title&path.depth=1`);
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual([
      'Äpfel',
      'apple',
      'Part 2',
      'Part 10',
      'Zoo',
    ]);
  });

  it('a search can use indexes that add-ons declare', async () => {
    expect((await search(site, '/news', 'first_letter=Z')).paths).toEqual(['/news/c']);
    expect((await search(site, '/news', 'first_letter.not=Z&first_letter.not=S&id.not=words')).paths).toEqual([
      '/news',
    ]);
    expect((await search(site, '/news', 'title_length:int=6')).paths).toEqual(['/news/c']);
    const longer = await search(
      site,
      '/news',
      'title_length.query:int=6&title_length.range=min&sort_on=title_length&b_size=3',
    );
    expect(longer.paths).toEqual(['/news/c', '/news/a', '/news/b']);
  });

  it('a search finds content by properties of its type', async () => {
    expect((await search(site, '/news', 'portal_type=Document&id=a')).paths).toEqual(['/news/a']);
    expect((await search(site, '/', 'object_provides=plone.eventbasic')).paths).toEqual(['/weekly']);
    expect((await search(site, '/', 'Type=Event')).paths).toEqual(['/weekly']);
    expect((await search(site, '/news', 'block_types=slate&id=a')).paths).toEqual(['/news/a']);
  });

  it('a search finds content that refers to given content', async () => {
    const { body } = await site.request('GET', '/news/a');
    await site.request('PATCH', '/news/b', { json: { relatedItems: ['/news/a'] } });
    expect((await search(site, '/', `getRawRelatedItems=${body.UID}`)).paths).toEqual(['/news/b']);
  });

  it('a search finds inactive content only with the permission', async () => {
    const path = await make(site, '/', {
      '@type': PAGE,
      title: 'Expired',
      effective: '2018-01-01T00:00:00Z',
      expires: '2020-01-01T00:00:00Z',
    });
    await transition(site, path, 'publish');
    expect((await search(site, '/', 'Title=expired&show_inactive=1', 'anonymous')).total).toBe(0);
    expect((await search(site, '/', 'Title=expired')).total).toBe(1);
    expect((await search(site, '/', 'Title=expired&effectiveRange=2019-01-01')).total).toBe(1);
    expect((await search(site, '/', 'Title=expired&effectiveRange=2021-01-01')).total).toBe(0);
  });

  it('content without a publication date is public since ever in ranges, and content without an expiry date for ever', async () => {
    const dates = { effective: '2018-01-01T00:00:00Z', expires: '2020-01-01T00:00:00Z' };
    await make(site, '/', { '@type': 'Folder', id: 'ranges', title: 'Ranges' });
    await make(site, '/ranges', { '@type': PAGE, id: 'none', title: 'None' });
    await make(site, '/ranges', { '@type': PAGE, id: 'both', title: 'Both', ...dates });
    const finds: Record<string, string[]> = {
      'expires.query=2048-01-01&expires.range=min': ['none'],
      'expires.query=2019-01-01&expires.range=min': ['both', 'none'],
      'expires.query=2048-01-01&expires.range=max': ['both'],
      'effective.query=2017-01-01&effective.range=max': ['none'],
      'effective.query=2048-01-01&effective.range=max': ['both', 'none'],
      'effective.query=2017-01-01&effective.range=min': ['both'],
      'effective.query=2017-01-01&effective.query=2019-01-01&effective.range=min:max': ['both'],
      'expires.query=2017-01-01&expires.query=2048-01-01&expires.range=min:max': ['both'],
      'expires=2020-01-01': ['both'],
    };
    for (const [query, ids] of Object.entries(finds)) {
      const { paths } = await search(site, '/ranges', `${query}&portal_type=${PAGE}`);
      expect(paths.map((path) => path.split('/').at(-1)).toSorted(), query).toEqual(ids);
    }
  });

  it('a search ignores the tokens of viewers in a query', async () => {
    expect((await search(site, '/news', 'id=a&allowedRolesAndUsers=role:Nobody')).total).toBe(1);
    expect((await search(site, '/', 'id=a&allowedRolesAndUsers=role:Manager', 'anonymous')).total).toBe(0);
  });

  it.each([
    ['b_size=x', /b_size/],
    ['is_folderish=perhaps', /is_folderish/],
    ['created=yesterday', /created/],
    ['created.query=2020-13-01&created.range=min', /created/],
    ['created=2020-01-01&created.range=between', /range/],
    ['path.depth=deep', /path\.depth/],
    ['sort_limit=x', /sort_limit/],
    ['getId:int=x', /getId/],
    ['Subject=a&Subject.operator=xor', /operator/],
    ['title_length=long', /title_length/],
    [`SearchableText=${'word '.repeat(60)}`, /50 words/],
    ['getId=%00', /getId/],
  ])('the search %s is rejected with 400 and a message', async (query, message) => {
    const { status, body } = await site.request('GET', `/@search?${query}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  });

  it('a search leaves out types that the settings of the site exclude', async () => {
    const { body } = await site.request('GET', '/@search?use_site_search_settings=1&id=a');
    expect(body.items_total).toBe(1);
  });
});
