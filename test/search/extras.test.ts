import { beforeAll, describe, expect, it } from 'vitest';
import { marksOf, snippetsOf } from '../../src/core/search/snippets.ts';
import { parseTextQuery } from '../../src/core/search/text-query.ts';
import { editDistance } from '../../src/lib/text/edit-distance.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from '../types/types-site.ts';
import { make, pathOf, slate, transition } from './make.ts';

describeEachEngine('what a search tells beside its results', (engine) => {
  const site = useTestSite(engine);
  const types = typesSite(site);

  beforeAll(async () => {
    await make(site, '/', { '@type': 'Folder', id: 'open', title: 'Harbour' });
    await transition(site, '/open', 'publish');
    const page = async (id: string, more: Record<string, unknown>, published = true) => {
      await make(site, '/open', { '@type': PAGE, id, title: id, ...more });
      if (published) await transition(site, `/open/${id}`, 'publish');
    };
    await page('feast', {
      title: 'The harbour feast',
      description: 'Boats & <b>music</b> at the harbours',
      subjects: ['music', 'boats'],
      effective: '2024-03-01T00:00:00Z',
      ...slate(
        `${'Nothing here. '.repeat(30)}Then the harbour was <script>alert(1)</script> lit.${' More follows.'.repeat(30)}`,
      ),
    });
    await page('cafe', { title: 'Café am Hafen', subjects: ['music'], effective: '2025-03-01T00:00:00Z' });
    await page('tokyo', { title: '東京の全文検索' });
    await page('athens', { title: 'Ο λιμένας της Αθήνας' });
    await page('secret', { title: 'Harbinger zeppelin', subjects: ['hidden'], ...slate('harbour') }, false);
  });

  const ask = async (query: string, as: 'admin' | 'anonymous' = 'anonymous') =>
    (await site.request('GET', `/@search?${query}`, { as })).body;
  const suggest = async (q: string, as: 'admin' | 'anonymous' = 'anonymous', path = '') => {
    const { body } = await site.request('GET', `${path}/@suggest?q=${encodeURIComponent(q)}`, { as });
    return {
      paths: body.items.map((item: { '@id': string }) => pathOf(site, item['@id'])),
      words: body.words as string[],
    };
  };

  it('results have parts of their texts with marked words, as escaped HTML, only where that is asked for', async () => {
    const plain = await ask('SearchableText=harbour');
    expect(Object.keys(plain).sort()).toEqual(['@id', 'items', 'items_total']);
    expect(plain.items[0]).not.toHaveProperty('highlighting');
    const { items } = await ask('SearchableText=harbour&hl=true');
    const feast = items.find((item: { title: string }) => item.title === 'The harbour feast');
    expect(feast.highlighting).toEqual({
      title: ['The <mark>harbour</mark> feast'],
      description: ['Boats &amp; &lt;b&gt;music&lt;/b&gt; at the <mark>harbours</mark>'],
      text: [
        expect.stringMatching(
          /^….*Then the <mark>harbour<\/mark> was &lt;script&gt;alert\(1\)&lt;\/script&gt; lit\..*…$/,
        ),
      ],
    });
    const whole = await ask('SearchableText=hafen&hl=1&fullobjects=1');
    expect(whole.items[0].highlighting).toEqual({ title: ['Café am <mark>Hafen</mark>'] });
    expect((await ask(`SearchableText=${encodeURIComponent('cafe')}&hl=1`)).items[0].highlighting.title).toEqual([
      '<mark>Café</mark> am Hafen',
    ]);
    expect((await ask(`SearchableText=${encodeURIComponent('全文検')}&hl=1`)).items[0].highlighting.title).toEqual([
      '東京の<mark>全文検</mark>索',
    ]);
    expect((await ask('portal_type=Page&hl=1')).items[0].highlighting).toEqual({});
  });

  it('all results are counted by the values of indexes, as far as the caller may see them', async () => {
    const query =
      'portal_type=Page&b_size=1&facet_fields=portal_type,Subject&facet_fields=review_state&facet_fields=effective';
    const { facets, items } = await ask(query);
    expect(items).toHaveLength(1);
    expect(facets.portal_type).toEqual([{ value: PAGE, title: 'Page', count: 4 }]);
    expect(facets.Subject).toEqual([
      { value: 'music', title: 'music', count: 2 },
      { value: 'boats', title: 'boats', count: 1 },
    ]);
    expect(facets.review_state).toEqual([{ value: 'published', title: 'Published', count: 4 }]);
    expect(facets.effective.filter(({ value }: { value: string }) => value < '2026').toSorted()).toEqual([
      { value: '2024', title: '2024', count: 1 },
      { value: '2025', title: '2025', count: 1 },
    ]);
    const all = (await ask(query, 'admin')).facets;
    expect(all.portal_type[0].count).toBe(5);
    expect(all.Subject.map(({ value }: { value: string }) => value)).toContain('hidden');
    expect((await ask(`${query}&facet_limit=1`)).facets.Subject).toHaveLength(1);
  });

  it('results are counted by indexes of fields of a type, and by nothing that has no few values', async () => {
    const type = await types.newType({});
    await types.addField(type, { title: 'Places', id: 'places', factory: 'List', index: 'keyword' });
    await types.addField(type, { title: 'Stars', id: 'stars', factory: 'Integer', index: 'number' });
    await make(site, '/', { '@type': type, id: 'one', title: 'One', places: ['North', 'East'], stars: 4 });
    await make(site, '/', { '@type': type, id: 'two', title: 'Two', places: ['North'], stars: 4 });
    const { facets } = await ask(`facet_fields=places,stars`, 'admin');
    expect(facets.places.map(({ value, count }: { value: string; count: number }) => [value, count])).toEqual([
      ['North', 2],
      ['East', 1],
    ]);
    expect(facets.stars).toEqual([{ value: '4', title: '4', count: 2 }]);
    for (const name of ['SearchableText', 'UID', 'path', 'nothing', 'allowed', 'x; drop table content']) {
      const { status } = await site.request('GET', `/@search?facet_fields=${encodeURIComponent(name)}`);
      expect(status, name).toBe(400);
    }
    const names = Array.from({ length: 11 }, (_, at) => `facet_fields=f${at}`).join('&');
    expect((await site.request('GET', `/@search?${names}`)).status).toBe(400);
    const { status, text } = await site.request('GET', '/@search?portal_type=Discussion%20Item&facet_fields=Creator');
    expect(status, text).toBe(400);
  });

  it('facets have titles of languages, truth values, choices and terms in the language of the reader', async () => {
    const type = await types.newType({});
    const choices = [
      ['b', 'Blue'],
      ['r', 'Red'],
    ];
    await types.addField(type, { title: 'Colour', id: 'colour', factory: 'Choice', index: 'field', choices });
    await types.addField(type, { title: 'Fresh', id: 'fresh', factory: 'label_boolean_field', index: 'boolean' });
    await make(site, '/open', { '@type': type, id: 'fish', title: 'Fish', colour: 'b', fresh: true, language: 'nl' });
    const facets = async (language: string) => {
      const names = 'facet_fields=Language,exclude_from_nav,colour,fresh';
      const headers = { 'Accept-Language': language };
      const { body } = await site.request('GET', `/@search?portal_type=${type}&${names}`, { headers });
      return Object.values(body.facets).map((values) => (values as { title: string }[]).map(({ title }) => title));
    };
    expect(await facets('en')).toEqual([['Dutch'], ['No'], ['Blue'], ['Yes']]);
    expect(await facets('nl')).toEqual([['Nederlands'], ['Nee'], ['Blue'], ['Ja']]);
  });

  it('a search that finds nothing names another spelling, of words that the caller may see', async () => {
    expect((await ask('SearchableText=harbuor&spellcheck=1')).did_you_mean).toBe('harbour');
    expect((await ask('SearchableText=harbour%20faest&spellcheck=1')).did_you_mean).toBe('harbour feast');
    expect((await ask(`SearchableText=${encodeURIComponent('Αθηνσς')}&spellcheck=1`)).did_you_mean).toBe('αθηνας');
    expect((await ask('SearchableText=zepelin&spellcheck=1')).did_you_mean).toBeNull();
    expect((await ask('SearchableText=zepelin&spellcheck=1', 'admin')).did_you_mean).toBe('zeppelin');
    expect((await ask('SearchableText=harbour&spellcheck=1')).did_you_mean).toBeNull();
    expect(await ask('SearchableText=harbuor')).not.toHaveProperty('did_you_mean');
  });

  it('a listing has highlights, facets and spellings too', async () => {
    const { status, body } = await site.request('POST', '/@querystring-search', {
      json: {
        query: [{ i: 'SearchableText', o: 'plone.app.querystring.operation.string.contains', v: 'feast' }],
        hl: true,
        facet_fields: ['Subject'],
        spellcheck: true,
      },
    });
    expect(status).toBe(200);
    expect(body.items[0].highlighting.title).toEqual(['The harbour <mark>feast</mark>']);
    expect(body.facets.Subject).toHaveLength(2);
    expect(body.did_you_mean).toBeNull();
  });

  it('titles and words are suggested while somebody types, as far as the caller may see them', async () => {
    expect(await suggest('harb')).toEqual({ paths: ['/open', '/open/feast'], words: ['harbour'] });
    expect((await suggest('harb', 'admin')).words).toEqual(['harbour', 'harbinger']);
    expect((await suggest('the harb')).paths).toEqual(['/open/feast']);
    expect((await suggest('CAFÉ')).paths).toEqual(['/open/cafe']);
    expect(await suggest('caf')).toEqual({ paths: ['/open/cafe'], words: ['café'] });
    expect((await suggest('東京')).paths).toEqual(['/open/tokyo']);
    expect((await suggest('λιμ')).paths).toEqual(['/open/athens']);
    expect((await suggest('zep')).paths).toEqual([]);
    expect((await suggest('harb', 'anonymous', '/open/feast')).paths).toEqual(['/open/feast']);
    for (const nothing of ['', 'h', '*', "'", '\\', "x':*", '\u0000', 'a'.repeat(500)])
      expect((await suggest(nothing)).paths, nothing).toEqual([]);
    expect((await site.request('GET', '/@suggest?q=harb&size=1')).body.items).toHaveLength(1);
    expect((await site.request('GET', '/open/secret/@suggest?q=harb', { as: 'anonymous' })).status).toBe(401);
  });

  it('numbers in titles are suggested like words, also before the last digit is typed', async () => {
    const titles = {
      room: 'Room 101',
      report: 'Annual report 2026',
      big: 'Order 123456789',
      season: 'Season 2025-2026',
    };
    for (const [id, title] of Object.entries(titles)) await make(site, '/', { '@type': PAGE, id, title });
    const finds: Record<string, string[]> = {
      'room 101': ['/room'],
      'room 1': ['/room'],
      '101 ro': ['/room'],
      '10': ['/room'],
      'annual report 20': ['/report'],
      '2026 rep': ['/report'],
      '2026': ['/season', '/report'],
      'order 12345': ['/big'],
      '123456789': ['/big'],
      'room 11': [],
      'report 026': [],
    };
    for (const [typed, paths] of Object.entries(finds)) {
      expect((await suggest(typed, 'admin')).paths.toSorted(), typed).toEqual(paths.toSorted());
    }
    expect((await suggest('report 20', 'admin')).words).toEqual(['2026']);
  });

  it('the weights of the site decide on the order by relevance', async () => {
    await make(site, '/', { '@type': PAGE, id: 'in-title', title: 'Quokka' });
    await make(site, '/', { '@type': PAGE, id: 'in-text', title: 'Other', ...slate('quokka') });
    const order = async () =>
      (await ask('SearchableText=quokka', 'admin')).items.map((item: { '@id': string }) => pathOf(site, item['@id']));
    expect(await order()).toEqual(['/in-title', '/in-text']);
    const set = async (json: Record<string, number>) =>
      (await site.request('PATCH', '/@controlpanels/search', { json })).status;
    expect(await set({ weight_title: 5, weight_text: 90 })).toBe(204);
    expect(await order()).toEqual(['/in-text', '/in-title']);
    // A search that is not for words has nothing to weigh.
    expect((await ask('portal_type=Event&Title=quokka', 'admin')).items_total).toBe(0);
    expect(await set({ weight_title: 101 })).toBe(400);
    await set({ weight_title: 100, weight_text: 20 });
    expect(await order()).toEqual(['/in-title', '/in-text']);
  });
});

