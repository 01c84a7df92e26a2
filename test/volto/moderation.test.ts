import { beforeAll, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('comments as Volto moderates them', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const people: Record<string, Who> = {};

  const done = async (status: number, method: string, path: string, json?: Json, as: Who = 'admin'): Promise<Json> => {
    const response = await site.request(method, path, { as, ...(json !== undefined && { json }) });
    expect(response.status, `${method} ${path}: ${response.text}`).toBe(status);
    return response.body;
  };
  const comment = async (path: string, text: string, as: Who): Promise<void> => {
    await done(204, 'POST', `${path}/@comments`, { text }, as);
  };
  const found = (query: string, as: Who = 'admin', path = ''): Promise<Json> =>
    done(200, 'GET', `${path}/@search?portal_type=Discussion%20Item&sort_on=created${query}`, undefined, as);
  const texts = async (query: string, as: Who = 'admin', path = ''): Promise<string[]> =>
    (await found(`&fullobjects=true${query}`, as, path)).items.map(({ text }: Json) => text.data);

  beforeAll(async () => {
    for (const id of ['ann', 'bob', 'keeper']) people[id] = await addPerson(site, { id });
    for (const id of ['open', 'shut']) await done(201, 'POST', '/', { '@type': 'Document', id, title: `The ${id}` });
    await done(201, 'POST', '/open', { '@type': 'Document', id: 'inner', title: 'Inner' });
    for (const path of ['/open', '/open/inner']) await done(200, 'POST', `${path}/@workflow/publish`, {});
    await done(204, 'PATCH', '/shut', { allow_discussion: true });
  });

  it('A new page has no form for comments.', async () => {
    expect((await done(200, 'GET', '/open')).allow_discussion).toBe(false);
    await done(403, 'POST', '/open/@comments', { text: 'First' }, people.ann);
    expect((await done(200, 'GET', '/@controlpanels/discussion')).data.globally_enabled).toBe(false);
  });

  it('The list of comments has those that each reader may see, with whom and what they are about.', async () => {
    await done(204, 'PATCH', '/@controlpanels/discussion', { globally_enabled: true, moderation_enabled: true });
    for (const path of ['/open', '/open/inner']) await done(204, 'PATCH', path, { allow_discussion: true });
    await comment('/open', 'Wait for it', people.ann ?? 'admin');
    await comment('/open/inner', 'Published', 'admin');
    await comment('/shut', 'Secret', 'admin');
    expect(await texts('')).toEqual(['Wait for it', 'Published', 'Secret']);
    expect(await texts('&sort_order=descending')).toEqual(['Secret', 'Published', 'Wait for it']);
    expect(await texts('', people.ann)).toEqual(['Wait for it', 'Published']);
    expect(await texts('', people.bob)).toEqual(['Published']);
    expect(await texts('', 'anonymous')).toEqual(['Published']);
    expect(await texts('&review_state=pending')).toEqual(['Wait for it']);
    expect(await texts('&Creator=admin&SearchableText=secr*')).toEqual(['Secret']);
    expect(await texts('', 'admin', '/open/inner')).toEqual(['Published']);
    expect(await texts('&path.query=/open&path.depth=0')).toEqual(['Wait for it']);
    const { items, items_total: total } = await found('&b_size=1&b_start=1');
    expect([total, items.length]).toEqual([3, 1]);
    const [item] = (await found('&fullobjects=1&review_state=pending')).items;
    expect(item).toMatchObject({
      '@id': expect.stringContaining(`${site.url}/open/@comments/`),
      '@type': 'Discussion Item',
      author_username: 'ann',
      in_response_to: 'The open',
      review_state: 'pending',
      is_deletable: true,
      is_editable: false,
    });
    expect((await done(200, 'GET', item['@id'])).text.data).toBe('Wait for it');
    expect((await found('')).items[0]).toMatchObject({ title: 'ann: The open', description: 'Wait for it' });
  });

  it('Somebody who reviews one folder sees what waits there.', async () => {
    const entries = [{ id: 'keeper', type: 'user', roles: { Reviewer: true } }];
    await done(204, 'POST', '/open/@sharing', { entries });
    expect(await texts('', people.keeper)).toEqual(['Wait for it', 'Published']);
    await comment('/open/inner', 'Later', people.ann ?? 'admin');
    expect(await texts('&review_state=pending', people.keeper)).toEqual(['Wait for it', 'Later']);
    expect(await texts('&review_state=pending', people.bob)).toEqual([]);
    const [item] = (await found('&review_state=pending', people.keeper)).items;
    await done(204, 'POST', `${item['@id']}/@workflow/publish`, {}, people.keeper);
    expect(await texts('', 'anonymous')).toEqual(['Wait for it', 'Published']);
  });

  it('Listings have the figures of published comments when they are asked for.', async () => {
    const columns = ['total_comments', 'commentators', 'last_comment_date', 'author_name', 'in_response_to'];
    const query = columns.map((name) => `metadata_fields=${name}`).join('&');
    const list = await done(200, 'GET', `/@search?portal_type=Document&${query}`, undefined, 'anonymous');
    const of = (path: string) => list.items.find((item: Json) => item['@id'] === `${site.url}${path}`);
    expect(of('/open')).toMatchObject({
      total_comments: 1,
      commentators: ['ann'],
      last_comment_date: expect.stringMatching(/^\d{4}-/),
      author_name: null,
    });
    const all = await done(200, 'GET', '/@search?portal_type=Document&metadata_fields=_all');
    expect(all.items.every((item: Json) => typeof item.total_comments === 'number')).toBe(true);
    expect((await done(200, 'GET', '/@search?portal_type=Document')).items[0]).not.toHaveProperty('total_comments');
  });

  it('Content is found by the number and the authors of its published comments.', async () => {
    const paths = ({ items }: Json) => items.map((item: Json) => item['@id'].slice(site.url.length)).toSorted();
    const search = async (query: string) =>
      paths(await done(200, 'GET', `/open/@search?portal_type=Document&${query}`));
    expect(await search('total_comments=1')).toEqual(['/open', '/open/inner']);
    expect(await search('commentators=ann')).toEqual(['/open']);
    expect(await search('commentators=nobody')).toEqual([]);
    await done(201, 'POST', '/open', { '@type': 'Document', id: 'silent', title: 'Silent', allow_discussion: true });
    expect(await search('total_comments=0')).toEqual(['/open/silent']);
    expect(await search('total_comments.query=1&total_comments.range=min')).toEqual(['/open', '/open/inner']);
    const sorted = await done(200, 'GET', '/open/@search?portal_type=Document&sort_on=total_comments');
    expect(sorted.items[0].title).toBe('Silent');
    const operation = 'plone.app.querystring.operation';
    const rows = [
      { i: 'path', o: `${operation}.string.absolutePath`, v: '/open' },
      { i: 'portal_type', o: `${operation}.selection.any`, v: ['Document'] },
    ];
    const listed = async (row: Json) =>
      paths(await done(200, 'POST', '/@querystring-search', { query: [...rows, row] }));
    expect(await listed({ i: 'total_comments', o: `${operation}.int.is`, v: 0 })).toEqual(['/open/silent']);
    expect(await listed({ i: 'total_comments', o: `${operation}.int.largerThan`, v: 1 })).not.toContain('/open/silent');
    expect(await listed({ i: 'commentators', o: `${operation}.selection.any`, v: ['ann'] })).toContain('/open');
    await done(200, 'POST', '/open/silent/@workflow/publish');
    await comment('/open/silent', 'No longer', people.ann ?? 'admin');
    const { items } = await found('&review_state=pending');
    const waiting = items.find(({ in_response_to: on }: Json) => on === 'Silent');
    expect(await search('total_comments=0')).toEqual(['/open/silent']);
    await done(204, 'POST', `${waiting['@id']}/@workflow/publish`);
    expect(await search('total_comments=0')).toEqual([]);
    await done(204, 'DELETE', '/open/silent');
    await done(400, 'GET', '/@search?total_comments=several');
  });

  it('Comments have the columns of the catalog, and criteria for listings offer them by their type.', async () => {
    const { items } = await done(200, 'GET', '/@search?portal_type=Discussion Item&metadata_fields=_all');
    expect(items[0]).toMatchObject({ Type: 'Comment', UID: items[0].id, getURL: items[0]['@id'], is_folderish: false });
    expect(items[0]).toMatchObject({ total_comments: null, Title: items[0].title, Description: items[0].description });
    const some = await done(200, 'GET', '/@search?portal_type=Discussion Item&metadata_fields=UID');
    expect(Object.keys(some.items[0])).toEqual(expect.arrayContaining(['UID', 'author_name']));
    expect(some.items[0]).not.toHaveProperty('Title');
    const { indexes } = await done(200, 'GET', '/@querystring');
    expect(indexes.portal_type.values['Discussion Item']).toEqual({ title: 'Comment' });
    const operation = 'plone.app.querystring.operation.selection.any';
    const query = [{ i: 'portal_type', o: operation, v: ['Discussion Item'] }];
    const listed = await done(200, 'POST', '/@querystring-search', { query, b_size: 50 });
    expect(listed.items_total).toBe(items.length);
    const seen = await done(200, 'POST', '/@querystring-search', { query }, 'anonymous');
    expect(seen.items_total).toBeLessThan(items.length);
  });

  it('What a folder holds has the figures of comments when all columns are asked for.', async () => {
    const all = await done(200, 'GET', '/?metadata_fields=_all');
    expect(all.items.every((item: Json) => typeof item.total_comments === 'number')).toBe(true);
    expect((await done(200, 'GET', '/')).items[0]).not.toHaveProperty('total_comments');
  });

  it('The footer offers no page that is not there.', async () => {
    const { site_actions: actions } = await done(200, 'GET', '/@actions', undefined, 'anonymous');
    expect(actions.map(({ id }: Json) => id)).toEqual(['sitemap', 'contact']);
  });
});
