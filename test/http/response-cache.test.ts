import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createKernel } from '../../src/app/create-kernel.ts';
import { createServer } from '../../src/app/create-server.ts';
import { removeContent } from '../../src/core/content/remove-content.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { make } from '../content/make.ts';
import { addPerson, tokenOf } from '../content/people.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { describeEachEngine, engines } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';
import { ADMIN } from '../tree/people.ts';

describeEachEngine('answers in memory', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let admin: Who;

  beforeAll(async () => {
    site = await startTestSite(engine, {
      // Without rows in memory, so that a response that is not cached runs its statements again.
      environment: { TRUST_PROXY: 'loopback', ROW_CACHE_MB: '0' },
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    admin = await tokenOf(site, 'admin');
    await make(site.kernel, '/', { '@type': 'Folder', id: 'folder' }, { state: 'published' });
    await make(site.kernel, '/folder', { id: 'page' }, { state: 'published' });
  });
  afterAll(() => site?.close());

  const get = (path: string, as: Who = 'anonymous', headers: Record<string, string> = {}) =>
    site.request('GET', path, { as, headers });
  /** The SQL statements of a request whose response is cached. */
  async function statements(path: string, as: Who, headers: Record<string, string> = {}): Promise<string[]> {
    const first = await get(path, as);
    // The first response after a write may be of the version before it, so that a second one is requested.
    await get(path, as);
    return database.during(async () => {
      const again = await get(path, as, headers);
      expect(again.status === 304 || again.text === first.text).toBe(true);
    });
  }
  const confirmed = engine === 'pglite' ? [] : ['site-poll'];

  it.each([
    '/folder',
    '/folder/page?expand=breadcrumbs,navigation,actions,workflow',
    '/folder/page/@navigation?expand.navigation.depth=2',
    '/@search?SearchableText=page',
  ])('a cached response costs only the statement that confirms it: %s', async (path) => {
    expect(await statements(path, 'anonymous')).toEqual(confirmed);
    expect(await statements(path, admin)).toEqual(confirmed);
    expect(await statements(path, 'anonymous', { Origin: 'http://localhost:3000' })).toEqual(confirmed);
  });

  it.each(['/folder', '/folder/page?expand=breadcrumbs', '/folder/page/@navigation', '/folder/page/@breadcrumbs'])(
    'parameters that the service does not know do not keep %s from being cached',
    async (path) => {
      await get(path);
      const { text } = await get(path);
      const tracked = `${path}${path.includes('?') ? '&' : '?'}utm_source=letter&utm_medium`;
      const run = await database.during(async () => expect((await get(tracked)).text).toBe(text));
      expect(run).toEqual(confirmed);
    },
  );

  it('parameters count by their names, also encoded or with the suffix of Zope', async () => {
    await get('/folder/page');
    const names = Object.keys((await get('/folder/page')).body['@components'].breadcrumbs);
    for (const query of [
      'expand=breadcrumbs',
      'exp%61nd=breadcrumbs',
      'expand:list=breadcrumbs',
      'a=b?&expand=breadcrumbs',
    ]) {
      const { body } = await get(`/folder/page?${query}`);
      expect(Object.keys(body['@components'].breadcrumbs), query).not.toEqual(names);
    }
  });

  it('links to other batches repeat all parameters of their own request', async () => {
    await make(site.kernel, '/folder', { id: 'second' }, { state: 'published' });
    for (const source of ['first', 'second', 'first']) {
      const { body } = await get(`/folder?b_size=1&utm_source=${source}`);
      expect(body.batching['@id']).toContain(`utm_source=${source}`);
      expect(body.batching.first).toContain(`utm_source=${source}`);
    }
    await removeContent(site.kernel, { caller: ADMIN, path: '/folder/second', lockToken: undefined });
  });

  it('a cached response is for one caller, one address and one query', async () => {
    const other = await addPerson(site, { id: 'other' });
    await make(site.kernel, '/folder', { id: 'secret' });
    const names = async (as: Who, path = '/folder') =>
      (await get(path, as)).body.items.map(({ id }: { id: string }) => id);
    for (let round = 0; round < 2; round += 1) {
      expect(await names(admin)).toContain('secret');
      expect(await names(other)).not.toContain('secret');
      expect(await names('anonymous')).not.toContain('secret');
      expect(await names(admin, '/folder?b_size=1')).toEqual(['page']);
      const proxied = await get('/VirtualHostBase/https/example.org/VirtualHostRoot/folder');
      expect(proxied.body['@id']).toBe('https://example.org/folder');
    }
  });

  it('a cached response can be confirmed by its entity tag', async () => {
    const first = await get('/folder/page');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect((await get('/folder/page', admin)).headers.get('cache-control')).toBe('private, no-cache');
    const same = await get('/folder/page', 'anonymous', { 'If-None-Match': etag });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    await site.request('PATCH', '/folder/page', { json: { title: 'Another' } });
    const changed = await get('/folder/page', 'anonymous', { 'If-None-Match': etag });
    expect([changed.status, changed.body.title]).toEqual([200, 'Another']);
    expect((await site.request('HEAD', '/folder/page', { as: 'anonymous' })).headers.get('etag')).toBe(
      changed.headers.get('etag'),
    );
  });

  it('a cached response ends when content becomes effective or expires', async () => {
    const soon = new Date(Date.now() + 700).toISOString();
    const later = new Date(Date.now() + 1400).toISOString();
    await make(site.kernel, '/folder', { id: 'timed', effective: soon, expires: later }, { state: 'published' });
    const isListed = async () => /"id":"timed"/.test((await get('/folder')).text);
    expect(await isListed()).toBe(false);
    await expect.poll(isListed, { interval: 20 }).toBe(true);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
    await expect.poll(isListed, { interval: 20, timeout: 3000 }).toBe(false);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(later));
  });

  it('a cached response ends with the credentials of its request', async () => {
    const { token } = await addPerson(site, { id: 'leaver', roles: ['Member', 'Manager'] });
    const path = await make(site.kernel, '/', { id: 'closed' });
    expect((await get(path, { token })).status).toBe(200);
    expect((await get(path, { token })).status).toBe(200);
    await site.request('PATCH', '/@users/leaver', { json: { roles: { Manager: false } } });
    expect((await get(path, { token })).status).toBe(403);
    expect((await site.request('DELETE', '/@users/leaver')).status).toBe(204);
    expect((await get(path, { token })).status).toBe(401);
  });

  it('responses of collections with relative dates, of old versions and to passwords are not cached', async () => {
    const query = [{ i: 'effective', o: 'plone.app.querystring.operation.date.beforeToday', v: '' }];
    await make(site.kernel, '/', { '@type': 'Page', id: 'versioned' }, { state: 'published' });
    expect(await statements('/versioned?version=0', admin)).toContain('locate-content');
    expect(await statements('/versioned', 'admin')).toContain('locate-content');
    const searched = `/@querystring-search?query=${encodeURIComponent(JSON.stringify({ query }))}`;
    expect(await statements(searched, 'anonymous')).toContain('locate-content');
  });

  it('no response is cached for invalid tokens', async () => {
    const found = await statements('/folder/page', { token: 'made-up' });
    expect(found).toContain('locate-content');
  });
});

