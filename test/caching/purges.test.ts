import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CacheRequest, type CacheStub, startCacheStub } from '../support/cache-stub.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

/** Milliseconds until a cache must have got a purge. */
const SOON_MS = 10_000;

async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + SOON_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error('It did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describeEachEngine('purges of caches outside', (engine) => {
  const site = useTestSite(engine, () => ({ environment: { WEBHOOK_PRIVATE_ADDRESSES: '1' } }));
  let cache: CacheStub;
  const must = async (method: string, path: string, json?: Json) => {
    const response = await site.request(method, path, json === undefined ? {} : { json });
    expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
    return response.body;
  };
  const configure = (values: Json) => must('PATCH', '/@controlpanels/caching', values);
  const tagsOf = async (path: string): Promise<string[]> => {
    const { headers } = await site.request('GET', path, { as: 'anonymous' });
    return (headers.get('surrogate-key') ?? '').split(' ');
  };
  const count = async (): Promise<number> =>
    (await site.kernel.db.query({ text: `select id from queue_item where kind = 'cache-purge'` })).length;
  /** Deletes the notices that wait, gives running ones 100 ms, and clears the received requests. */
  const settle = async () => {
    await site.kernel.db.query({ text: `delete from queue_item where kind = 'cache-purge'` });
    await new Promise((resolve) => setTimeout(resolve, 100));
    cache.requests.length = 0;
  };
  /** Returns the first request that has one of the tags. Repeats `act` until it comes. */
  const toldOf = async (
    tags: string[],
    tagsIn: (request: CacheRequest) => string[],
    act: () => Promise<unknown>,
  ): Promise<CacheRequest> => {
    let tries = 0;
    return until(async () => {
      if (tries++ % 50 === 0) await act();
      return cache.requests.find((request) => tagsIn(request).some((tag) => tags.includes(tag)));
    });
  };

  beforeAll(async () => {
    cache = await startCacheStub();
    for (const id of ['one', 'two']) {
      await must('POST', '/', { '@type': 'Folder', id, title: id });
      await must('POST', `/${id}/@workflow/publish`, {});
    }
    await configure({
      ...{ enabled: true, tag_header: 'Surrogate-Key', purge_method: 'xkey', caching_proxies: [cache.url] },
    });
  });
  afterAll(() => cache?.close());
  beforeEach(() => cache.respondWith(200));

  it('a change is sent to a cache at once and a second time, by tags that the changed response had and others have not', async () => {
    const all = await tagsOf('/two');
    const own = (await tagsOf('/one')).filter((tag) => !all.includes(tag));
    await until(async () => ((await count()) === 0 ? true : undefined)).catch(() => undefined);
    await settle();
    const tagsIn = ({ headers }: CacheRequest) => String(headers['xkey-purge'] ?? '').split(' ');
    const request = await toldOf(own, tagsIn, () => must('PATCH', '/one', { title: 'Changed' }));
    expect(request.method).toBe('PURGE');
    const other = (await tagsOf('/two')).filter((tag) => !own.includes(tag));
    // The root, which both depend on and which has not changed, stays.
    expect(tagsIn(request).filter((tag) => other.includes(tag))).toEqual([]);
    await until(() =>
      cache.requests.filter((one) => tagsIn(one).some((tag) => own.includes(tag))).length >= 2 ? true : undefined,
    );
    await until(async () => ((await count()) === 0 ? true : undefined));
  });

  it('a write that fails sends no purge', async () => {
    await settle();
    expect((await site.request('PATCH', '/one', { json: { title: 7 } })).status).toBe(400);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(cache.requests).toEqual([]);
  });

  it('a change of the configuration purges everything', async () => {
    await settle();
    const tags = await tagsOf('/one');
    const common = (await tagsOf('/@search')).filter((tag) => tags.includes(tag));
    await toldOf(
      common,
      ({ headers }) => String(headers['xkey-purge'] ?? '').split(' '),
      () => must('PATCH', '/@controlpanels/site', { site_title: `Title ${Math.random()}` }),
    );
  });

  it('a purge waits while its cache is away, which the health check and the list show, and is sent when the cache is back', async () => {
    await settle();
    cache.respondWith(503);
    await must('PATCH', '/one', { title: 'While it is away' });
    const { items } = await until(async () => {
      const list = await must('GET', '/@cache-purges');
      return list.items[0]?.error ? list : undefined;
    });
    expect(items).toEqual([
      {
        ...{ cache: cache.url, waiting: 1, since: expect.any(String), attempts: expect.any(Number) },
        error: 'The other system answered with the status 503.',
      },
    ]);
    const [health] = (await must('GET', '/@health')).checks['cachePurges:waiting'];
    expect([health.observedValue, health.observedUnit]).toEqual([expect.any(Number), 'purges']);
    cache.respondWith(200);
    cache.requests.length = 0;
    await until(async () => ((await must('GET', '/@cache-purges')).items.length === 0 ? true : undefined));
    expect(cache.requests.length).toBeGreaterThan(0);
  });

  it('too many waiting changes become one purge of everything', async () => {
    cache.respondWith(503);
    await settle();
    await site.kernel.db.query({
      text: `insert into queue_item (kind, topic, data, due)
        select 'cache-purge', $1, '{"tags": ["x"], "paths": [], "round": 1}', now() + interval '1 hour' from generate_series(1, 300)`,
      values: [cache.url],
    });
    await must('PATCH', '/one', { title: 'One more' });
    await until(async () => ((await count()) === 1 ? true : undefined));
    cache.respondWith(200);
    await settle();
  });

  it('a change that another process made without a notification is found', async () => {
    await settle();
    const tags = await tagsOf('/two');
    const others = await tagsOf('/one');
    await toldOf(
      tags.filter((tag) => !others.includes(tag)),
      ({ headers }) => String(headers['xkey-purge'] ?? '').split(' '),
      () => site.kernel.db.query({ text: `update content set position = position where path = '/two'` }),
    );
  });

  it('bans, Fastly and Cloudflare get what they want, with the token', async () => {
    await must('PUT', '/@cache-purges/token', { token: 'secret-token' });
    expect((await must('GET', '/@cache-purges')).has_token).toBe(true);
    const [row] = await site.kernel.db.query<{ secret: string }>({
      text: 'select secret from cache_purge_token',
    });
    expect(row?.secret).toMatch(/^(?!.*secret-token)./);
    const kinds: [string, (request: CacheRequest) => string[], (request: CacheRequest) => unknown, unknown][] = [
      [
        'ban',
        ({ headers }) => String(headers['x-ban-tags'] ?? '').split('|'),
        ({ method, headers }) => [method, headers.authorization],
        ['BAN', 'Bearer secret-token'],
      ],
      [
        'fastly',
        ({ headers }) => String(headers['surrogate-key'] ?? '').split(' '),
        ({ method, path, headers }) => [method, path, headers['fastly-key']],
        ['POST', '/service/x/purge', 'secret-token'],
      ],
      [
        'cloudflare',
        ({ body }) => (body.startsWith('{') ? JSON.parse(body).tags : []),
        ({ method, path, headers }) => [method, path, headers.authorization, headers['content-type']],
        ['POST', '/zones/x/purge_cache', 'Bearer secret-token', 'application/json'],
      ],
    ];
    const paths = new Map([
      ['fastly', '/service/x/purge'],
      ['cloudflare', '/zones/x/purge_cache'],
    ]);
    for (const [purge_method, tagsIn, seen, expected] of kinds) {
      await configure({ purge_method, caching_proxies: [`${cache.url}${paths.get(purge_method) ?? ''}`] });
      await settle();
      const tags = await tagsOf('/one');
      const others = await tagsOf('/two');
      const request = await toldOf(
        tags.filter((tag) => !others.includes(tag)),
        tagsIn,
        () => must('PATCH', '/one', { title: `Title ${Math.random()}` }),
      );
      expect(seen(request)).toEqual(expected);
    }
    await must('DELETE', '/@cache-purges/token');
    expect((await must('GET', '/@cache-purges')).has_token).toBe(false);
  });

  it('a cache that redirects gets no second request, which would take the token elsewhere', async () => {
    await configure({ purge_method: 'xkey', caching_proxies: [cache.url] });
    await settle();
    cache.respondWith(307);
    await must('PATCH', '/one', { title: 'Redirected' });
    await until(async () => (await must('GET', '/@cache-purges')).items.find(({ error }: Json) => error !== null));
    cache.respondWith(200);
  });

  it('PURGE goes to the addresses of what changed, of its container, and of where it was, under each domain', async () => {
    await configure({ purge_method: 'paths', caching_proxies: [cache.url], domains: ['https://www.example.org'] });
    await must('POST', '/one', { '@type': 'Page', id: 'page', title: 'Page' });
    await settle();
    await must('PATCH', '/one/page', { title: 'Other' });
    const pathsNow = () => cache.requests.filter(({ method }) => method === 'PURGE').map(({ path }) => path);
    const wanted = ['', '/@actions', '/@breadcrumbs', '/@comments', '/@navigation'].flatMap((end) => [
      `/one/page${end}`,
      `/++api++/one/page${end}`,
    ]);
    const ofContainer = ['/one', '/++api++/one', '/one/@navigation', '/++api++/one/@navigation'];
    await until(() => ([...wanted, ...ofContainer].every((path) => pathsNow().includes(path)) ? true : undefined));
    expect(new Set(cache.requests.map(({ headers }) => headers.host))).toEqual(new Set(['www.example.org']));
    await settle();
    cache.respondWith(404);
    await must('POST', '/two/@move', { source: '/one/page' });
    await until(() => (pathsNow().includes('/one/page') && pathsNow().includes('/two/page') ? true : undefined));
    await must('DELETE', '/two/page');
    await until(async () => ((await must('GET', '/@cache-purges')).items.length === 0 ? true : undefined));
  });

  it('Managers have caches forget some content, or everything, and nobody else does', async () => {
    expect((await site.request('POST', '/@cache-purges', { json: {} })).status).toBe(400);
    await configure({ purge_method: 'xkey', domains: [] });
    await settle();
    const tagsIn = ({ headers }: CacheRequest) => String(headers['xkey-purge'] ?? '').split(' ');
    const [own, others] = [await tagsOf('/one'), await tagsOf('/two')];
    await toldOf(
      own.filter((tag) => !others.includes(tag)),
      tagsIn,
      () => must('POST', '/@cache-purges', { paths: ['/one'] }),
    );
    await settle();
    await toldOf(
      own.filter((tag) => others.includes(tag)),
      tagsIn,
      () => must('POST', '/@cache-purges', {}),
    );
    expect((await site.request('POST', '/@cache-purges', { as: 'anonymous', json: {} })).status).toBe(401);
    expect((await site.request('POST', '/@cache-purges', { json: { paths: ['one'] } })).status).toBe(400);
  });

  it('tags of purges without a header for them, and invalid addresses, are refused', async () => {
    for (const json of [{ tag_header: 'none' }, { caching_proxies: ['ftp://cache'] }, { domains: ['example.org'] }])
      expect((await site.request('PATCH', '/@controlpanels/caching', { json })).status, JSON.stringify(json)).toBe(400);
  });

  it('a site with purges switched off has nothing to send, and nothing waits', async () => {
    await configure({ purge_enabled: false });
    await settle();
    await must('PATCH', '/one', { title: 'Silence' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([await count(), cache.requests.length]).toEqual([0, 0]);
    expect((await site.request('POST', '/@cache-purges', { json: {} })).status).toBe(400);
  });
});
