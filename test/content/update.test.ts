import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';
import { make } from './make.ts';
import { addPerson } from './people.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Content of every type that users can create, with a value for each of its fields. */
const EVERY_TYPE: Record<string, unknown>[] = [
  { '@type': 'Folder', subjects: ['a', 'b'], rights: 'All', exclude_from_nav: true },
  {
    '@type': 'Page',
    description: 'Text',
    relatedItems: ['/target'],
    effective: '2026-01-01T10:00:00+02:00',
    expires: '2036-01-01',
    blocks: {
      a: { '@type': 'slate', value: [{ type: 'link', data: { url: '/target' } }] },
      b: { '@type': 'image', url: '/target' },
    },
    blocks_layout: { items: ['a', 'b'] },
    preview_image: { data: PNG, encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' },
    preview_image_link: '/target',
    allow_discussion: true,
    table_of_contents: true,
  },
  {
    '@type': 'Event',
    start: '2026-05-01T10:00:00Z',
    end: '2026-05-01T12:00:00Z',
    recurrence: 'RRULE:FREQ=DAILY;COUNT=3',
    attendees: ['Ann'],
    location: 'Here',
  },
  { '@type': 'News Item', creators: ['ann', 'bob'], contributors: ['eve'], language: 'nl' },
  { '@type': 'Link', remoteUrl: '/target#part' },
  { '@type': 'File', file: { data: 'aGVsbG8=', encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' } },
  { '@type': 'Image', image: { data: PNG, encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' } },
  { '@type': 'Collection' },
];

describeEachEngine('changing content', (engine) => {
  let site: TestSite;
  let editor: { token: string };
  let pages = 0;

  const page = (input: Record<string, unknown> = {}, container = '/'): Promise<string> => {
    pages += 1;
    return make(site.kernel, container, { id: `page-${pages}`, ...input });
  };
  const patch = (path: string, json: Record<string, unknown>, more: Record<string, string> = {}): Promise<Exchange> =>
    site.request('PATCH', path, { json, headers: more });
  const get = async (path: string): Promise<Json> => (await site.request('GET', path)).body;

  beforeAll(async () => {
    site = await startTestSite(engine);
    editor = await addPerson(site, { id: 'ed', roles: ['Member', 'Editor'] });
    await make(site.kernel, '/', { id: 'target' });
  });
  afterAll(() => site?.close());

  it('a PATCH returns 204 and changes only what it names and the modification date', async () => {
    const path = await page({ description: 'Old', subjects: ['a'] });
    const before = await get(path);
    const { status, text } = await patch(path, { description: 'New', unknown: 'x' });
    expect([status, text]).toEqual([204, '']);
    const { modified, ...after } = await get(path);
    expect(after).toEqual({ ...before, description: 'New', modified: undefined });
    expect(modified > before.modified).toBe(true);
  });

  it('a PATCH returns the whole object to a client that prefers it', async () => {
    const path = await page();
    const { status, body } = await patch(path, { title: 'New' }, { Prefer: 'handling=strict, Return=Representation' });
    expect([status, body]).toEqual([200, await get(path)]);
  });

  it('null clears a field unless it is required', async () => {
    const path = await page({ description: 'Old', subjects: ['a'], effective: '2026-01-01' });
    expect((await patch(path, { description: null, subjects: null, effective: null })).status).toBe(204);
    expect(await get(path)).toMatchObject({ description: '', subjects: [], effective: null });
    const refused = await patch(path, { title: null, description: 'New' });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'title']);
    expect(await get(path)).toMatchObject({ title: path.slice(1), description: '' });
  });

  it('a rejected PATCH changes nothing, whatever else it names', async () => {
    const path = await page();
    await make(site.kernel, path, { id: 'child' });
    const before = await get(path);
    for (const wrong of [
      { layout: 'evil' },
      { id: 'a/b' },
      { ordering: { obj_id: 'nobody', delta: 1 } },
      { sort: { on: 'nothing' } },
      { effective: 'soon' },
    ]) {
      expect((await patch(path, { title: 'New', ...wrong })).status, JSON.stringify(wrong)).toBe(400);
      expect(await get(path)).toEqual(before);
    }
  });

  it.each(EVERY_TYPE.map((input) => [input['@type'], input] as const))(
    'what GET returns of a %s can be sent back without any change, even of the date',
    async (_, input) => {
      pages += 1;
      const created = await site.request('POST', '/', {
        json: { title: `Item ${pages}`, id: `item-${pages}`, ...input },
      });
      expect(created.status, created.text).toBe(201);
      const path = `/item-${pages}`;
      const before = await get(path);
      for (const as of ['admin', editor] as const) {
        const { status, text } = await site.request('PATCH', path, { as, json: before });
        expect([status, text]).toEqual([204, '']);
        expect(await get(path)).toEqual(before);
      }
    },
  );

  it('the root can be sent back, too, and cannot be renamed', async () => {
    const before = await get('/');
    expect((await patch('/', before)).status).toBe(204);
    expect((await get('/')).modified).toBe(before.modified);
    expect((await patch('/', { id: 'other' })).status).toBe(405);
  });

  it('two clients that change different fields at once both succeed', async () => {
    const path = await page();
    const fields = ['description', 'rights', 'nav_title', 'title', 'subjects', 'contributors'];
    const answers = await Promise.all(
      fields.map((field) =>
        patch(path, { [field]: field === 'subjects' || field === 'contributors' ? ['New'] : 'New' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 204));
    expect(await get(path)).toMatchObject({
      description: 'New',
      rights: 'New',
      nav_title: 'New',
      title: 'New',
      subjects: ['New'],
      contributors: ['New'],
    });
  });

  describe('renaming', () => {
    it('after a rename everything below follows, and every old address leads to the new one', async () => {
      const path = await page({ id: 'old' });
      await make(site.kernel, '/old', { id: 'child' });
      await make(site.kernel, '/old/child', { id: 'deep' });
      await page({ id: 'old-archive' });
      expect((await patch(path, { id: 'new' })).status).toBe(204);
      expect(await get('/new/child/deep')).toMatchObject({
        '@id': `${site.url}/new/child/deep`,
        parent: { '@id': `${site.url}/new/child` },
      });
      for (const rest of ['', '/child', '/child/deep']) {
        const { status, headers } = await site.request('GET', `/old${rest}`);
        expect([status, headers.get('location')]).toEqual([302, `${site.url}/new${rest}`]);
      }
      expect((await site.request('GET', '/old-archive')).status).toBe(200);
      expect((await site.request('GET', '/old/nothing')).status).toBe(404);
    });

    it('a redirect keeps the service, the query, ++api++ and, by its status, the method', async () => {
      await patch(await page({ id: 'from' }), { id: 'to' });
      const lead = async (method: string, path: string) => {
        const { status, headers } = await site.request(method, path, method === 'GET' ? {} : { json: {} });
        return `${status} ${headers.get('location')?.replace(site.url, '')}`;
      };
      expect(await lead('GET', '/from/@actions?a=b&c=%20')).toBe('302 /to/@actions?a=b&c=%20');
      expect(await lead('GET', '/++api++/from?expand=breadcrumbs')).toBe('302 /++api++/to?expand=breadcrumbs');
      expect(await lead('GET', '/Plone/++api++/from/@types/Page')).toBe('302 /Plone/++api++/to/@types/Page');
      expect(await lead('GET', '/from/@@images/image/a%20b')).toBe('302 /to/@@images/image/a%20b');
      expect(await lead('POST', '/from/@lock?x')).toBe('307 /to/@lock?x');
      expect(await lead('PATCH', '/from')).toBe('307 /to');
      expect(await lead('DELETE', '/++api++/from')).toBe('307 /++api++/to');
    });

    it('an old address of content that the caller may not view does not redirect and reveals nothing', async () => {
      const path = await page({ id: 'known' });
      await patch(path, { id: 'top-secret' });
      const { status, headers, text } = await site.request('GET', '/known', { as: 'anonymous' });
      expect([status, headers.get('location')]).toEqual([404, null]);
      expect(text).not.toContain('top-secret');
    });

    it('redirects can be chained, end when their address is used again, and go with their content', async () => {
      const path = await page({ id: 'one' });
      await patch(path, { id: 'two' });
      await patch('/two', { id: 'three' });
      for (const old of ['/one', '/two'])
        expect((await site.request('GET', old)).headers.get('location')).toBe(`${site.url}/three`);
      await patch('/three', { id: 'one' });
      expect((await site.request('GET', '/one')).status).toBe(200);
      expect((await site.request('GET', '/three')).headers.get('location')).toBe(`${site.url}/one`);
      await page({ id: 'two' });
      expect((await site.request('GET', '/two')).status).toBe(200);
      await site.request('DELETE', '/one');
      expect((await site.request('GET', '/three')).status).toBe(404);
    });

    it('a rename to a taken or impossible id is rejected, and nothing moves', async () => {
      const path = await page();
      const other = await page();
      for (const id of [other.slice(1), 'a/b', '@a', 'login', '', null, 7, 'x'.repeat(201)]) {
        expect((await patch(path, { id })).status, JSON.stringify(id)).toBe(400);
      }
      expect((await get(path)).title).toBe(path.slice(1));
      expect((await patch(path, { id: path.slice(1) })).status).toBe(204);
    });

    it('of five renames to the same id at once one succeeds', async () => {
      const container = await page();
      const children = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => make(site.kernel, container, { id: `child-${n}` })),
      );
      const answers = await Promise.all(children.map((child) => patch(child, { id: 'wanted' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400, 400]);
      expect((await get(container)).items_total).toBe(5);
    });

    it('a container and its content can be renamed at the same time', async () => {
      const container = await page();
      const child = await make(site.kernel, container, { id: 'child' });
      const answers = await Promise.all([
        patch(container, { id: `${container.slice(1)}-new` }),
        patch(child, { id: 'new' }),
        patch(child, { title: 'New' }),
      ]);
      for (const { status } of answers) expect([204, 307, 404]).toContain(status);
      const { items } = await get(`${container}-new`);
      expect(items).toHaveLength(1);
      expect((await site.request('GET', items[0]['@id'])).status).toBe(200);
    });

    it('a rename is rejected when a path below it would be too long', async () => {
      const container = await page();
      let deepest = container;
      while (deepest.length < 1900) deepest = await make(site.kernel, deepest, { id: 'x'.repeat(150) });
      expect((await patch(container, { id: 'y'.repeat(190) })).status).toBe(403);
      expect((await site.request('GET', deepest)).status).toBe(200);
    });
  });
});
