import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';
import { contentOf } from './history-site.ts';

describeEachEngine('the history', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, edit, addUser, read, versions, go, transition, configure } = contentOf(() => site);
  const status = async (method: string, path: string, as: Who, json?: Json) =>
    (await site.request(method, path, { as, ...(json ? { json } : {}) })).status;

  it('the history lists versions and states in one order, newest first', async () => {
    const page = await add();
    await edit(page, { title: 'Better' });
    await go(page, 'publish', { comment: 'Good' });
    await edit(page, { title: 'Best' });
    const history: Json[] = await read(`${page}/@history`);
    expect(history.map(({ type, version, action }) => (type === 'workflow' ? action : version))).toEqual([
      2,
      'publish',
      1,
      0,
      'Create',
    ]);
    const [, published] = history;
    expect(published).toMatchObject({
      transition_title: 'Publish',
      review_state: 'published',
      state_title: 'Published',
      comments: 'Good',
      actor: { id: 'admin' },
    });
    expect(history.filter(({ type }) => type === 'workflow').some((entry) => 'version' in entry)).toBe(false);
  });

  it('the history can be requested in pages, with a Link header to the next page', async () => {
    const page = await add();
    for (const title of ['A', 'B', 'C']) await edit(page, { title });
    const all: Json[] = await read(`${page}/@history`);
    const seen: Json[] = [];
    let next: string | undefined = `${site.url}${page}/@history?b_size=2`;
    for (let requests = 0; next !== undefined && requests < 5; requests += 1) {
      const { body, headers } = await site.request('GET', next);
      expect(body.length).toBeLessThanOrEqual(2);
      seen.push(...body);
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(all);
    expect(await status('GET', `${page}/@history?b_size=x`, 'admin')).toBe(400);
  });

  it('the history names actions and states in the language of the reader, if the site has it', async () => {
    const page = await add();
    await go(page, 'publish');
    const names = async (language?: string) => {
      const { body, headers } = await site.request('GET', `${page}/@history`, {
        headers: language === undefined ? {} : { 'Accept-Language': language },
      });
      expect(headers.get('vary')).toContain('Accept-Language');
      return body.map((entry: Json) => [entry.action, entry.transition_title, entry.state_title, entry.comments]);
    };
    const english = [
      ['publish', 'Publish', 'Published', ''],
      ['Edited', 'Edited', undefined, 'Initial version'],
      ['Create', 'Create', 'Private', ''],
    ];
    for (const language of [undefined, 'en', 'tlh', 'de', '*', 'x'.repeat(5000)])
      expect(await names(language), language).toEqual(english);
    const dutch = [
      ['publish', 'Publiceren', 'Gepubliceerd', ''],
      ['Bewerkt', 'Bewerkt', undefined, 'Eerste versie'],
      ['Aanmaken', 'Aanmaken', 'Privé', ''],
    ];
    for (const language of ['nl', 'nl-BE, en;q=0.5', 'de, nl;q=0.8, en;q=0.1'])
      expect(await names(language), language).toEqual(dutch);
  });

  it('the history is served only to those who may read versions and view the content', async () => {
    const [page, other] = [await add(), await add()];
    await edit(page, { title: 'Public now' });
    await go(page, 'publish');
    const [reader, contributor] = [await addUser(['Reader']), await addUser(['Contributor'])];
    const member = await addUser();
    for (const address of ['/@history', '/@history/0', '?version=0', '/@history/0/diff/1']) {
      expect(await status('GET', page + address, 'anonymous'), address).toBe(401);
      expect(await status('GET', page + address, member), address).toBe(403);
      expect(await status('GET', page + address, reader), address).toBe(403);
      expect(await status('GET', page + address, contributor), address).toBe(200);
    }
    await edit(other, { title: 'Private' });
    const reviewer = await addUser(['Reviewer']);
    expect(await status('GET', `${other}/@history`, reviewer)).toBe(403);
  });

  it('the history shows states and comments only to those who may take part in a review', async () => {
    const page = await add();
    await go(page, 'publish', { comment: 'Between us' });
    const contributor = await addUser(['Contributor']);
    const entries: Json[] = await read(`${page}/@history`, contributor);
    expect(entries.map(({ type }) => type)).toEqual(['versioning']);
    expect(entries[0].may_revert).toBe(false);
    const reviewer = await addUser(['Reviewer']);
    expect(JSON.stringify(await read(`${page}/@history`, reviewer))).toContain('Between us');
  });

  it('the history hides fields that the caller may not read', async () => {
    await configure(KINDS.type, 'Event', (data) => ({
      ...data,
      properties: {
        ...data.properties,
        secret: { title: 'Secret', type: 'string', factory: 'Text line (String)', read_permission: 'Manage users' },
      },
    }));
    const page = await add('/', { '@type': 'Event', secret: 'first', start: '2030-01-01', end: '2030-01-02' });
    await edit(page, { secret: 'second', title: 'Open' });
    const editor = await addUser(['Editor']);
    const seen = [
      await read(`${page}/@history`, editor),
      await read(`${page}/@history/0`, editor),
      await read(`${page}/@history/0/diff/1`, editor),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/secret|first|second/);
    expect((await read(`${page}/@history/0`)).secret).toBe('first');
    expect((await read(`${page}/@history/0/diff/1`)).items).toContainEqual({
      name: 'secret',
      title: 'Secret',
      from: 'first',
      to: 'second',
    });
  });

  it('a version serves references only to targets that the caller may view now', async () => {
    const hidden = await add('/', { title: 'Top secret plan' });
    const page = await add('/', { relatedItems: [hidden] });
    await edit(page, { relatedItems: [] });
    await go(page, 'publish');
    const reviewer = await addUser(['Reviewer']);
    expect((await read(`${page}/@history/0`)).relatedItems).toMatchObject([{ title: 'Top secret plan' }]);
    expect(JSON.stringify(await read(`${page}/@history/0`, reviewer))).not.toContain('Top secret plan');
    expect(JSON.stringify(await read(`${page}/@history/0/diff/1`, reviewer))).not.toContain('Top secret plan');
  });

  it('the diff of two versions lists the differing fields in either direction', async () => {
    const page = await add('/', { title: 'One', description: 'Same' });
    const { layout } = await read(page);
    await edit(page, { title: 'Two', subjects: ['new'] });
    await edit(page, { layout: 'listing_view' });
    expect(await read(`${page}/@history/0/diff/1`)).toEqual({
      '@id': `${site.url}${page}/@history/0/diff/1`,
      from: 0,
      to: 1,
      items: [
        { name: 'title', title: 'Title', from: 'One', to: 'Two' },
        { name: 'subjects', title: expect.any(String), from: [], to: ['new'] },
      ],
    });
    expect((await read(`${page}/@history/2/diff/1`)).items).toEqual([
      { name: 'layout', title: 'Layout', from: 'listing_view', to: layout },
    ]);
    expect((await read(`${page}/@history/1/diff/1`)).items).toEqual([]);
  });

  it('reverting to a version makes a new version', async () => {
    const page = await add('/', { title: 'Good', description: 'Fine', subjects: ['a'] });
    const { layout } = await read(page);
    await edit(page, { title: 'Bad', subjects: [], layout: 'listing_view' });
    const { body } = await site.request('PATCH', `${page}/@history`, { json: { version: 0 } });
    expect(body).toEqual({ message: 'Good has been reverted to revision 0.' });
    expect(await read(page)).toMatchObject({ title: 'Good', description: 'Fine', subjects: ['a'], layout });
    const [newest] = await versions(page);
    expect(newest).toMatchObject({ version: 2, comments: 'Reverted to revision 0.' });
    expect(newest.changed_fields.sort()).toEqual(['layout', 'subjects', 'title']);
    expect((await read(`${page}/@history/1`)).title).toBe('Bad');
    expect((await read('/')).items.find((item: Json) => item['@id'].endsWith(page)).title).toBe('Good');
  });

  it('reverting keeps state, dates of publication and id', async () => {
    const page = await add('/', { title: 'Draft' });
    await go(page, 'publish');
    await edit(page, { title: 'Published', expires: '2040-01-01T00:00:00Z' });
    const before = await read(page);
    await site.request('PATCH', `${page}/@history`, { json: { version: 0 } });
    const { title, review_state, effective, expires, id } = await read(page);
    expect({ title, review_state, effective, expires, id }).toEqual({
      title: 'Draft',
      review_state: 'published',
      effective: before.effective,
      expires: '2040-01-01T00:00:00.000Z',
      id: before.id,
    });
  });

  it('reverting needs the permissions to revert and modify, and the token of a lock', async () => {
    const page = await add('/', { title: 'Zero' });
    await edit(page, { title: 'One' });
    await go(page, 'publish');
    const [reader, reviewer, editor] = [
      await addUser(['Reader']),
      await addUser(['Reviewer']),
      await addUser(['Editor']),
    ];
    const revert = (as: Who, headers: Record<string, string> = {}) =>
      site.request('PATCH', `${page}/@history`, { as, headers, json: { version: 0 } });
    for (const [who, expected] of [['anonymous', 401] as const, [reader, 403] as const, [reviewer, 403] as const])
      expect((await revert(who)).status).toBe(expected);
    const { token } = (await site.request('POST', `${page}/@lock`, { json: {} })).body;
    expect((await revert(editor)).status).toBe(403);
    expect((await read(page)).title).toBe('One');
    expect((await revert('admin', { 'Lock-Token': token })).status).toBe(200);
    await site.request('DELETE', `${page}/@lock`, { json: {} });
    await edit(page, { title: 'One' });
    expect((await revert(editor)).status).toBe(200);
    expect((await read(page)).title).toBe('Zero');
  });

  it('reverting keeps fields that the caller may not write', async () => {
    await configure(KINDS.type, 'News Item', (data) => ({
      ...data,
      properties: {
        ...data.properties,
        budget: { title: 'Budget', type: 'string', factory: 'Text line (String)', write_permission: 'Manage users' },
      },
    }));
    const page = await add('/', { '@type': 'News Item', title: 'Old', budget: 'large' });
    await edit(page, { title: 'New', budget: 'small' });
    const editor = await addUser(['Editor']);
    expect(await status('PATCH', `${page}/@history`, editor, { version: 0 })).toBe(200);
    expect(await read(page)).toMatchObject({ title: 'Old', budget: 'small' });
  });

  it('reverting to the present state makes no version', async () => {
    const page = await add();
    expect(await status('PATCH', `${page}/@history`, 'admin', { version: 0 })).toBe(200);
    expect((await versions(page)).map(({ version }) => version)).toEqual([0]);
    expect((await transition(page, 'publish')).status).toBe(200);
  });
});
