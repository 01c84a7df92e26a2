import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { contentOf } from './history-site.ts';

describeEachEngine('versions', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, edit, addUser, read, versions, go, configure } = contentOf(() => site);
  const rows = async (path: string) =>
    site.kernel.db.query<Json>({
      text: 'select number, fields, replaced from version where content = (select oid from content where path = $1) order by number',
      values: [path],
    });
  const numbers = async (path: string) => (await versions(path)).map(({ version }) => version);

  it('a version records who made it, when, why, and what changed', async () => {
    const page = await add('/', { changeNote: 'From the press office' });
    const editor = await addUser(['Editor'], { fullname: 'Edith Or' });
    await edit(page, { title: 'Second', description: 'New', changeNote: 'Clearer' }, editor);
    const [second, first] = await versions(page);
    const { id } = editor;
    expect(second).toMatchObject({
      '@id': `${site.url}${page}/@history/1`,
      action: 'Edited',
      actor: { '@id': `${site.url}/@users/${id}`, id, fullname: 'Edith Or', username: id },
      comments: 'Clearer',
      may_revert: true,
      changed_fields: ['title', 'description'],
      version: 1,
    });
    expect(first).toMatchObject({ version: 0, comments: 'From the press office', actor: { id: 'admin' } });
    expect(second.time).toBe((await read(page)).modified);
    expect((await read(page)).changeNote || undefined).toBeUndefined();
  });

  it('no version is made by an empty change, by moving a child, or by a transition', async () => {
    const page = await add('/', { title: 'Same' });
    const child = await add(page);
    await edit(page, { title: 'Same', changeNote: 'Nothing really' });
    await edit(page, { ordering: { obj_id: child.split('/').at(-1), delta: 'top' } });
    await go(page, 'publish');
    expect(await numbers(page)).toEqual([0]);
  });

  it('a version stores only the values that were replaced', async () => {
    const page = await add('/', { title: 'One', description: 'Long text' });
    await edit(page, { title: 'Two' });
    await edit(page, { title: 'Three', subjects: ['a'] });
    expect(await rows(page)).toEqual([
      { number: 0, fields: [], replaced: { title: 'One' } },
      { number: 1, fields: ['title'], replaced: { title: 'Two', subjects: [] } },
      { number: 2, fields: ['title', 'subjects'], replaced: {} },
    ]);
  });

  it('each version serves the values it had', async () => {
    const page = await add('/', { title: 'T0', description: 'D0' });
    const { layout } = await read(page);
    const states: Json[] = [{ title: 'T0', description: 'D0', subjects: [], layout }];
    const edits: Json[] = [
      { title: 'T1' },
      { description: 'D2', subjects: ['x'] },
      { layout: 'listing_view' },
      { title: 'T4', subjects: ['x', 'y'] },
      { description: null },
    ];
    for (const change of edits) {
      await edit(page, change);
      states.push({ ...states.at(-1), ...change });
    }
    for (const [number, state] of states.entries()) {
      const expected = { ...state, description: state.description ?? '', version: String(number) };
      expect(await read(`${page}/@history/${number}`), `version ${number}`).toMatchObject(expected);
      expect(await read(`${page}?version=${number}`)).toMatchObject(expected);
    }
    expect(await read(page)).toMatchObject({ title: 'T4', version: 'current' });
    expect(await read(`${page}?version=current`)).toMatchObject({ title: 'T4', version: 'current' });
  });

  it('a version has the keys of the present representation, with expanded components', async () => {
    const page = await add();
    await edit(page, { title: 'Now' });
    const query = 'expand=breadcrumbs,actions,types,navroot,navigation&expand.navigation.depth=1';
    const [old, now] = [await read(`${page}/@history/0?${query}`), await read(`${page}?${query}`)];
    expect(Object.keys(old).sort()).toEqual(Object.keys(now).sort());
    expect(old['@components'].navigation.items).toEqual(now['@components'].navigation.items);
    expect(old['@id']).toBe(now['@id']);
  });

  it('a version from before publishing has its own dates', async () => {
    const page = await add();
    await go(page, 'publish');
    expect((await read(page)).effective).not.toBeNull();
    await edit(page, { title: 'Later' });
    expect((await read(`${page}/@history/0`)).effective).toBeNull();
    expect((await read(`${page}/@history/0`)).review_state).toBe('published');
  });

  it('versions keep their values over edits while versioning is switched off', async () => {
    const page = await add('/', { title: 'Kept' });
    await edit(page, { versioning_enabled: false });
    await edit(page, { title: 'Unseen 1' });
    await edit(page, { title: 'Unseen 2' });
    expect(await numbers(page)).toEqual([0]);
    expect((await read(`${page}/@history/0`)).title).toBe('Kept');
    await edit(page, { versioning_enabled: true, title: 'Seen' });
    expect(await numbers(page)).toEqual([1, 0]);
    expect((await read(`${page}/@history/0`)).title).toBe('Kept');
    expect((await read(`${page}/@history/1`)).title).toBe('Seen');
  });

  it('types have versions with the versioning behavior under either of its names', async () => {
    const type = (behaviors: string[]) => (data: Json) => ({
      ...data,
      behaviors: [...data.behaviors.filter((id: string) => id !== 'versioning'), ...behaviors],
    });
    await configure(KINDS.type, 'Link', type([]));
    const plain = await add('/', { '@type': 'Link', remoteUrl: 'https://example.org' });
    await edit(plain, { title: 'Other' });
    expect(await numbers(plain)).toEqual([]);
    expect((await site.request('GET', `${plain}/@history/0`)).status).toBe(404);
    await configure(KINDS.type, 'Link', type(['plone.versioning']));
    const versioned = await add('/', { '@type': 'Link', remoteUrl: 'https://example.org' });
    await edit(versioned, { title: 'Other' });
    expect(await numbers(versioned)).toEqual([1, 0]);
  });

  it('content without versions gets its former state as version 0 with the first edit', async () => {
    const page = await add('/', { title: 'Imported' });
    await site.kernel.db.query({ text: 'delete from version' });
    expect(await versions(page)).toMatchObject([{ version: 0, comments: 'Initial version', actor: { id: 'admin' } }]);
    expect(await read(`${page}/@history/0`)).toMatchObject({ title: 'Imported', version: '0' });
    await edit(page, { title: 'Edited here' });
    expect(await numbers(page)).toEqual([1, 0]);
    expect((await read(`${page}/@history/0`)).title).toBe('Imported');
  });

  it('a new id makes no version', async () => {
    const page = await add('/', { title: 'Stays' });
    await edit(page, { title: 'Goes' });
    await edit(page, { id: 'elsewhere' });
    expect(await numbers('/elsewhere')).toEqual([1, 0]);
    expect(await read('/elsewhere/@history/0')).toMatchObject({ title: 'Stays', id: 'elsewhere' });
  });

  it('concurrent edits number their versions without gaps', async () => {
    const page = await add();
    await Promise.all(Array.from({ length: 12 }, (_, i) => edit(page, { title: `Edit ${i}` })));
    expect(await numbers(page)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const titles = new Set<string>();
    for (let number = 1; number <= 12; number += 1) titles.add((await read(`${page}/@history/${number}`)).title);
    expect(titles.size).toBe(12);
  });

  it('the site root has versions', async () => {
    const title = (await read('/')).title;
    await edit('/', { title: 'Another site' });
    const [{ version }] = await versions('/');
    expect(await read(`/@history/${version}`)).toMatchObject({ title: 'Another site', version: String(version) });
    const { body } = await site.request('PATCH', '/@history', { json: { version: version - 1 } });
    expect(body).toEqual({ message: `${title} has been reverted to revision ${version - 1}.` });
    expect((await read('/')).title).toBe(title);
  });

  it('versions are deleted with their object', async () => {
    const page = await add();
    await edit(page, { title: 'Gone soon' });
    const [{ oid } = {}] = await site.kernel.db.query<Json>({
      text: 'select oid from content where path = $1',
      values: [page],
    });
    await site.kernel.db.query({ text: 'delete from content where oid = $1', values: [oid] });
    expect(await site.kernel.db.query({ text: 'select 1 from version where content = $1', values: [oid] })).toEqual([]);
  });

  const responses: [what: string, method: string, address: string, status: number, json?: Json][] = [
    ['an unknown number', 'GET', '/@history/99', 404],
    ['a word', 'GET', '/@history/abc', 404],
    ['a negative number', 'GET', '/@history/-1', 404],
    ['a number beyond the column', 'GET', '/@history/99999999999999999999', 404],
    ['a difference to an unknown number', 'GET', '/@history/0/diff/99', 404],
    ['something else than a difference', 'GET', '/@history/0/with/0', 404],
    ['half a difference', 'GET', '/@history/0/diff', 404],
    ['an unknown number in the query', 'GET', '?version=99', 404],
    ['a word in the query', 'GET', '?version=abc', 400],
    ['going back to nothing', 'PATCH', '/@history', 400, {}],
    ['going back to a word', 'PATCH', '/@history', 400, { version: 'abc' }],
    ['going back to a negative number', 'PATCH', '/@history', 400, { version: -1 }],
    ['going back to a fraction', 'PATCH', '/@history', 400, { version: 0.5 }],
    ['going back to null', 'PATCH', '/@history', 400, { version: null }],
    ['going back to an unknown number', 'PATCH', '/@history', 404, { version: 99 }],
    ['going back to digits', 'PATCH', '/@history', 200, { version: '0' }],
    ['a note that is a number', 'PATCH', '', 400, { title: 'x', changeNote: 5 }],
    ['a note that cannot be stored', 'PATCH', '', 400, { title: 'x', changeNote: 'a\u0000b' }],
    ['a note that is too long', 'PATCH', '', 400, { title: 'x', changeNote: 'a'.repeat(1001) }],
    ['no note', 'PATCH', '', 204, { title: 'x', changeNote: null }],
  ];
  it.each(responses)(
    'an invalid version request gets no status 500: %s',
    async (_what, method, address, status, json) => {
      const page = await add();
      const response = await site.request(method, page + address, json === undefined ? {} : { json });
      expect(response.status, response.text).toBe(status);
      if (status >= 400) expect(response.body.message).toEqual(expect.any(String));
    },
  );
});
