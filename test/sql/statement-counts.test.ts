import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { tokenOf } from '../content/people.ts';
import { CountingDatabase, LOOKS } from '../support/counting-database.ts';
import { describeEachEngine } from '../support/database.ts';
import { components } from '../support/registries.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

/** One file for each engine: the embedded database holds nothing against other writers. `npx vitest run test/sql -u` updates them. */
const snapshotOf = (engine: string): string => join(import.meta.dirname, `statement-counts-${engine}.json`);

/**
 * The most statements for an anonymous visitor's page, a folder with 25 children, and in addition for a login or a component.
 */
const LIMITS = { page: 2, folder: 3, loggedIn: 1, component: 1 };

describeEachEngine('SQL statements of a request', (engine) => {
  let site: TestSite;
  let database: CountingDatabase;
  let admin: Who;
  const counts: Record<string, number> = {};

  beforeAll(async () => {
    site = await startTestSite(engine, {
      // Without a response cache, so that a repeated request runs its statements again.
      environment: { RESPONSE_CACHE_MB: '0', ROW_CACHE_MB: '0' },
      wrap: (db) => {
        database = new CountingDatabase(db);
        return database;
      },
    });
    admin = await tokenOf(site, 'admin');
    const { kernel } = site;
    const published = { state: 'published' } as const;
    await make(kernel, '/', { id: 'page' }, published);
    await make(kernel, '/', { '@type': 'Folder', id: 'folder' }, published);
    for (let i = 1; i <= 25; i += 1)
      await make(kernel, '/folder', { id: `child-${i}`, relatedItems: ['/page'] }, published);
    const blocks = {
      a: { '@type': 'teaser', href: [{ '@id': '/folder/child-1' }] },
      b: { '@type': 'slate', value: [] },
    };
    await make(kernel, '/', { id: 'references', relatedItems: ['/page', '/folder'], blocks }, published);
    await make(kernel, '/folder/child-1', { id: 'deep' }, published);
    await site.request('GET', '/page', { as: 'anonymous' });
  });
  afterAll(() => site?.close());

  /** The SQL statements of one request, which must get this status, without those that look for changes. */
  async function statements(status: number, method: string, path: string, options: Parameters<TestSite['request']>[2]) {
    const run = await database.during(async () => {
      const answer = await site.request(method, path, options);
      expect(answer.status, answer.text).toBe(status);
    });
    return run.filter((name) => !LOOKS.includes(name));
  }

  async function read(kind: string, path: string, as: Who, limit: number): Promise<void> {
    const found = await statements(200, 'GET', path, { as });
    counts[kind] = found.length;
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(limit);
  }

  it('read requests keep the limits of SQL statements', async () => {
    await read('anonymous page', '/page', 'anonymous', LIMITS.page);
    await read('anonymous page with references', '/references', 'anonymous', LIMITS.page);
    await read('anonymous page deep in the tree', '/folder/child-1/deep', 'anonymous', LIMITS.page);
    await read('anonymous folder with 25 children', '/folder', 'anonymous', LIMITS.folder);
    await read('logged-in page', '/page', admin, LIMITS.page + LIMITS.loggedIn);
    await read('logged-in page with references', '/references', admin, LIMITS.page + LIMITS.loggedIn);
    await read('logged-in folder with 25 children', '/folder', admin, LIMITS.folder + LIMITS.loggedIn);
  });

  describe.each(['/folder/child-1', '/folder'])('a component of %s', (path) => {
    it.each(components.map(({ name }) => name))('%s costs one more at most', async (name) => {
      const plain = await statements(200, 'GET', path, { as: admin });
      const expanded = await statements(200, 'GET', `${path}?expand=${name}`, { as: admin });
      expect(expanded.length, expanded.join('\n')).toBeLessThanOrEqual(plain.length + LIMITS.component);
    });
  });

  it('a folder costs the same number of statements, however many children and references there are', async () => {
    const small = await make(site.kernel, '/', { '@type': 'Folder', id: 'small' }, { state: 'published' });
    await make(site.kernel, small, { id: 'child', relatedItems: ['/page'] }, { state: 'published' });
    const one = await statements(200, 'GET', small, { as: 'anonymous' });
    const many = await statements(200, 'GET', '/folder', { as: 'anonymous' });
    expect(many).toEqual(one);
    const full = await statements(200, 'GET', '/folder?fullobjects', { as: 'anonymous' });
    expect(full).toEqual(one);
  });

  it('a request from another origin costs no more statements, unless it ended before the site was loaded', async () => {
    const headers = { Origin: 'http://localhost:3000' };
    for (const [status, path] of [
      [200, '/page'],
      [404, '/nothing'],
      [404, '/page/@nothing'],
      [401, '/page/@sharing'],
    ] as const) {
      const plain = await statements(status, 'GET', path, { as: 'anonymous' });
      const both = await statements(status, 'GET', path, { as: 'anonymous', headers });
      expect(both, path).toEqual(plain);
    }
    expect(await statements(400, 'GET', '/%zz', { as: 'anonymous' })).toHaveLength(0);
    expect(await statements(400, 'GET', '/%zz', { as: 'anonymous', headers })).toHaveLength(1);
    const asked = { ...headers, 'Access-Control-Request-Method': 'PATCH' };
    const preflight = await statements(200, 'OPTIONS', '/page', { as: 'anonymous', headers: asked });
    expect(preflight).toHaveLength(1);
    // The number of statements must not depend on the state of the database.
    const health = await statements(200, 'GET', '/@health', { as: 'anonymous', headers });
    expect(health).not.toContain(preflight[0]);
  });

  it('explained access runs the statements of the snapshot', async () => {
    const count = async (kind: string, path: string) => {
      counts[kind] = (await statements(200, 'GET', path, { as: admin })).length;
    };
    await count('explained access of a visitor', '/page/@explain-access?user=Anonymous');
    await count('explained access of a user', '/page/@explain-access');
    await count('table of access', '/folder/@explain-access/table');
  });

  // On PostgreSQL messages of the lease come between.
  it.skipIf(engine !== 'pglite')(
    'a write is few messages to the database, and its caller is no message of its own',
    async () => {
      const parent = await make(site.kernel, '/', { '@type': 'Folder', id: 'messages' }, { state: 'published' });
      const messages = async (status: number, method: string, path: string, json?: Record<string, unknown>) => {
        const { durations } = database.load().statements;
        const before = durations.count;
        await statements(status, method, path, { as: admin, ...(json ? { json } : {}) });
        return durations.count - before;
      };
      const found = {
        POST: await messages(201, 'POST', parent, { '@type': 'Page', title: 'New' }),
        PATCH: await messages(204, 'PATCH', `${parent}/new`, { title: 'Newer' }),
        'PATCH without a change': await messages(204, 'PATCH', `${parent}/new`, { title: 'Newer' }),
        transition: await messages(200, 'POST', `${parent}/new/@workflow/publish`),
        DELETE: await messages(204, 'DELETE', `${parent}/new`),
      };
      expect(found).toMatchInlineSnapshot(`
        {
          "DELETE": 8,
          "PATCH": 2,
          "PATCH without a change": 2,
          "POST": 3,
          "transition": 5,
        }
      `);
    },
  );

  it('writes run the statements of the snapshot', async () => {
    const write = async (
      kind: string,
      status: number,
      method: string,
      path: string,
      json?: Record<string, unknown>,
    ) => {
      counts[kind] = (await statements(status, method, path, { as: admin, ...(json ? { json } : {}) })).length;
    };
    await write('POST', 201, 'POST', '/folder', { '@type': 'Page', title: 'New' });
    await write('PATCH', 204, 'PATCH', '/folder/new', { title: 'Newer' });
    await write('PATCH without a change', 204, 'PATCH', '/folder/new', { title: 'Newer' });
    await write('PATCH with references', 204, 'PATCH', '/folder/new', { relatedItems: ['/page', '/folder/child-1'] });
    await write('reorder by one', 204, 'PATCH', '/folder', { ordering: { obj_id: 'new', delta: -1 } });
    await write('reorder to the top', 204, 'PATCH', '/folder', { ordering: { obj_id: 'new', delta: 'top' } });
    await write('sort', 204, 'PATCH', '/folder', { sort: { on: 'id' } });
    await write('lock', 200, 'POST', '/folder/new/@lock');
    await write('unlock', 200, 'DELETE', '/folder/new/@lock');
    await write('transition', 200, 'POST', '/folder/new/@workflow/publish');
    await write('rename', 204, 'PATCH', '/folder/new', { id: 'renamed' });
    await write('rename of a subtree', 204, 'PATCH', '/folder', { id: 'moved' });
    await write('DELETE', 204, 'DELETE', '/moved/renamed');
    await write('DELETE of a subtree', 204, 'DELETE', '/moved');
    const login = { as: 'anonymous', json: site.admin } as const;
    counts.login = (await statements(200, 'POST', '/@login', login)).length;
    await expect(`${JSON.stringify(counts, null, 2)}\n`).toMatchFileSnapshot(snapshotOf(engine));
  });
});
