import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenOf } from '../content/people.ts';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('the language of the reader', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let page: Json;
  beforeAll(async () => {
    site = await startTestSite(engine, {
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    page = await add('/', 'Page', { language: 'en' });
  });
  afterAll(() => site.close());
  const { add, request } = binOf(() => site);

  const ask = (path: string, language?: string, as: Who = 'admin') =>
    request('GET', path, { as, headers: language === undefined ? {} : { 'Accept-Language': language } });
  const read = async (path: string, language?: string): Promise<Json> => (await ask(path, language)).body;

  it('titles of types, fields and fieldsets are in the language of the reader, but not their names', async () => {
    const titles = async (language?: string) =>
      Object.fromEntries((await read('/@types', language)).map(({ id, title }: Json) => [id, title]));
    expect(await titles('nl')).toMatchObject({ Page: 'Pagina', Folder: 'Map', File: 'Bestand' });
    expect(await titles('sv-FI, nl;q=0.5')).toMatchObject({ Page: 'Sida' });
    for (const language of [undefined, 'en', 'tlh', '*', 'de'])
      expect(await titles(language), `${language}: none of the site's`).toMatchObject({
        Page: 'Page',
        Folder: 'Folder',
      });
    const [english, dutch] = [await read('/@types/Page'), await read('/@types/Page', 'nl')];
    expect([dutch.title, dutch.properties.title.title]).toEqual(['Pagina', 'Titel']);
    expect(dutch.fieldsets.map(({ id }: Json) => id)).toEqual(english.fieldsets.map(({ id }: Json) => id));
    expect(dutch.fieldsets[0].title).toBe('Standaard');
    expect((await read('/@types/Page/title', 'nl')).title).toBe('Titel');
    expect((await read('/@userschema', 'nl')).properties.fullname.title).toBe('Volledige naam');
  });

  it('titles of states, transitions, actions, roles and control panels are in the language of the reader', async () => {
    const { state, transitions } = await read(`${page.path}/@workflow`, 'nl');
    expect(state).toEqual({ id: 'private', title: 'Privé' });
    expect(transitions.map(({ title }: Json) => title)).toContain('Publiceren');
    const { object } = await read(`${page.path}/@actions`, 'nl');
    expect(object.find(({ id }: Json) => id === 'edit').title).toBe('Bewerken');
    expect((await read('/@roles', 'nl')).find(({ id }: Json) => id === 'Editor').title).toBe('Redacteur');
    const panels = await read('/@controlpanels', 'nl');
    expect(panels.find((panel: Json) => panel['@id'].endsWith('/language')).title).toBe('Taal');
    const panel = await read('/@controlpanels/language', 'nl');
    expect(panel.schema.properties.default_language.title).toBe('Taal van de site');
  });

  it('type titles in content are in the language of the reader, also in the response to a write, and are never stored so', async () => {
    const headers = { 'Accept-Language': 'nl' };
    const json = { '@type': 'Page', title: 'New', language: 'en' };
    const { body } = await request('POST', '/', { json, headers });
    expect(body.type_title).toBe('Pagina');
    const path = new URL(body['@id']).pathname;
    expect((await read(path)).type_title).toBe('Page');
    expect((await read(`${path}?expand=types,workflow`, 'nl'))['@components'].workflow.state.title).toBe('Privé');
    expect((await read(`/@search?UID=${body.UID}&metadata_fields=_all`)).items[0].type_title).toBe('Page');
    expect((await read(`/@search?UID=${body.UID}&metadata_fields=_all`, 'nl')).items[0].type_title).toBe('Pagina');
  });

  it('messages of rejected requests are in the language of the reader', async () => {
    const refused = await ask(page.path, 'nl', 'anonymous');
    expect([refused.status, refused.body.message]).toEqual([401, 'U bent niet gemachtigd om deze bron te openen.']);
    expect((await ask(page.path, 'tlh', 'anonymous')).body.message).toMatch(/^You are not authorized/);
    const headers = { 'Accept-Language': 'sv' };
    const { body } = await request('POST', '/', { json: { '@type': 'Event', title: '' }, headers });
    expect(body.errors).toContainEqual({
      field: 'title',
      message: expect.stringMatching(/^En obligatorisk/),
      error: 'ValidationError',
    });
  });

  it('cached responses are separate for each language of readers', async () => {
    const admin = await tokenOf(site, 'admin');
    const path = `${page.path}?expand=workflow`;
    const stateIn = async (language?: string) => {
      const { body, headers } = await ask(path, language, admin);
      expect(headers.get('vary')).toContain('Accept-Language');
      return [body['@components'].workflow.state.title, headers.get('etag')];
    };
    const english = await stateIn();
    const dutch = await stateIn('nl');
    expect([english[0], dutch[0]]).toEqual(['Private', 'Privé']);
    expect(english[1]).not.toBe(dutch[1]);
    for (let round = 0; round < 2; round += 1) {
      expect(await stateIn('nl, en;q=0.1')).toEqual(dutch);
      expect(await stateIn('en')).toEqual(english);
      expect(await stateIn('sv')).toMatchObject(['Privat', expect.any(String)]);
    }
    // Different headers that select the same language share one cached response.
    const asked = await database.during(() => stateIn('nl-NL;q=0.9'));
    expect(asked.filter((name) => name !== 'site-poll')).toEqual([]);
    expect((await ask('/@controlpanels', 'nl')).headers.get('vary')).toContain('Accept-Language');
  });

  it('the language of responses follows a change of the site’s languages at once', async () => {
    const admin = await tokenOf(site, 'admin');
    const title = async (language?: string) => (await ask(page.path, language, admin)).body.type_title;
    expect([await title('de'), await title()]).toEqual(['Page', 'Page']);
    const set = (json: Json) => request('PATCH', '/@controlpanels/language', { json });
    expect((await set({ available_languages: ['en', 'de'] })).status).toBe(204);
    expect([await title('de'), await title('nl'), await title()]).toEqual(['Seite', 'Page', 'Page']);
    expect((await set({ default_language: 'de' })).status).toBe(204);
    expect([await title(), await title('nl'), await title('en')]).toEqual(['Seite', 'Seite', 'Page']);
    await set({ available_languages: ['en', 'nl', 'sv'], default_language: 'en' });
    expect(await title('nl')).toBe('Pagina');
  });

  it('titles that a Manager has changed are not translated', async () => {
    const own = await add('/', 'Page', { title: 'Edit' });
    expect((await read(own.path, 'nl')).title).toBe('Edit');
  });
});
