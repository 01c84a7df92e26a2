import { expect, it } from 'vitest';
import { contentOf } from '../history/history-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('folders of languages', (engine) => {
  // A site of the profile `plone` makes them by itself: see test/volto/multilingual.test.ts.
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const { read, addUser } = contentOf(() => site);
  const post = (path: string, json: Json, as: Who = 'admin') => site.request('POST', path, { json, as });
  const setLanguages = async (json: Json) =>
    expect((await site.request('PATCH', '/@controlpanels/language', { json })).status).toBe(204);
  const select = async (headers: Record<string, string> = {}, as: Who = 'anonymous') => {
    const answer = await site.request('GET', '/@@multilingual-selector', {
      as,
      headers: { Accept: '*/*', ...headers },
    });
    expect(answer.status).toBe(302);
    return answer.headers.get('location')?.slice(site.url.length);
  };

  it('a site in one language makes none', async () => {
    const { status, text } = await post('/@language-folders', {});
    expect([status, text]).toEqual([400, expect.stringContaining('in one language')]);
    expect(await select()).toBe('');
  });

  it('folders are made with one for what all languages share, and content is moved to its language', async () => {
    expect((await post('/', { '@type': 'Page', id: 'about', title: 'About' })).status).toBe(201);
    expect((await post('/', { '@type': 'Folder', id: 'news', title: 'News' })).status).toBe(201);
    expect((await post('/news', { '@type': 'Page', id: 'one', title: 'One' })).status).toBe(201);
    await setLanguages({ available_languages: ['en', 'nl'], multilingual: true });
    expect((await post('/', { '@type': 'Page', id: 'hallo', title: 'Hallo', language: 'nl' })).status).toBe(201);
    const made = await post('/@language-folders', {});
    expect([made.status, made.body]).toEqual([
      200,
      { created: ['/en', '/nl', '/en/assets', '/nl/assets'].map((path) => site.url + path), moved: [] },
    ]);
    expect(await read('/nl/assets')).toMatchObject({
      '@type': 'LIF',
      exclude_from_nav: true,
      review_state: 'published',
    });
    expect((await read('/nl/assets/@translations')).items).toEqual([
      { '@id': `${site.url}/en/assets`, language: 'en' },
    ]);
    const moved = await post('/@language-folders', { move_content: true });
    expect(moved.body.created).toEqual([]);
    expect(moved.body.moved).toEqual(
      expect.arrayContaining([
        { source: `${site.url}/about`, target: `${site.url}/en/about` },
        { source: `${site.url}/news`, target: `${site.url}/en/news` },
        { source: `${site.url}/hallo`, target: `${site.url}/nl/hallo` },
      ]),
    );
    const old = await site.request('GET', '/news/one');
    expect([old.status, old.headers.get('location')]).toEqual([302, `${site.url}/en/news/one`]);
    expect((await post('/@language-folders', { move_content: true })).body).toEqual({ created: [], moved: [] });
  });

  it('content of a folder that all languages share has no language', async () => {
    const file = { data: Buffer.from('x').toString('base64'), encoding: 'base64', filename: 'x.txt' };
    const { body } = await post('/nl/assets', { '@type': 'File', file });
    expect((await read(new URL(body['@id']).pathname)).language).toBeFalsy();
    expect((await post('/nl', { '@type': 'Page', title: 'Pagina' })).body.language.token).toBe('nl');
  });

  it('readers are led to the language that their browser asks for, or that they have chosen', async () => {
    expect(await select({ 'Accept-Language': 'nl,en;q=0.5' })).toBe('/nl');
    expect(await select({ 'Accept-Language': 'fr' })).toBe('/en');
    const chosen = { 'Accept-Language': 'en', Cookie: 'a=b; I18N_LANGUAGE="nl"' };
    expect(await select(chosen)).toBe('/en');
    await setLanguages({ use_cookie_negotiation: true });
    expect(await select(chosen)).toBe('/nl');
    expect(await select({ ...chosen, Cookie: 'I18N_LANGUAGE=fr' })).toBe('/en');
    await site.request('POST', '/nl/@workflow/retract', { json: {} });
    expect(await select(chosen)).toBe('/en');
    await site.request('POST', '/nl/@workflow/publish', { json: {} });
  });

  it('only Managers make them, and a locked page keeps everything where it is', async () => {
    const editor = await addUser(['Member', 'Editor']);
    expect((await post('/@language-folders', {}, editor)).status).toBe(403);
    for (const id of ['late', 'later']) expect((await post('/', { '@type': 'Page', id, title: id })).status).toBe(201);
    expect((await post('/later/@lock', {}, 'admin')).status).toBe(200);
    const refused = await post('/@language-folders', { move_content: true });
    expect(refused.status).toBe(403);
    expect((await site.request('GET', '/late')).status).toBe(200);
  });

  it('a site that goes back to one language keeps everything', async () => {
    await setLanguages({ multilingual: false });
    for (const path of ['/en/news/one', '/nl/hallo', '/nl/assets/x.txt'])
      expect([path, (await site.request('GET', path)).status]).toEqual([path, 200]);
    expect(await select({ 'Accept-Language': 'nl' })).toBe('');
  });
});
