import { expect } from 'vitest';
import { reindexSite } from '../../../src/core/content/reindex-site.ts';
import { saveFileText, takeFile } from '../../../src/core/files/statements/file-texts.ts';
import { fileWords } from '../../../src/core/search/indexed-words.ts';
import { addPerson } from '../../content/people.ts';
import { slate } from '../../search/make.ts';
import type { Json } from '../../support/site.ts';
import type { EffectSite, Effects } from './effect.ts';

const PIXEL = 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=';
const LOGO = `filenameb64:${Buffer.from('logo.gif').toString('base64')};datab64:${PIXEL}`;

/** A setting that `@site` serves to front ends, under its name in the registry. */
const told =
  (panel: string, name: string, value: unknown, shown: unknown = value): Effects[string] =>
  async ({ set, read }) => {
    const report = async () => (await read('/@site', { as: 'anonymous' }))[`plone.${name}`];
    expect(await report()).not.toEqual(shown);
    await set(panel, { [name]: value });
    expect(await report()).toEqual(shown);
  };

/** The status of the feed of the site with these settings; before that it is 200. */
const feedIs =
  (status: number, values: Record<string, unknown>): Effects[string] =>
  async ({ set, read, site }) => {
    const before = (await read('/@controlpanels/syndication')).data;
    expect((await site.request('GET', '/RSS')).status).toBe(200);
    await set('syndication', values);
    expect((await site.request('GET', '/RSS')).status).toBe(status);
    await set('syndication', before);
  };

/**
 * A weight of the order by relevance decides whether content with a word in one part, created by `make`, is listed before
 * content with it in another part.
 */
const weighs =
  (name: string, make: (context: EffectSite, word: string) => Promise<string>): Effects[string] =>
  async (context) => {
    const { site, set, read, create, fresh } = context;
    const before = (await read('/@controlpanels/search')).data;
    const word = fresh('zorilla');
    const one = await make(context, word);
    const other = await create(name === 'weight_title' ? { title: 'Other', description: word } : { title: word });
    const found = async () =>
      (await read(`/@search?SearchableText=${word}`)).items.map((item: Json) => item['@id'].slice(site.url.length));
    const all = (weight: number) => ({
      ...{ weight_title: weight, weight_description: weight, weight_text: weight, weight_files: weight },
    });
    await set('search', { ...all(0), [name]: 100 });
    expect(await found()).toEqual([one, other]);
    await set('search', { ...all(100), [name]: 0 });
    expect(await found()).toEqual([other, one]);
    await set('search', before);
  };

