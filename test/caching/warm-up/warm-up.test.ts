import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { createRestartedSite, NOT_USED, type RestartedSite, WARM } from './restarted-site.ts';

const SEARCH = '/@search?SearchableText=secret-words';

describeEachEngine('a restart with a warm-up', (engine) => {
  let site: RestartedSite;
  beforeAll(async () => {
    site = await createRestartedSite(engine);
    const server = await site.serve();
    for (const id of ['popular', 'rare', 'leaves']) {
      await server.request('POST', '/', { json: { '@type': 'Page', id, title: id } });
      await server.request('POST', `/${id}/@workflow/publish`, { json: {} });
    }
    await server.request('POST', '/', { json: { '@type': 'Page', id: 'private', title: 'Private' } });
    await server.request('PATCH', '/@controlpanels/language', { json: { available_languages: ['en', 'de'] } });
    await server.close();
  });
  afterAll(() => site.close());
  beforeEach(() => site.db.query({ text: 'delete from asked_addresses' }));

  /** Runs a server, has visitors ask for addresses, and ends it. */
  async function runWith(paths: readonly string[], headers: Record<string, string> = {}): Promise<void> {
    const server = await site.serve();
    await server.visit(paths, headers);
    await server.close();
  }

  it('the first request after a restart is served from memory', async () => {
    await runWith(['/rare', '/popular', '/popular', '/popular?expand=breadcrumbs']);
    expect(await site.targets()).toEqual(['/popular', '/rare', '/popular?expand=breadcrumbs']);
    const server = await site.serve();
    const line = await site.line(WARM);
    expect(line).toMatchObject({ made: 3, gone: 0, of: 3 });
    expect(server.responses.hits).toBe(0);
    const found = await server.visit(['/popular', '/popular?expand=breadcrumbs', '/rare', '/leaves']);
    expect(found).toEqual(['hit', 'hit', 'hit', 'miss']);
    await server.close();
    // Requests of the server itself do not count.
    expect(await site.targets()).toEqual(['/popular', '/rare', '/popular?expand=breadcrumbs', '/leaves']);
  });

  it('a response is made in the language in which visitors asked for it', async () => {
    const german = { 'Accept-Language': 'de' };
    await runWith(['/popular'], german);
    const server = await site.serve();
    await site.line(WARM);
    expect(await server.visit(['/popular'], german)).toEqual(['hit']);
    expect(await server.visit(['/popular'])).toEqual(['miss']);
    await server.close();
  });

  it('nothing is stored of private pages, of users, of failed requests and of words that visitors search for', async () => {
    const server = await site.serve();
    await server.visit(['/private', '/nowhere', '/popular/@sharing', SEARCH, '/@search?%53earchable%54ext=secret']);
    for (const path of ['/private', '/rare', '/@search']) await server.request('GET', path);
    const { token } = (await server.request('POST', '/@login', { json: { login: 'admin', password: 'admin' } })).body;
    for (const path of ['/private', '/rare']) await server.request('GET', path, { as: { token } });
    await server.request('GET', '/rare', { as: { token: 'wrong' } });
    await server.visit(['/popular?unknown=secret']);
    await server.close();
    expect(await site.targets()).toEqual(['/popular']);
    expect(await site.list()).not.toMatch(/secret|private|rare/);
  });

  it('a page that has become private is not asked for again, and leaves the list', async () => {
    await runWith(['/leaves', '/rare']);
    const server = await site.serve();
    await server.request('POST', '/leaves/@workflow/retract', { json: {} });
    expect(await site.line(WARM)).toMatchObject({ made: 1, gone: 1 });
    expect((await server.request('GET', '/leaves', { as: 'anonymous' })).status).toBe(401);
    await server.close();
    expect(await site.targets()).toEqual(['/rare']);
    const again = await site.serve();
    await again.request('POST', '/leaves/@workflow/publish', { json: {} });
    await again.close();
  });

  it.each([
    ['damaged', 'list = left(list, 40)', 'it is damaged'],
    [
      'of another form',
      `list = replace(list, '"form":1', '"form":2')`,
      'another version of the program has written it',
    ],
    ['with a wrong address', `list = replace(list, '"https"', '"file"')`, 'it is damaged'],
    ['no object', `list = '[]'`, 'it is damaged'],
    ['huge', `list = repeat('x', 300000)`, 'it is too large'],
    ['old', `written = now() - interval '20 days'`, 'it is too old'],
  ])('a list that is %s is not used, and replaced by a new one', async (_kind, change, reason) => {
    await runWith(['/rare']);
    await site.db.query({ text: `update asked_addresses set ${change}` });
    const server = await site.serve();
    expect(await site.line(NOT_USED)).toMatchObject({ reason });
    expect(await server.visit(['/rare', '/popular'])).toEqual(['miss', 'miss']);
    expect(server.warmUp).toEqual({ made: 0, gone: 0 });
    await server.close();
    expect(await site.targets()).toEqual(['/rare', '/popular']);
  });

  it('a server that is closed before or during its warm-up stops at once', async () => {
    await runWith(['/popular', '/rare', '/leaves', ...Array.from({ length: 40 }, (_, i) => `/@search?b_start=${i}`)]);
    const before = await site.targets();
    for (const ms of [0, 505, 515, 530]) {
      const server = await site.serve();
      await sleep(ms);
      const began = performance.now();
      await server.close();
      expect(performance.now() - began).toBeLessThan(2000);
      expect(site.lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
      expect(await site.targets()).toEqual(before);
    }
  });

  it('several processes add to one list', async () => {
    const [one, other] = [await site.serve(), await site.serve()];
    await one.visit(['/rare', '/popular', '/popular']);
    await other.visit(['/rare', '/rare', '/leaves']);
    await Promise.all([one.close(), other.close()]);
    const { addresses } = JSON.parse((await site.list()) ?? '');
    const counts = addresses.map(({ target, count }: { target: string; count: number }) => [target, Math.round(count)]);
    expect(new Map(counts)).toEqual(
      new Map([
        ['/rare', 3],
        ['/popular', 2],
        ['/leaves', 1],
      ]),
    );
  });

  it('requests of visitors go first', async () => {
    await runWith(['/popular', '/rare']);
    const server = await site.serve();
    const slow = request(`${server.url}/`, {
      ...{ method: 'POST', auth: 'admin:admin' },
      headers: { 'Content-Type': 'application/json', 'Content-Length': 2 },
    });
    slow.flushHeaders();
    await sleep(800);
    expect(server.warmUp.made).toBe(0);
    slow.end('{}');
    await once(slow, 'response');
    await site.line(WARM);
    expect(server.warmUp.made).toBe(2);
    await server.close();
  });
});

describeEachEngine('a warm-up', (engine) => {
  it('behind a proxy, responses are made for the address that visitors use', async () => {
    const site = await createRestartedSite(engine, { PUBLIC_URL: '', TRUST_PROXY: '1' });
    const paths = ['/VirtualHostBase/https/www.example.org:443/Plone/VirtualHostRoot/', '/'];
    const headers = { 'X-Forwarded-Host': 'other.example.org', 'X-Forwarded-Proto': 'https' };
    const server = await site.serve();
    await server.visit(paths, headers);
    await server.close();
    const again = await site.serve();
    await site.line(WARM);
    expect(await again.visit(paths, headers)).toEqual(['hit', 'hit']);
    await again.close();
    await site.close();
  });

  it('where it is switched off, or nothing is cached, nothing is stored', async () => {
    for (const environment of [{ WARM_UP: 'off' }, { RESPONSE_CACHE_MB: '0' }]) {
      const site = await createRestartedSite(engine, environment);
      const server = await site.serve();
      await server.visit(['/', '/']);
      await server.close();
      expect(await site.list()).toBeUndefined();
      await site.close();
    }
  });
});