describe('marks and spellings', () => {
  const marked = (query: string, text: string) => snippetsOf(text, marksOf(parseTextQuery(query)));

  it('excluded words are not marked, phrases and beginnings are', () => {
    expect(marked('one NOT two', 'one two')).toEqual(['<mark>one</mark> two']);
    expect(marked('"one two" thr*', 'one two three')).toEqual(['<mark>one</mark> <mark>two</mark> <mark>three</mark>']);
    expect(marked('検', '全文検索')).toEqual(['全文<mark>検</mark>索']);
    expect(marked('none', 'other')).toEqual([]);
  });

  it('of a long text a few parts are shown, in linear time', () => {
    const snippets = marked('needle', 'hay needle '.repeat(100_000));
    expect(snippets).toHaveLength(3);
    for (const snippet of snippets) expect(snippet.length).toBeLessThan(800);
    const started = performance.now();
    marked('x', 'x'.repeat(1_000_000));
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('letters that come, go, change or change places count as one change each', () => {
    expect(editDistance('harbuor', 'harbour', 2)).toBe(1);
    expect(editDistance('habour', 'harbour', 2)).toBe(1);
    expect(editDistance('harbxxr', 'harbour', 2)).toBe(2);
    expect(editDistance('abc', 'xyz', 2)).toBe(3);
  });
});
