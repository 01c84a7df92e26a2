import { expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const RULES = '/@controlpanels/content-rules';

describeEachEngine('forms and panels that clients of Plone expect', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const read = async (path: string, options?: RequestOptions): Promise<Json> => {
    const { status, body, text } = await site.request('GET', path, options);
    expect(status, text).toBe(200);
    return body;
  };
  const patch = (path: string, json: Json) => site.request('PATCH', path, { json });

  it('Rules are listed under the titles of their events, by which their list is filtered.', async () => {
    const { items: events } = await read('/@vocabularies/plone.contentrules.events?b_size=-1');
    const [added] = events;
    expect(added).toEqual({ token: 'Content added to this container', title: 'Content added to this container' });
    for (const event of [added.token, 'onAfterModified', 'Comment added'])
      expect((await site.request('POST', RULES, { json: { title: event, event } })).status).toBe(201);
    const triggers = async (language: string): Promise<Json[]> =>
      (await read(RULES, { headers: { 'Accept-Language': language } })).items[0];
    expect((await triggers('en')).map(({ trigger, event }) => [trigger, event])).toEqual([
      [added.title, added.token],
      ['Content changed', 'Content changed'],
      ['Comment added', 'Comment added'],
    ]);
    const [{ '@id': rule }] = await triggers('en');
    expect(await read(rule)).toMatchObject({ trigger: added.title, event: added.token });
    const switched = { title: 'On additions', event: added.token, enabled: false };
    expect((await site.request('PATCH', rule, { json: switched })).status).toBe(204);
    expect((await site.request('POST', '/@content-rules/content-added-to-this-container')).status).toBe(201);
    const { assigned_rules: assigned } = (await read('/@content-rules'))['content-rules'];
    expect(assigned).toMatchObject([{ title: 'On additions', trigger: added.title }]);
  });

  it('The schema of a page has the limits, fieldsets and defaults of Plone.', async () => {
    const { properties, fieldsets } = await read('/@types/Document');
    expect([properties.title.maxLength, properties.description.maxLength]).toEqual([1024, 10_000]);
    expect(properties.language.default).toBe('en');
    expect(properties.creators.items).toMatchObject({ factory: 'Text line (String)', title: '', description: '' });
    expect(properties.relatedItems.items).toMatchObject({ factory: 'Relation Choice', type: 'string' });
    const ids = fieldsets.map(({ id }: Json) => id);
    expect(ids).toEqual(expect.arrayContaining(['default', 'preview_image', 'categorization', 'dates', 'settings']));
    const preview = fieldsets.find(({ id }: Json) => id === 'preview_image');
    expect(preview.fields).toEqual(['preview_image_link', 'preview_caption_link']);
    expect((await read('/@types/File')).properties).toHaveProperty('preview_image_link');
    const post = (title: string) => site.request('POST', '/', { json: { '@type': 'Document', title } });
    expect((await post('t'.repeat(1025))).status).toBe(400);
    expect((await post('t'.repeat(1024))).status).toBe(201);
  });

  it('The language of the form is that of the container.', async () => {
    await site.request('POST', '/', { json: { '@type': 'Document', id: 'nl', title: 'NL', language: 'nl' } });
    expect((await read('/nl/@types/Document')).properties.language.default).toBe('nl');
    expect((await read('/nl/@types/Document/language')).default).toBe('nl');
  });

  it('Types can have the behaviors that Plone has, and content of one links to its neighbours.', async () => {
    const panel = '/@controlpanels/dexterity-types/Document';
    const { properties } = (await read(panel)).schema;
    const names = ['plone.textindexer', 'plone.thumb_icon', 'volto.kicker', 'plone.nextpreviousenabled'];
    for (const name of names) expect(properties, name).toHaveProperty([name]);
    const add = (container: string, id: string) =>
      site.request('POST', container, { json: { '@type': 'Document', id, title: id } });
    await add('/', 'pages');
    await add('/pages', 'a');
    await add('/pages', 'b');
    expect((await read('/pages/a')).next_item).toEqual({});
    const on = Object.fromEntries(names.map((name) => [name, true]));
    expect((await patch(panel, on)).status).toBe(204);
    expect((await read('/pages/a')).next_item).toMatchObject({ '@id': `${site.url}/pages/b` });
    const kicked = await patch('/pages/a', { head_title: 'Kicker', suppress_icons: true, thumb_scale_list: 'mini' });
    expect(kicked.status).toBe(204);
    expect(await read('/pages/a')).toMatchObject({ head_title: 'Kicker', suppress_icons: true });
  });

  it('Plone’s settings without effect are kept, and say so.', async () => {
    const changes: [string, Json][] = [
      ['navigation', { navigation_depth: 5, sitemap_depth: 2 }],
      ['language', { display_flags: true, use_path_negotiation: true }],
      ['site', { exposeDCMetaTags: true, thumb_scale_table: 'icon', toolbar_position: 'top', default_page: ['index'] }],
      [
        'imaging',
        { quality_2x: 70, highpixeldensity_scales: '2x', picture_variants: { small: { title: 'S', sourceset: [] } } },
      ],
      ['security', { enable_user_folders: true }],
      ['editing', { ext_editor: true }],
      ['markup', { markdown_extensions: ['markdown.extensions.extra'] }],
      ['discussion', { captcha: 'disabled', anonymous_email_enabled: true }],
      ['search', { search_results_description_length: 80, search_image_scale: 'thumb' }],
      ['mail', { email_charset: 'iso-8859-1' }],
      ['syndication', { search_rss_enabled: false }],
    ];
    for (const [panel, json] of changes) {
      const sent = await patch(`/@controlpanels/${panel}`, json);
      expect(sent.status, sent.text).toBe(204);
      const { data, schema } = await read(`/@controlpanels/${panel}`);
      for (const [name, value] of Object.entries(json)) {
        const served = data[name]?.token ?? data[name];
        expect(served, name).toEqual(value);
        expect(schema.properties[name].description, name).toMatch(/^Without effect/);
      }
    }
    expect((await patch('/@controlpanels/site', { toolbar_position: 'below' })).status).toBe(400);
    expect(await read('/@registry/plone.quality_2x')).toBe(70);
    expect((await patch('/@registry', { 'plone.display_flags': false })).status).toBe(204);
  });

  it('The panel of Volto and that of the site have the same address of the front end.', async () => {
    const panels: Json[] = await read('/@controlpanels');
    expect(panels.map((panel) => panel['@id'])).toContain(`${site.url}/@controlpanels/volto-settings`);
    const json = { frontend_domain: 'https://front.example.org' };
    expect((await patch('/@controlpanels/volto-settings', json)).status).toBe(204);
    expect((await read('/@controlpanels/site')).data.frontend_domain).toBe('https://front.example.org');
    expect((await patch('/@controlpanels/site', { frontend_domain: 'https://other.example.org' })).status).toBe(204);
    expect((await read('/@controlpanels/volto-settings')).data).toEqual({
      frontend_domain: 'https://other.example.org',
    });
    expect(await read('/@registry/volto.frontend_domain')).toBe('https://other.example.org');
  });

  it('Users keep what they prefer, in values that there are.', async () => {
    const as = await addPerson(site, { id: 'pat', roles: ['Member'] });
    const json = { language: 'de', timezone: 'Europe/Berlin', wysiwyg_editor: 'TinyMCE', visible_ids: true };
    const sent = await site.request('PATCH', '/@users/pat', { json, as });
    expect(sent.status, sent.text).toBe(204);
    const { language, timezone, wysiwyg_editor: editor, visible_ids: visible } = await read('/@users/pat', { as });
    expect([language.token, timezone.token, editor.token, visible]).toEqual(['de', 'Europe/Berlin', 'TinyMCE', true]);
    for (const wrong of [{ language: 'xx' }, { timezone: 'Moon/Base' }, { wysiwyg_editor: 'Emacs' }])
      expect((await site.request('PATCH', '/@users/pat', { json: wrong, as })).status).toBe(400);
    expect((await read('/@userschema')).properties).not.toHaveProperty('timezone');
  });

  it('The vocabularies of Plone have their terms.', async () => {
    const terms = async (name: string, options?: RequestOptions) =>
      (await read(`/@vocabularies/plone.app.${name}?b_size=-1`, options)).items;
    expect((await terms('vocabularies.AvailableEditors')).map(({ token }: Json) => token)).toEqual(['TinyMCE', 'None']);
    expect((await terms('vocabularies.WeekdaysAbbr'))[0]).toEqual({ token: '0', title: 'Mon' });
    expect(await terms('vocabularies.Month')).toHaveLength(12);
    const german = { headers: { 'Accept-Language': 'de' } };
    await patch('/@controlpanels/language', { available_languages: ['en', 'de'], use_request_negotiation: true });
    expect((await terms('vocabularies.Month', german))[2]).toEqual({ token: '2', title: 'März' });
    expect((await terms('vocabularies.Actions')).map(({ token }: Json) => token)).toContain('portal_tabs');
    expect(await terms('vocabularies.Skins')).toHaveLength(1);
    expect((await terms('vocabularies.SyndicationFeedTypes'))[0]).toEqual({ token: 'RSS', title: 'RSS' });
    expect(await terms('discussion.vocabularies.TextTransformVocabulary')).toContainEqual({
      token: 'text/plain',
      title: 'Plain text',
    });
  });
});
