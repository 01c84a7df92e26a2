import { beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, RequestOptions } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const OPERATION = 'plone.app.querystring.operation';

describeEachEngine('answers that clients of Plone expect', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const read = async (path: string, options?: RequestOptions): Promise<Json> => {
    const { status, body, text } = await site.request('GET', path, options);
    expect(status, text).toBe(200);
    return body;
  };
  const paths = (items: Json[]) => items.map((item) => item['@id'].slice(site.url.length));

  beforeAll(async () => {
    await make(site.kernel, '/', { '@type': 'Document', id: 'box', title: 'Box' });
    for (const id of ['a', 'b', 'c']) await make(site.kernel, '/box', { '@type': 'Document', id, title: id });
  });

  it('What a folder lists are whole objects with the keys of summaries.', async () => {
    const image = { data: PNG, encoding: 'base64', filename: 'dot.png', 'content-type': 'image/png' };
    await make(site.kernel, '/', { '@type': 'Document', id: 'mixed', title: 'Mixed' });
    const { body } = await site.request('POST', '/mixed', { json: { '@type': 'Image', id: 'dot', image } });
    const link = { '@type': 'Link', id: 'away', title: 'Away', remoteUrl: 'https://example.org' };
    await site.request('POST', '/mixed', { json: link });
    const event = { '@type': 'Event', id: 'party', title: 'Party', start: '2031-05-01T10:00:00Z' };
    await site.request('POST', '/mixed', { json: event });
    await make(site.kernel, '/mixed', { '@type': 'Document', id: 'shown', title: 'S', preview_image_link: body.UID });
    const [dot, away, party, shown] = (await read('/mixed')).items;
    expect(dot).toMatchObject({
      ...{ id: 'dot', UID: body.UID, image_field: 'image', mime_type: 'image/png', getObjSize: '1 KB' },
      ...{ getRemoteUrl: null, head_title: null, start: null, end: null },
      image: { width: 1 },
      image_scales: { image: [{ width: 1, download: expect.stringMatching(/^@@images\/image-1-/) }] },
    });
    expect(away).toMatchObject({ remoteUrl: 'https://example.org', getRemoteUrl: 'https://example.org' });
    expect(party).toMatchObject({ start: '2031-05-01T10:00:00.000Z', image_field: '', image_scales: null });
    expect(shown).toMatchObject({
      image_field: 'preview_image_link',
      image_scales: { preview_image_link: [{ base_path: '/mixed/dot' }] },
    });
    const [summary] = (await read('/@search?path.query=/mixed/dot')).items;
    const keys = ['image_field', 'image_scales', 'getRemoteUrl', 'getObjSize', 'mime_type', 'head_title', 'nav_title'];
    for (const key of keys) expect(dot[key], key).toEqual(summary[key]);
  });

  it('An order of children that is not that of the server moves nothing, to whatever place.', async () => {
    for (const delta of [1, 'top', 'bottom']) {
      const ordering = { obj_id: 'b', delta, subset_ids: ['c', 'b', 'a'] };
      const { status, body } = await site.request('PATCH', '/box', { json: { ordering } });
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^Client\/server ordering mismatch/)]);
    }
    expect(paths((await read('/box')).items)).toEqual(['/box/a', '/box/b', '/box/c']);
    const ordering = { obj_id: 'b', delta: 'top', subset_ids: ['a', 'b', 'c'] };
    expect((await site.request('PATCH', '/box', { json: { ordering } })).status).toBe(204);
    expect(paths((await read('/box')).items)).toEqual(['/box/b', '/box/a', '/box/c']);
  });

  it('Content is in a language that there is.', async () => {
    const json = { '@type': 'Document', title: 'Words', language: 'xx' };
    const { status, body } = await site.request('POST', '/', { json });
    expect([status, body.message]).toEqual([400, expect.stringContaining('language')]);
    expect((await site.request('PATCH', '/box', { json: { language: 'klingon-x' } })).status).toBe(400);
    expect((await site.request('PATCH', '/box', { json: { language: { token: 'nl' } } })).status).toBe(204);
    expect((await read('/box')).language).toEqual({ token: 'nl', title: 'Nederlands' });
  });

  it('Breadcrumbs name the navigation root by its address, also on the root.', async () => {
    expect((await read('/box/a/@breadcrumbs')).root).toBe(site.url);
    expect(await read('/@breadcrumbs')).toEqual({ '@id': `${site.url}/@breadcrumbs`, items: [], root: site.url });
    const { body } = await site.request('GET', '/');
    expect(Object.keys(body['@components'])).toEqual(expect.arrayContaining(['breadcrumbs', 'aliases']));
  });

  it('Aliases are a component: whole for those who manage them, a link for others.', async () => {
    await site.request('POST', '/box/@aliases', { json: { items: [{ path: '/carton' }] } });
    await site.request('POST', '/box/@workflow/publish', { json: {} });
    const aliases = (options?: RequestOptions, path = '/box') =>
      read(`${path}?expand=aliases`, options).then((body) => body['@components'].aliases);
    expect(await aliases()).toMatchObject({ items: [{ path: '/carton', 'redirect-to': '/box' }], items_total: 1 });
    expect(await aliases({ as: 'anonymous' })).toEqual({ '@id': `${site.url}/box/@aliases` });
    expect(await aliases(undefined, '')).toMatchObject({ '@id': `${site.url}/@aliases`, items_total: 1 });
    expect((await aliases({ as: 'anonymous' }, '')).items).toBeUndefined();
  });

  it('The navigation begins at home, and so do the tabs.', async () => {
    const home = { '@id': site.url, title: 'Home', description: '', items: [], review_state: null };
    expect((await read('/box/a/@navigation')).items[0]).toMatchObject(home);
    const { portal_tabs: tabs } = await read('/@actions');
    expect(tabs).toEqual([{ id: 'index_html', title: 'Home', icon: 'plone-home', url: site.url }]);
    await site.request('PATCH', '/@controlpanels/language', {
      json: { multilingual: true, available_languages: ['en', 'de'], default_language: 'en' },
    });
    expect((await read('/de/@navigation')).items[0]).toMatchObject({ '@id': `${site.url}/de`, title: 'Home' });
    await site.request('PATCH', '/@controlpanels/language', { json: { multilingual: false } });
  });

  it('A condition on an unknown index is passed over.', async () => {
    const unknown = { i: 'colour', o: `${OPERATION}.string.is`, v: 'red' };
    const known = { i: 'getId', o: `${OPERATION}.string.is`, v: 'a' };
    const search = async (path: string, query: Json[]) => {
      const { status, body, text } = await site.request('POST', `${path}/@querystring-search`, { json: { query } });
      expect(status, text).toBe(200);
      return paths(body.items);
    };
    expect(await search('', [unknown, known])).toEqual(['/box/a']);
    const all = await search('/box/b', [unknown]);
    expect(all).toEqual(expect.arrayContaining(['/box', '/box/a']));
    expect(all).not.toContain('/box/b');
  });

  it('Content is found by the interfaces that Plone knows it by, and has the columns of Plone.', async () => {
    const found = async (name: string) => (await read(`/@search?object_provides=${name}&b_size=0`)).items_total;
    const of = async (type: string) =>
      (await read(`/@search?portal_type=${encodeURIComponent(type)}&b_size=0`)).items_total;
    expect(await found('plone.app.contenttypes.interfaces.IDocument')).toBe(await of('Document'));
    expect(await found('plone.app.contenttypes.interfaces.IImage')).toBe(await of('Image'));
    expect(await found('plone.base.interfaces.siteroot.IPloneSiteRoot')).toBe(1);
    expect(await found('plone.dexterity.interfaces.IDexterityContent')).toBe(
      (await read('/@search?b_size=0')).items_total,
    );
    expect(await found('plone.leadimage')).toBe(0);
    expect(await found('no.such.interface')).toBe(0);
    const [item] = (await read('/@search?getId=box&metadata_fields=_all')).items;
    const names = [
      'CreationDate',
      'EffectiveDate',
      'ExpirationDate',
      'Subject',
      'Type',
      'cmf_uid',
      'getIcon',
      'getPath',
    ];
    for (const name of [...names, 'is_working_copy', 'listCreators', 'sync_uid', 'total_comments', 'in_response_to'])
      expect(item, name).toHaveProperty(name);
  });

  it('A working copy is called by what it is of, and representations have an empty note on the change.', async () => {
    await make(site.kernel, '/', { '@type': 'Document', id: 'draft', title: 'Draft' });
    const { status, body } = await site.request('POST', '/draft/@workingcopy', { json: {} });
    expect([status, body['@id']]).toEqual([201, `${site.url}/working_copy_of_draft`]);
    expect((await read('/draft')).changeNote).toBe('');
    const [item] = (await read('/@search?getId=working_copy_of_draft&metadata_fields=is_working_copy')).items;
    expect(item.is_working_copy).toBe(true);
    expect((await site.request('DELETE', '/draft/@workingcopy')).status).toBe(204);
  });

  it('An error names the nearest content that the caller may view, and nothing else.', async () => {
    await make(site.kernel, '/box', { '@type': 'Document', id: 'vault', title: 'Vault' });
    await make(site.kernel, '/box/vault', { '@type': 'Document', id: 'gem', title: 'Gem' });
    const context = async (path: string, options?: RequestOptions) =>
      (await site.request('GET', path, options)).body.context;
    expect(await context('/box/vault/gem/nothing')).toBe(`${site.url}/box/vault/gem`);
    const anonymous: RequestOptions = { as: 'anonymous' };
    expect(await context('/box/vault/gem', anonymous)).toBe(`${site.url}/box`);
    expect(await context('/box/vault/gem/nothing', anonymous)).toBe(`${site.url}/box`);
    expect(await context('/box/nothing', anonymous)).toBe(`${site.url}/box`);
    await site.request('POST', '/box/@workflow/retract', { json: {} });
    await site.request('POST', '/@workflow/retract', { json: {} });
    expect(await context('/box/vault', anonymous)).toBeNull();
    await site.request('POST', '/@workflow/publish', { json: {} });
    expect(await context('/box/vault', anonymous)).toBe(site.url);
    const { body } = await site.request('POST', '/box', { json: { '@type': 'Nothing' } });
    expect(body).toMatchObject({ context: `${site.url}/box`, type: 'Forbidden' });
  });

  it('Conditions on the author offer the users, to those who may know them.', async () => {
    const as = await addPerson(site, { id: 'ann', roles: ['Member', 'Editor'] });
    const values = async (options?: RequestOptions) => (await read('/@querystring', options)).indexes.Creator.values;
    expect(await values()).toHaveProperty('ann');
    expect(await values({ as })).toHaveProperty('ann');
    expect(await values({ as: 'anonymous' })).toEqual({});
  });
});