/** A file with a word in its extracted text; the row is written directly. */
async function readFile({ site, create }: EffectSite, word: string): Promise<string> {
  const data = Buffer.from(word).toString('base64');
  const file = { data, encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' };
  const path = await create({ '@type': 'File', title: 'Other', file });
  const taken = await takeFile(site.kernel.db);
  await saveFileText(site.kernel.db, taken?.hash ?? '', { text: word, ...fileWords(word) });
  await reindexSite(site.kernel);
  return path;
}

/** Titles of the entries of the navigation of the site. */
const navigation = async ({ read }: Parameters<Effects[string]>[0], path = ''): Promise<string[]> =>
  (await read(`${path}/@navigation`)).items.map(({ title }: { title: string }) => title);

export const SITE_EFFECTS: Effects = {
  'date-and-time.portal_timezone': told('date-and-time', 'portal_timezone', 'Europe/Berlin'),
  'date-and-time.first_weekday': told('date-and-time', 'first_weekday', '6', 6),
  'language.available_languages': told('language', 'available_languages', ['en', 'nl', 'pt-br']),
  'language.default_language': async ({ set, read, create }) => {
    expect((await read(await create())).language.token).toBe('en');
    await set('language', { default_language: 'nl' });
    expect((await read(await create())).language.token).toBe('nl');
    // Mails are written in the default language, and the checks of later settings expect English subjects.
    await set('language', { default_language: 'en' });
  },
  'language.multilingual': async ({ set, read }) => {
    await set('language', { multilingual: true });
    expect((await read('/@site')).features.multilingual).toBe(true);
  },
  'language.use_cookie_negotiation': async ({ set, site, create }) => {
    await set('language', { available_languages: ['en', 'nl'], multilingual: true });
    await create({ '@type': 'LRF', id: 'nl', language: 'nl' });
    const target = async () => {
      const headers = { Accept: '*/*', Cookie: 'I18N_LANGUAGE=nl' };
      return (await site.request('GET', '/@@multilingual-selector', { headers })).headers.get('location');
    };
    expect(await target()).toBe(site.url);
    await set('language', { use_cookie_negotiation: true });
    expect(await target()).toBe(`${site.url}/nl`);
    await set('language', { use_cookie_negotiation: false, multilingual: false });
  },
  'language.use_request_negotiation': async ({ set, site }) => {
    const title = async () => {
      const { body } = await site.request('GET', '/@types/Page', { headers: { 'Accept-Language': 'nl' } });
      return body.properties.title.title;
    };
    await set('language', { available_languages: ['en', 'nl'] });
    expect(await title()).toBe('Titel');
    await set('language', { use_request_negotiation: false });
    expect(await title()).toBe('Title');
    await set('language', { use_request_negotiation: true });
  },
  'language.use_combined_language_codes': async ({ set, read }) => {
    const offered = () => read('/@vocabularies/plone.app.vocabularies.AvailableContentLanguages?token=de-ch');
    expect((await offered()).items_total).toBe(1);
    await set('language', { use_combined_language_codes: false });
    expect((await offered()).items_total).toBe(0);
  },
  'date-and-time.available_timezones': async ({ set, read }) => {
    const offered = () => read('/@vocabularies/plone.app.vocabularies.AvailableTimezones?b_size=5');
    expect((await offered()).items_total).toBeGreaterThan(100);
    await set('date-and-time', { available_timezones: ['Europe/Paris', 'Europe/Berlin'] });
    expect((await offered()).items.map(({ token }: { token: string }) => token)).toEqual([
      'Europe/Berlin',
      'Europe/Paris',
    ]);
  },
  'navigation.generate_tabs': async (context) => {
    await context.create({ title: 'A tab' });
    expect(await navigation(context)).toContain('A tab');
    await context.set('navigation', { generate_tabs: false });
    expect(await navigation(context)).not.toContain('A tab');
    await context.set('navigation', { generate_tabs: true });
  },
  'navigation.nonfolderish_tabs': async (context) => {
    await context.set('navigation', { displayed_types: ['Page', 'Link'] });
    await context.create({ '@type': 'Link', title: 'A leaf', remoteUrl: 'https://example.org' });
    expect(await navigation(context)).toContain('A leaf');
    await context.set('navigation', { nonfolderish_tabs: false });
    expect(await navigation(context)).not.toContain('A leaf');
    await context.set('navigation', { nonfolderish_tabs: true });
  },
  'navigation.sort_tabs_on': async (context) => {
    await context.create({ title: 'Zygote' });
    await context.create({ title: 'Aardvark' });
    const places = async () => {
      const titles = await navigation(context);
      return titles.indexOf('Aardvark') - titles.indexOf('Zygote');
    };
    expect(await places()).toBeGreaterThan(0);
    await context.set('navigation', { sort_tabs_on: 'sortable_title' });
    expect(await places()).toBeLessThan(0);
    await context.set('navigation', { sort_tabs_on: 'getObjPositionInParent' });
  },
  'navigation.sort_tabs_reversed': async (context) => {
    const titles = await navigation(context);
    await context.set('navigation', { sort_tabs_reversed: true });
    expect(await navigation(context)).toEqual(titles.toReversed());
    await context.set('navigation', { sort_tabs_reversed: false });
  },
  'navigation.root': async (context) => {
    const path = await context.create({ title: 'Section' });
    await context.site.request('POST', path, { json: { '@type': 'Page', title: 'In the section' } });
    await context.set('navigation', { root: `${path}/` });
    expect(await navigation(context)).toEqual(['In the section']);
    await context.set('navigation', { root: '/' });
    expect(await navigation(context)).toContain('Section');
  },
  'navigation.parent_types_not_to_query': async (context) => {
    const path = await context.create({ title: 'Closed' });
    await context.site.request('POST', path, { json: { '@type': 'Page', title: 'Within' } });
    const within = async () => JSON.stringify(await context.read('/@navigation?expand.navigation.depth=3'));
    expect(await within()).toContain('Within');
    await context.set('navigation', { parent_types_not_to_query: ['Page'] });
    expect(await within()).not.toContain('Within');
    await context.set('navigation', { parent_types_not_to_query: [] });
  },
  'editing.subjects_of_navigation_root': async ({ set, read, create, site }) => {
    const panel = '/@controlpanels/dexterity-types/section';
    const type = { id: 'section', title: 'Section' };
    expect((await site.request('POST', '/@controlpanels/dexterity-types', { json: type })).status).toBe(201);
    const json = { navigation_root: true, folderish: true };
    expect((await site.request('PATCH', panel, { json })).status).toBe(204);
    await create({ title: 'Outside', subjects: ['outside'] });
    const section = await create({ '@type': 'section', title: 'Section' });
    await site.request('POST', section, { json: { '@type': 'Page', title: 'Inside', subjects: ['inside'] } });
    const tags = async () => {
      const { items } = await read(`${section}/@vocabularies/plone.app.vocabularies.Keywords`);
      return items.map(({ token }: { token: string }) => token);
    };
    expect(await tags()).toEqual(expect.arrayContaining(['inside', 'outside']));
    await set('editing', { subjects_of_navigation_root: true });
    expect(await tags()).toEqual(['inside']);
    await set('editing', { subjects_of_navigation_root: false });
  },
  'site.enable_sitemap': async ({ set, site }) => {
    const statuses = async () => {
      const files = ['/sitemap.xml', '/sitemap.xml.gz', '/llms.txt'].map((path) => site.request('GET', path));
      return (await Promise.all(files)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    await set('site', { enable_sitemap: false });
    expect(await statuses()).toEqual([404, 404, 404]);
    await set('site', { enable_sitemap: true });
  },
  'syndication.allowed': feedIs(404, { allowed: false }),
  'syndication.default_enabled': feedIs(404, { default_enabled: false }),
  'syndication.allowed_feed_types': feedIs(404, { allowed_feed_types: ['atom.xml|Atom'] }),
  'syndication.max_items': async ({ set, site, create }) => {
    await create();
    await create();
    const items = async () => (await site.request('GET', '/RSS')).text.split('<item>').length - 1;
    expect(await items()).toBeGreaterThan(1);
    await set('syndication', { max_items: 1 });
    expect(await items()).toBe(1);
  },
  'syndication.show_author_info': async ({ set, site, create }) => {
    await create({ creators: ['Ann <x>'] });
    const feed = async () => (await site.request('GET', '/RSS', { as: 'anonymous' })).text;
    expect(await feed()).toMatch(/<dc:creator xmlns:dc="[^"]+">Ann &lt;x&gt;<\/dc:creator>/);
    await set('syndication', { show_author_info: false });
    expect(await feed()).not.toContain('dc:creator');
  },
  'syndication.render_body': async ({ set, site, create }) => {
    const target = await create();
    const { UID } = (await site.request('GET', target)).body;
    const link = { type: 'link', data: { url: `${site.url}${target}` }, children: [{ text: 'linked' }] };
    await create({
      blocks: {
        t: { '@type': 'title' },
        s: { '@type': 'slate', plaintext: 'Whole < text', value: [] },
        h: { '@type': 'slate', value: [{ type: 'p', children: [link] }] },
      },
      blocks_layout: { items: ['t', 's', 'h'] },
    });
    const feed = async () => (await site.request('GET', '/RSS', { as: 'anonymous' })).text;
    expect(await feed()).not.toContain('content:encoded');
    await set('syndication', { render_body: true, max_items: 15 });
    const text = await feed();
    expect(text).toContain('&lt;p&gt;Whole &amp;lt; text&lt;/p&gt;&lt;p&gt;linked&lt;/p&gt;</content:encoded>');
    expect(text).not.toContain(`resolveuid/${UID}`);
    await set('syndication', { render_body: false });
  },
  'site.roles_allowed_to_add_keywords': async ({ set, site, create, fresh, read }) => {
    const page = await create({ subjects: ['known tag'] });
    const as = await addPerson(site, { id: fresh('tagger'), roles: ['Editor', 'Contributor'] });
    const tag = (subjects: string[], options = {}) =>
      site.request('PATCH', page, { json: { subjects }, as, ...options });
    expect((await tag(['known tag', 'first tag'])).status).toBe(204);
    await set('site', { roles_allowed_to_add_keywords: ['Manager'] });
    const refused = await tag(['known tag', 'second tag']);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('second tag');
    expect((await read(page)).subjects).toEqual(['known tag', 'first tag']);
    expect((await tag(['first tag'])).status).toBe(204);
    expect((await tag(['first tag', 'known tag'])).status).toBe(400);
    expect((await tag(['first tag', 'third tag'], { as: 'admin' })).status).toBe(204);
    expect((await tag(['third tag', 'first tag'])).status).toBe(204);
    expect(
      (await site.request('POST', '/', { json: { '@type': 'Page', title: 'x', subjects: ['fourth'] }, as })).status,
    ).toBe(400);
    await set('site', { roles_allowed_to_add_keywords: ['Editor'] });
    expect((await tag(['fifth tag'])).status).toBe(204);
    await set('site', { roles_allowed_to_add_keywords: ['Manager', 'Authenticated'] });
  },
  'navigation.displayed_types': async (context) => {
    await context.create({ title: 'Shown by type' });
    expect(await navigation(context)).toContain('Shown by type');
    await context.set('navigation', { displayed_types: ['Folder'] });
    expect(await navigation(context)).not.toContain('Shown by type');
    await context.set('navigation', { displayed_types: ['Folder', 'Page'] });
  },
  'navigation.additional_items': async (context) => {
    await context.set('navigation', { additional_items: 'Elsewhere||https://example.org/' });
    expect((await navigation(context))[0]).toBe('Elsewhere');
  },
  'navigation.show_excluded_items': async (context) => {
    const path = await context.create({ title: 'Excluded', exclude_from_nav: true });
    expect(await navigation(context, path)).not.toContain('Excluded');
    await context.set('navigation', { show_excluded_items: true });
    expect(await navigation(context, path)).toContain('Excluded');
  },
  'navigation.opens_all_branches': async (context) => {
    const { site } = context;
    const section = await context.create({ '@type': 'Folder' });
    const beside = { '@type': 'Folder', id: 'beside', title: 'Beside' };
    await site.request('POST', section, { json: beside });
    await site.request('POST', `${section}/beside`, { json: { ...beside, id: 'inside' } });
    const branches = async () => {
      const { body } = await site.request('GET', `${section}/@contextnavigation`);
      return body.items.map(({ items }: { items: unknown[] }) => items.length);
    };
    expect(await branches()).toEqual([1]);
    await context.set('navigation', { opens_all_branches: false });
    expect(await branches()).toEqual([0]);
  },
  'navigation.filter_on_workflow': async (context) => {
    await context.create({ title: 'Filtered' });
    await context.set('navigation', { filter_on_workflow: true, workflow_states_to_show: ['pending'] });
    expect(await navigation(context)).not.toContain('Filtered');
  },
  'navigation.workflow_states_to_show': async (context) => {
    await context.create({ title: 'In a state' });
    await context.set('navigation', { filter_on_workflow: true, workflow_states_to_show: ['published'] });
    expect(await navigation(context)).toContain('In a state');
    await context.set('navigation', { filter_on_workflow: false });
  },
  'search.types_not_searched': async ({ set, read, create }) => {
    const path = await create({ title: 'Zebra' });
    const found = async () => (await read('/@search?SearchableText=zebra&use_site_search_settings=1')).items_total;
    expect(await found()).toBe(1);
    await set('search', { types_not_searched: ['Page'] });
    expect(await found()).toBe(0);
    await set('search', { types_not_searched: [] });
    expect((await read(path)).title).toBe('Zebra');
  },
  'search.sort_on': async ({ set, read, create }) => {
    for (const title of ['Okapi B', 'Okapi C', 'Okapi A']) await create({ title });
    const titles = async () =>
      (await read('/@search?SearchableText=okapi&use_site_search_settings=1')).items.map(
        ({ title }: { title: string }) => title,
      );
    await set('search', { sort_on: 'sortable_title' });
    expect(await titles()).toEqual(['Okapi A', 'Okapi B', 'Okapi C']);
    await set('search', { sort_on: 'Date' });
    expect(await titles()).toEqual(['Okapi A', 'Okapi C', 'Okapi B']);
  },
  'search.weight_title': weighs('weight_title', ({ create }, title) => create({ title })),
  'search.weight_description': weighs('weight_description', ({ create }, description) =>
    create({ title: 'Other', description }),
  ),
  'search.weight_text': weighs('weight_text', ({ create }, word) => create({ title: 'Other', ...slate(word) })),
  'search.weight_files': weighs('weight_files', readFile),
  'site.site_title': told('site', 'site_title', 'Town of Example'),
  'site.robots_txt': told('site', 'robots_txt', 'User-agent: *\nDisallow: /'),
  'site.site_logo': async ({ site, set, read }) => {
    await set('site', { site_logo: LOGO });
    const address = (await read('/@site'))['plone.site_logo'];
    expect((await site.request('GET', address, { as: 'anonymous' })).bytes.toString('base64')).toBe(PIXEL);
    await set('site', { site_logo: null });
    expect((await read('/@site'))['plone.site_logo']).toBeNull();
  },
  'socialmedia.twitter_username': told('socialmedia', 'twitter_username', '@example'),
  'socialmedia.facebook_app_id': told('socialmedia', 'facebook_app_id', '12345'),
  'socialmedia.facebook_username': told('socialmedia', 'facebook_username', 'example'),
  'socialmedia.share_social_data': async ({ set, read }) => {
    await set('socialmedia', { share_social_data: true, twitter_username: '@shared' });
    expect(await read('/@site')).toMatchObject({ 'plone.twitter_username': '@shared' });
    await set('socialmedia', { share_social_data: false });
    expect(await read('/@site')).toMatchObject({
      'plone.share_social_data': false,
      'plone.twitter_username': null,
    });
  },
};
