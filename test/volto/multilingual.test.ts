import { expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('a multilingual site as Volto uses it', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const get = async (path: string, as: Who = 'admin'): Promise<Json> => {
    const { status, body, text } = await site.request('GET', path, { as });
    expect(status, text).toBe(200);
    return body;
  };
  const set = async (json: Json, as: Who = 'admin'): Promise<void> => {
    const { status, text } = await site.request('PATCH', '/@controlpanels/language', { json, as });
    expect(status, text).toBe(204);
  };

  it('Content of a site in one language has no translations.', async () => {
    expect((await get('/'))['@components']).not.toHaveProperty('translations');
    expect((await get('/?expand=translations'))['@components']).not.toHaveProperty('translations');
  });

  it('Several languages make a published folder for each, linked as translations, which everybody sees.', async () => {
    const page = { '@type': 'Document', id: 'sv', title: 'In the way' };
    expect((await site.request('POST', '/', { json: page })).status).toBe(201);
    const keeper = await addPerson(site, { id: 'keeper', roles: ['Member', 'Site Administrator'] });
    await set({ available_languages: ['en', 'de', 'sv'], multilingual: true }, keeper);
    expect((await get('/@site', 'anonymous')).features.multilingual).toBe(true);
    const english = await get('/en?expand=translations', 'anonymous');
    expect(english).toMatchObject({
      '@type': 'LRF',
      title: 'English',
      review_state: 'published',
      language: { token: 'en' },
    });
    expect(Object.values(english.blocks)).toEqual([{ '@type': 'title' }]);
    expect(await get('/de/assets', 'anonymous')).toMatchObject({
      '@type': 'LIF',
      title: 'Assets',
      exclude_from_nav: true,
    });
    expect(english['@components'].translations).toMatchObject({
      items: [{ '@id': `${site.url}/de`, language: 'de' }],
      root: { en: `${site.url}/en`, de: `${site.url}/de` },
    });
    expect((await get('/de', 'anonymous')).title).toBe('Deutsch');
    expect((await get('/sv'))['@type']).toBe('Document');
    await get('/', 'anonymous');
    const made = await site.request('POST', '/de', { json: { '@type': 'Document', title: 'Seite' } });
    expect(made.body).toMatchObject({ '@id': `${site.url}/de/seite`, language: { token: 'de' } });
    expect((await get('/de/seite'))['@components']).toHaveProperty('translations');
  });

  it('A further language gets its folder, and a site that goes back to one language loses nothing.', async () => {
    await set({ available_languages: ['en', 'de', 'sv', 'fr'] });
    expect((await get('/fr/@translations', 'anonymous')).items.map(({ language }: Json) => language)).toEqual([
      'de',
      'en',
    ]);
    await set({ multilingual: false });
    expect((await get('/de/seite'))['@components']).not.toHaveProperty('translations');
    expect((await get('/de/seite')).title).toBe('Seite');
    await set({ multilingual: true });
    expect((await get('/fr/@translations')).items).toHaveLength(2);
    expect((await get('/@search?portal_type=LRF')).items_total).toBe(3);
  });

  it('Who may not change the language settings makes no folders.', async () => {
    const editor = await addPerson(site, { id: 'editor', roles: ['Member', 'Editor'] });
    const json = { available_languages: ['en', 'de', 'sv', 'fr', 'it'] };
    expect((await site.request('PATCH', '/@controlpanels/language', { json, as: editor })).status).toBe(403);
    expect((await site.request('GET', '/it')).status).toBe(404);
  });
});

describeEachEngine('a multilingual site of the default profile', (engine) => {
  const site = useTestSite(engine);

  it('Editors add the folders of languages, and every object lists its translations.', async () => {
    const json = { multilingual: true };
    expect((await site.request('PATCH', '/@controlpanels/language', { json })).status).toBe(204);
    expect((await site.request('GET', '/en')).status).toBe(404);
    const folder = { '@type': 'LRF', id: 'en', title: 'English', language: 'en' };
    expect((await site.request('POST', '/', { json: folder })).status).toBe(201);
    expect((await site.request('GET', '/en')).body['@components']).toHaveProperty('translations');
    expect((await site.request('GET', '/')).body['@components']).toHaveProperty('translations');
  });
});
