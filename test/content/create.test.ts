import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locate } from '../../src/core/content/locate.ts';
import { updateContentRow } from '../../src/core/content/statements/write-content.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { addType } from './add-type.ts';
import { make } from './make.ts';
import { addPerson } from './people.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describeEachEngine('creating content', (engine) => {
  let site: TestSite;
  let contributor: { token: string };
  let folders = 0;

  const post = (container: string, json: Record<string, unknown>, as?: { token: string }): Promise<Exchange> =>
    site.request('POST', container, { json, ...(as ? { as } : {}) });
  const folder = (input: Record<string, unknown> = {}): Promise<string> => {
    folders += 1;
    return make(site.kernel, '/', { '@type': 'Folder', id: `folder-${folders}`, ...input });
  };
  const childrenOf = async (path: string): Promise<string[]> =>
    (await site.request('GET', path)).body.items.map(({ id }: Json) => id);
  const problemsOf = ({ body }: Exchange): string[] => body.errors.map(({ field }: Json) => field);

  beforeAll(async () => {
    site = await startTestSite(engine);
    contributor = await addPerson(site, { id: 'connie', roles: ['Member', 'Contributor'] });
  });
  afterAll(() => site?.close());

  it('a POST returns 201 with Location and the whole new object, which GET returns again', async () => {
    const path = await folder();
    const { status, headers, body } = await post(
      path,
      { '@type': 'Page', title: 'A page', description: 'Text' },
      contributor,
    );
    const url = `${site.url}${path}/a-page`;
    expect([status, headers.get('location')]).toEqual([201, url]);
    expect(body).toMatchObject({
      '@id': url,
      '@type': 'Page',
      id: 'a-page',
      title: 'A page',
      description: 'Text',
      owner: 'connie',
      creators: ['connie'],
      review_state: 'private',
      is_folderish: true,
      layout: 'view',
      blocks: {},
      blocks_layout: { items: [] },
      items: [],
      language: { token: 'en', title: 'English' },
      lock: { locked: false, stealable: true },
      parent: { '@id': site.url + path },
    });
    for (const date of [body.created, body.modified]) expect(date).toMatch(ISO);
    expect(body.UID).toMatch(/^[0-9a-f-]{36}$/);
    for (const component of Object.values<Json>(body['@components']))
      expect(component['@id'].startsWith(`${url}/@`)).toBe(true);
    expect((await site.request('GET', `${path}/a-page`, { as: contributor })).body).toEqual(body);
  });

  it('a contributor can edit own pages and not those of others', async () => {
    const path = await folder();
    const own = await post(path, { '@type': 'Page', title: 'Own' }, contributor);
    await post(path, { '@type': 'Page', title: 'Other' });
    const rename = (id: string) => site.request('PATCH', `${path}/${id}`, { as: contributor, json: { title: 'New' } });
    expect([own.status, (await rename('own')).status, (await rename('other')).status]).toEqual([201, 204, 403]);
  });

  describe('ids', () => {
    it.each([
      ['A Page', 'a-page'],
      ['Ümläut & Co.', 'umlaut-co'],
      ['Straße', 'strasse'],
      ['  spaces  ', 'spaces'],
      ['../../etc/passwd', 'etc-passwd'],
      ['<b>bold</b>', 'b-bold-b'],
      ['🦄', 'page'],
      ['日本', /^[a-z0-9-]+$/],
      ['Привет', /^[a-z-]+$/],
      ['Plone', 'plone-1'],
      ['resolveuid', 'resolveuid-1'],
      ['Edit', 'edit-1'],
      ['@search', 'search-1'],
      ['__proto__', 'proto'],
      ['constructor', 'constructor'],
      ['x'.repeat(500), /^x{1,100}$/],
    ])('the title %j makes the id %s', async (title, id) => {
      const path = await folder();
      const { status, body } = await post(path, { '@type': 'Page', title });
      expect(status).toBe(201);
      expect(body.id).toMatch(typeof id === 'string' ? new RegExp(`^${id}$`) : id);
      expect((await site.request('GET', `${path}/${body.id}`)).status).toBe(200);
    });

    it('a title that is taken gets the next free number in the id', async () => {
      const path = await folder();
      for (const title of ['A', 'A', 'A 1', 'A', 'a']) await post(path, { '@type': 'Page', title });
      expect(await childrenOf(path)).toEqual(['a', 'a-1', 'a-1-1', 'a-2', 'a-3']);
    });

    it.each(['Given-ID', 'a b', 'ä', '日本', 'a.b', 'a@b', 'edit', 'view', "it's", 'a+b', '1', '-'])(
      'a client may choose the id %j',
      async (id) => {
        const path = await folder();
        const { status, headers, body } = await post(path, { '@type': 'Page', title: 'Other', id });
        expect([status, body.id]).toEqual([201, id]);
        expect((await site.request('GET', headers.get('location') ?? '')).body.UID).toBe(body.UID);
      },
    );

    it.each([
      '',
      ' a',
      'a ',
      '.',
      '..',
      'a/b',
      '/',
      'a\\b',
      'a?b',
      'a#b',
      'a%b',
      'a\u0000b',
      'a\nb',
      '\u007f',
      '\ud800',
      '@a',
      '+a',
      '++a++',
      '_a',
      '_vh_a',
      'aq_parent',
      'plone',
      'Plone',
      'VirtualHostBase',
      'ics_view',
      'rss_view',
      'markdown_view',
      'resolveuid',
      'login',
      'x'.repeat(201),
      7,
      true,
      {},
      ['a'],
    ])('the id %j is rejected, and nothing is created', async (id) => {
      const path = await folder();
      const { status, body } = await post(path, { '@type': 'Page', title: 'Other', id });
      expect(status).toBe(400);
      expect(body.message).toMatch(/id/);
      expect(await childrenOf(path)).toEqual([]);
    });

    it('an id that is taken is rejected, and the content that has it stays as it is', async () => {
      const path = await folder();
      const first = await post(path, { '@type': 'Page', title: 'First', id: 'a' });
      const { status, body } = await post(path, { '@type': 'Page', title: 'Second', id: 'a' });
      expect([status, body.message]).toEqual([400, expect.stringContaining('"a"')]);
      expect((await site.request('GET', `${path}/a`)).body.UID).toBe(first.body.UID);
    });

    it('a path that would be too long is rejected', async () => {
      let path = await folder();
      let status = 0;
      for (let depth = 0; depth < 12 && status !== 403; depth += 1) {
        const answer = await post(path, { '@type': 'Page', title: 'Deep', id: `${depth}${'x'.repeat(198)}` });
        status = answer.status;
        path += `/${answer.body.id}`;
      }
      expect(status).toBe(403);
    });
  });

  describe('at the same moment', () => {
    it('ten clients that send the same title at once get ten objects with different ids', async () => {
      const path = await folder();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post(path, { '@type': 'Page', title: 'Same' })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      const ids = answers.map(({ body }) => body.id).sort();
      expect(new Set(ids).size).toBe(10);
      expect((await childrenOf(path)).sort()).toEqual(ids);
    });

    it('ten clients that send the same id at once create one object', async () => {
      const path = await folder();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post(path, { '@type': 'Page', title: 'Same', id: 'same' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
      expect(await childrenOf(path)).toEqual(['same']);
    });

    it('five clients that send the same UID at once create one object', async () => {
      const path = await folder();
      const UID = randomUUID();
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => post(path, { '@type': 'Page', title: `Page ${n}`, UID })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
      expect(await childrenOf(path)).toHaveLength(1);
    });
  });

  it('a query that cannot be understood is rejected before anything is created', async () => {
    const path = await folder();
    for (const query of ['b_size=many', 'b_start=first', 'include_items=maybe']) {
      const { status } = await post(`${path}?${query}`, { '@type': 'Page', title: 'A' });
      expect([query, status, await childrenOf(path)]).toEqual([query, 400, []]);
    }
  });

  describe('UIDs', () => {
    it('a manager may choose the UID of new content, with hyphens or without', async () => {
      const path = await folder();
      for (const UID of [randomUUID(), randomUUID().replaceAll('-', '')]) {
        const { status, body } = await post(path, { '@type': 'Page', title: 'A', UID });
        expect([status, body.UID]).toEqual([201, UID]);
      }
    });

    it.each(['', 'x', 'A'.repeat(32), '../../x', 7, {}])('%j is rejected as a UID', async (UID) => {
      expect((await post(await folder(), { '@type': 'Page', title: 'A', UID })).status).toBe(400);
    });

    it('a UID that is in use is rejected', async () => {
      const path = await folder();
      const { body } = await post(path, { '@type': 'Page', title: 'A' });
      const again = await post(path, { '@type': 'Page', title: 'B', UID: body.UID });
      expect([again.status, again.body.message]).toEqual([400, expect.stringContaining(body.UID)]);
      expect(await childrenOf(path)).toEqual(['a']);
    });

    it('nobody but managers may choose the UID of new content', async () => {
      const { status } = await post('/', { '@type': 'Page', title: 'A', UID: randomUUID() }, contributor);
      expect(status).toBe(403);
    });
  });

  describe('types', () => {
    it('the type of new content must be named, exist and be addable', async () => {
      const path = await folder();
      const statusOf = async (json: Record<string, unknown>) => (await post(path, { title: 'A', ...json })).status;
      expect(await statusOf({})).toBe(400);
      expect(await statusOf({ '@type': 7 })).toBe(400);
      expect(await statusOf({ '@type': '' })).toBe(400);
      expect(await statusOf({ '@type': 'Nothing' })).toBe(403);
      expect(await statusOf({ '@type': 'constructor' })).toBe(403);
      expect(await statusOf({ '@type': 'Site' })).toBe(403);
      expect(await childrenOf(path)).toEqual([]);
    });

    it('a container that filters types takes those that it lists, globally allowed or not', async () => {
      await addType(site.kernel, { id: 'Slide', global_allow: false });
      await addType(site.kernel, {
        id: 'Show',
        behaviors: ['basic', 'folderish'],
        filter_content_types: true,
        allowed_content_types: ['Slide'],
      });
      const path = await make(site.kernel, await folder(), { '@type': 'Show', id: 'show' });
      expect((await post(path, { '@type': 'Slide', title: 'A' })).status).toBe(201);
      expect((await post(path, { '@type': 'Page', title: 'A' })).status).toBe(403);
      expect((await post(await folder(), { '@type': 'Slide', title: 'A' })).status).toBe(403);
    });

    it('constraints of a container narrow what may be added, and never widen it', async () => {
      const path = await folder();
      const { resolved } = await locate(site.kernel, path);
      const types = ['Link', 'Slide'];
      await updateContentRow(site.kernel.db, resolved?.object.oid ?? 0, {
        constrains: { locally_allowed: types, immediately_addable: types },
      });
      expect((await post(path, { '@type': 'Link', title: 'A', remoteUrl: 'https://e.com' })).status).toBe(201);
      expect((await post(path, { '@type': 'Page', title: 'A' })).status).toBe(403);
      expect((await post(path, { '@type': 'Slide', title: 'A' })).status).toBe(403);
    });

    it('a type may require an add permission of its own', async () => {
      await addType(site.kernel, { id: 'Guarded', add_permission: 'cmf.ManagePortal' });
      const path = await folder();
      expect((await post(path, { '@type': 'Guarded', title: 'A' }, contributor)).status).toBe(403);
      expect((await post(path, { '@type': 'Guarded', title: 'A' })).status).toBe(201);
    });

    it('nothing can be added to content that is no container', async () => {
      const link = await make(site.kernel, await folder(), { '@type': 'Link', id: 'link', remoteUrl: 'https://e.com' });
      expect((await post(link, { '@type': 'Page', title: 'A' })).status).toBe(405);
      expect((await post('/no/such/place', { '@type': 'Page', title: 'A' })).status).toBe(404);
    });
  });

  describe('values', () => {
    it.each([
      [{ '@type': 'Page' }, ['title']],
      [{ '@type': 'Page', title: null }, ['title']],
      [{ '@type': 'Page', title: '  ' }, ['title']],
      [{ '@type': 'Page', title: 7 }, ['title']],
      [{ '@type': 'Page', title: 'a\nb' }, ['title']],
      [{ '@type': 'Link', title: 'A' }, ['remoteUrl']],
      [{ '@type': 'File', title: 'A' }, ['file']],
      [{ '@type': 'Event', title: 'A', end: 'x' }, ['start', 'end']],
      [{ '@type': 'Event', title: 'A', start: '2026-05-02', end: '2026-05-01' }, ['end']],
      [{ '@type': 'Page', title: 'A', effective: '2026-05-02', expires: '2026-05-01' }, ['expires']],
    ])('a POST of %j lists every problem and creates nothing', async (json, fields) => {
      const path = await folder();
      const answer = await post(path, json);
      expect(answer.status).toBe(400);
      expect(problemsOf(answer).sort()).toEqual([...fields].sort());
      expect(await childrenOf(path)).toEqual([]);
    });

    it('a POST ignores fields that are unknown, read only, for display, or need another permission', async () => {
      const factory = 'Text line (String)';
      await addType(site.kernel, {
        id: 'Form',
        properties: {
          open: { factory },
          fixed: { factory, readonly: true, default: 'fixed' },
          shown: { factory, mode: 'display' },
          guarded: { factory, write_permission: 'cmf.ManagePortal', default: 'guarded' },
          hidden: { factory, read_permission: 'cmf.ManagePortal' },
        },
      });
      const sent = { open: 'x', fixed: 'x', shown: 'x', guarded: 'x', hidden: 'x', unknown: 'x' };
      const path = await folder();
      const plain = await post(path, { '@type': 'Form', title: 'A', ...sent }, contributor);
      expect(plain.body).toMatchObject({ open: 'x', fixed: 'fixed', shown: null, guarded: 'guarded' });
      expect(plain.body).not.toHaveProperty('hidden');
      expect(plain.body).not.toHaveProperty('unknown');
      expect((await post(path, { '@type': 'Form', title: 'A', ...sent })).body).toMatchObject({
        fixed: 'fixed',
        guarded: 'x',
        hidden: 'x',
      });
    });

    it('a POST cannot set what the server decides', async () => {
      const { body } = await post(await folder(), {
        '@type': 'Page',
        title: 'A',
        '@id': 'https://evil.example',
        owner: 'bob',
        review_state: 'published',
        created: '2001-01-01',
        modified: '2001-01-01',
        parent: { '@id': '/' },
        is_folderish: false,
        lock: { locked: true },
        items: [{}],
      });
      expect(body).toMatchObject({
        owner: 'admin',
        review_state: 'private',
        is_folderish: true,
        lock: { locked: false },
        items: [],
      });
      expect(body.created > '2020').toBe(true);
      expect(body['@id']).toMatch(/^http:\/\/127/);
    });

    it('the layout of new content must be one of its type', async () => {
      const path = await folder();
      expect((await post(path, { '@type': 'Page', title: 'A', layout: 'listing_view' })).body.layout).toBe(
        'listing_view',
      );
      expect((await post(path, { '@type': 'Page', title: 'A', layout: 'evil_view' })).status).toBe(400);
    });

    it('new content has the language of its container unless another is given', async () => {
      const path = await folder({ language: 'nl' });
      expect((await post(path, { '@type': 'Page', title: 'A' })).body.language.token).toBe('nl');
      expect((await post(path, { '@type': 'Page', title: 'A', language: 'sv' })).body.language.token).toBe('sv');
    });

    it('a file without a title gets its title and its id from its file name', async () => {
      const file = { data: 'YQ==', encoding: 'base64', filename: 'Ein Bild.PDF', 'content-type': 'application/pdf' };
      const { status, body } = await post(await folder(), { '@type': 'File', file });
      expect([status, body.id, body.title]).toEqual([201, 'ein-bild.pdf', 'Ein Bild.PDF']);
    });
  });
});