describe.skipIf(!engines().includes('postgresql'))('answers in memory of several processes', () => {
  let writer: TestSite;
  /** Two processes of the same site, one with and one without anything in memory. */
  let urls: string[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  async function startAnother(cacheBytes: number): Promise<string> {
    const [{ name } = { name: '' }] = await writer.kernel.db.query<{ name: string }>({
      text: 'select current_database() as name',
    });
    const url = withDatabaseName(inject('templates').postgresql?.url ?? '', name);
    const db = new PostgresDatabase(url, { log: () => {} });
    const { config, log, blobs } = writer.kernel;
    const caches = { responseCacheBytes: cacheBytes, rowCacheBytes: cacheBytes };
    const kernel = createKernel({ config: { ...config, ...caches }, log, db, blobs });
    const { app, close } = await createServer(kernel);
    stops.push(close, () => db.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  }

  beforeAll(async () => {
    writer = await startTestSite('postgresql', { environment: { PUBLIC_URL: 'https://example.org' } });
    urls = [await startAnother(32 * 1024 * 1024), await startAnother(0)];
    await make(writer.kernel, '/', { '@type': 'Folder', id: 'a' }, { state: 'published' });
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await writer?.close();
  });

  it('a cached response equals a new one after every write of another process', async () => {
    const { token } = await addPerson(writer, { id: 'editor', roles: ['Member', 'Editor'] });
    const send = async (method: string, path: string, json?: unknown) => {
      const { status, text } = await writer.request(method, path, json === undefined ? {} : { json });
      expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
    };
    const writes: [string, string, unknown?][] = [
      ['POST', '/a', { '@type': 'Page', id: 'one', title: 'One' }],
      ['POST', '/a/one/@workflow/publish', {}],
      ['PATCH', '/a/one', { title: 'First', description: 'needle' }],
      ['POST', '/a', { '@type': 'Page', id: 'two', title: 'Two', relatedItems: ['/a/one'] }],
      ['PATCH', '/a', { ordering: { obj_id: 'two', delta: 'top' } }],
      ['POST', '/a/two/@workflow/publish', {}],
      ['POST', '/a/@sharing', { entries: [{ id: 'editor', type: 'user', roles: { Reviewer: true } }] }],
      ['POST', '/a/one/@lock', {}],
      ['DELETE', '/a/one/@lock', { force: true }],
      ['PATCH', '/@users/editor', { fullname: 'The Editor' }],
      ['PATCH', '/a/one', { id: 'uno' }],
      ['POST', '/a/@copy', { source: '/a/uno' }],
      ['POST', '/a/uno/@workflow/retract', {}],
      ['PATCH', '/a/two', { exclude_from_nav: true }],
      ['POST', '/', { '@type': 'Folder', id: 'b', title: 'B' }],
      ['POST', '/b/@move', { source: '/a/two' }],
      ['DELETE', '/a/uno'],
      ['PATCH', '/@users/editor', { roles: { Editor: false } }],
    ];
    const reads = [
      '/a',
      '/a/one',
      '/a/one?expand=breadcrumbs,navigation,actions,workflow,types',
      '/a/two',
      '/b?fullobjects=1',
      '/@navigation?expand.navigation.depth=3',
      '/@search?SearchableText=needle&metadata_fields=_all',
      '/a/@types',
      '/a/uno/@breadcrumbs',
    ];
    const callers: Record<string, string>[] = [{}, { Authorization: `Bearer ${token}` }];
    const answers = async (url: string, query = '') => {
      const all = callers.flatMap((headers) => reads.map((path) => ({ path, headers })));
      return Promise.all(
        all.map(async ({ path, headers }) => {
          const response = await fetch(url + path + (query && `${path.includes('?') ? '&' : '?'}${query}`), {
            redirect: 'manual',
            headers: { Accept: 'application/json', ...headers },
          });
          const text = (await response.text()).replace(/[?&]expand=asked-\d+/g, '');
          return `${path} ${response.status} ${text}`;
        }),
      );
    };
    const [remembering = '', forgetful = ''] = urls;
    for (const [number, write] of writes.entries()) {
      await send(...write);
      const fresh = await answers(forgetful);
      expect(await answers(remembering), JSON.stringify(write)).toEqual(fresh);
      expect(await answers(remembering), JSON.stringify(write)).toEqual(fresh);
      const made = await answers(remembering, `expand=asked-${number}`);
      expect(made, `made of kept rows after ${JSON.stringify(write)}`).toEqual(fresh);
    }
  });

  it('a cached response is never older than the response to a write, however many requests there are meanwhile', async () => {
    const [url = ''] = urls;
    const path = await make(writer.kernel, '/', { id: 'counter', title: '0' }, { state: 'published' });
    let acknowledged = 0;
    let isOver = false;
    const readers = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const least = acknowledged;
        const { title } = (await (await fetch(url + path, { headers: { Accept: 'application/json' } })).json()) as {
          title: string;
        };
        expect(Number(title)).toBeGreaterThanOrEqual(least);
      }
    });
    try {
      for (let number = 1; number <= 60; number += 1) {
        await writer.request('PATCH', path, { json: { title: String(number) } });
        acknowledged = number;
      }
    } finally {
      isOver = true;
    }
    await Promise.all(readers);
  });
});
