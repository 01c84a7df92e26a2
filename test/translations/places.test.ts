import { beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('content in the folders of languages', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const ask = async (status: number, method: string, path: string, json?: Json): Promise<Json> => {
    const response = await site.request(method, path, json === undefined ? {} : { json });
    expect(response.status, response.text).toBe(status);
    return response.body;
  };
  const add = async (container: string, id: string, more: Json = {}) =>
    ask(201, 'POST', container, { '@type': 'Page', id, title: id, ...more });
  const languageOf = async (path: string) => (await ask(200, 'GET', path)).language.token;
  const translationsOf = async (path: string): Promise<string[]> =>
    (await ask(200, 'GET', `${path}/@translations`)).items.map((item: Json) => item['@id'].slice(site.url.length));
  const found = async (words: string, language: string): Promise<string[]> =>
    (await ask(200, 'GET', `/${language}/@search?SearchableText=${words}&Language=${language}`)).items.map(
      (item: Json) => item['@id'].slice(site.url.length),
    );

  beforeAll(async () => {
    await ask(204, 'PATCH', '/@controlpanels/language', {
      available_languages: ['en', 'nl', 'de'],
      multilingual: true,
    });
    await ask(200, 'POST', '/@language-folders', {});
  });

  it('moved content gets the language of its new folder, and keeps its links except for its own language', async () => {
    await add('/en', 'two');
    await add('/nl', 'twee', { translation_of: '/en/two' });
    await add('/de', 'zwei', { translation_of: '/en/two' });
    await ask(200, 'POST', '/en/@move', { source: '/nl/twee' });
    expect(await languageOf('/en/twee')).toBe('en');
    expect(await translationsOf('/en/twee')).toEqual([]);
    expect(await translationsOf('/en/two')).toEqual(['/de/zwei']);
    await add('/nl', 'drie');
    await add('/de', 'drei', { translation_of: '/nl/drie' });
    await ask(200, 'POST', '/en/@move', { source: '/nl/drie' });
    expect(await translationsOf('/de/drei')).toEqual(['/en/drie']);
    expect(await languageOf('/en/drie')).toBe('en');
  });

  it('everything below a moved folder is found in its new language', async () => {
    await ask(201, 'POST', '/nl', { '@type': 'Folder', id: 'map', title: 'Map' });
    await add('/nl/map', 'blad', { title: 'Running' });
    expect(await found('runs', 'en')).toEqual([]);
    await ask(200, 'POST', '/en/@move', { source: '/nl/map' });
    expect(await languageOf('/en/map/blad')).toBe('en');
    expect(await found('runs', 'en')).toEqual(['/en/map/blad']);
  });

  it('a copy gets the language of its folder, and no link', async () => {
    await add('/en', 'original');
    await add('/nl', 'origineel', { translation_of: '/en/original' });
    await ask(200, 'POST', '/de/@copy', { source: '/nl/origineel' });
    expect(await languageOf('/de/origineel')).toBe('de');
    expect(await translationsOf('/de/origineel')).toEqual([]);
    expect(await translationsOf('/en/original')).toEqual(['/nl/origineel']);
  });

  it('an undone move gives language and link back', async () => {
    await add('/en', 'here');
    await add('/nl', 'hier', { translation_of: '/en/here' });
    await ask(200, 'POST', '/en/@move', { source: '/nl/hier' });
    const [newest] = await ask(200, 'GET', '/@transactions?b_size=1');
    await ask(200, 'PATCH', '/@transactions', { transaction_ids: [newest.id] });
    expect(await languageOf('/nl/hier')).toBe('nl');
    expect(await translationsOf('/nl/hier')).toEqual(['/en/here']);
  });

  it('content that moves within its language stays as it is', async () => {
    await add('/nl', 'vier', { language: 'de' });
    await ask(201, 'POST', '/nl', { '@type': 'Folder', id: 'doos', title: 'Doos' });
    await ask(200, 'POST', '/nl/doos/@move', { source: '/nl/vier' });
    expect(await languageOf('/nl/doos/vier')).toBe('de');
  });
});
