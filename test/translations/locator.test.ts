import { afterAll, beforeAll, expect, it } from 'vitest';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('the place of a translation', (engine) => {
  let site: TestSite;
  let root: Json;
  beforeAll(async () => {
    // A site of the profile `plone` has a folder for each of its languages.
    site = await startTestSite(engine, { profile: 'default' });
    await request('PATCH', '/@controlpanels/language', { json: { multilingual: true } });
    root = await add('/', 'LRF', { id: 'nl', language: 'nl' });
    await add('/', 'Folder', { id: 'sv', language: 'sv' });
  });
  afterAll(() => site.close());
  const { add, user, request } = binOf(() => site);

  const ask = ({ path }: Json, query: string, as: Who = 'admin') =>
    request('GET', `${path}/@translation-locator${query}`, { as });
  const placeOf = async (made: Json, language: string, as: Who = 'admin') => {
    const { body } = await ask(made, `?target_language=${language}`, as);
    return new URL(body['@id']).pathname;
  };

  it('a translation belongs in the translation of the nearest container that has one', async () => {
    const outer = await add('/', 'Folder', { language: 'en' });
    const inner = await add(outer.path, 'Folder', { language: 'en' });
    const page = await add(inner.path, 'Page', { language: 'en' });
    expect(await placeOf(page, 'nl')).toBe('/nl');
    const buiten = await add('/nl', 'Folder', { language: 'nl', translation_of: outer.UID });
    expect(await placeOf(page, 'nl')).toBe(buiten.path);
    const binnen = await add(buiten.path, 'Folder', { language: 'nl', translation_of: inner.UID });
    expect(await placeOf(page, 'nl')).toBe(binnen.path);
    expect(await placeOf(inner, 'nl')).toBe(buiten.path);
    expect(await placeOf(page, 'en'), 'a container in the language').toBe(inner.path);
  });

  it('the locator skips a translated container whose translation is not a container', async () => {
    const outer = await add('/', 'Folder', { language: 'en' });
    const page = await add(outer.path, 'Page', { language: 'en' });
    await add('/', 'Link', { remoteUrl: '/', language: 'nl', translation_of: outer.UID });
    expect(await placeOf(page, 'nl')).toBe('/nl');
  });

  it('a translation belongs in the site root without a language root, and so do translations of language roots', async () => {
    const page = await add('/', 'Page', { language: 'en' });
    expect(await placeOf(page, 'sv'), 'a folder with the name of a language is none').toBe('/');
    expect(await placeOf({ path: '/nl' }, 'en')).toBe('/');
    expect(await placeOf({ path: '' }, 'nl')).toBe('/');
  });

  it('the locator never names a container that the caller may not view', async () => {
    const outer = await add('/', 'Folder', { language: 'en' });
    const page = await add(outer.path, 'Page', { language: 'en' });
    await add('/', 'Folder', { language: 'nl', translation_of: outer.UID });
    expect(await placeOf(page, 'nl')).not.toBe('/nl');
    const reader = await user(outer.path, { Reader: true });
    expect(await placeOf(page, 'nl', reader)).toBe('/');
    expect(await placeOf(page, 'en', reader)).toBe(outer.path);
    expect((await ask(page, '?target_language=nl', 'anonymous')).status).toBe(401);
  });

  it('the locator rejects a language that is not one of the site', async () => {
    for (const query of ['', '?target_language=', '?target_language=de', '?target_language=%00']) {
      const { status, body } = await ask({ path: '/nl' }, query);
      expect([query, status]).toEqual([query, 400]);
      expect(body.message).toContain('target_language');
    }
    const available = { available_languages: ['en', 'de'] };
    expect((await request('PATCH', '/@controlpanels/language', { json: available })).status).toBe(204);
    expect((await ask({ path: '/nl' }, '?target_language=de')).status).toBe(200);
    expect((await ask({ path: '/nl' }, '?target_language=nl')).status).toBe(400);
    expect((await request('GET', '/nl/@translations')).body.root).toEqual({ de: site.url, en: site.url });
  });

  it('only a navigation root in the site root, named after a language of the site, is a language root', async () => {
    const folder = await add('/', 'Folder');
    const json = { '@type': 'LRF', title: 'Svenska', language: 'sv' };
    expect((await request('POST', folder.path, { json })).status).toBe(403);
    await request('PATCH', '/@controlpanels/language', { json: { multilingual: false } });
    expect((await request('POST', '/', { json })).status).toBe(403);
  });

  it('language roots are listed as roots and can be neither linked nor unlinked', async () => {
    const page = await add('/', 'Page', { language: 'en' });
    for (const [from, id] of [
      [root, page.UID],
      [page, root.UID],
    ]) {
      const { status, body } = await request('POST', `${from.path}/@translations`, { json: { id } });
      expect([status, body.message]).toEqual([400, expect.stringContaining('begins at /nl')]);
    }
    expect(
      (await request('POST', '/', { json: { '@type': 'Folder', title: 'x', language: 'de', translation_of: '/nl' } }))
        .status,
    ).toBe(201);
    expect((await request('DELETE', '/nl/@translations', { json: { language: 'de' } })).status).toBe(400);
  });
});
