import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogLine } from '../support/log-lines.ts';
import { type ObservedSite, startObservedSite, startOtherSystem } from './observed-site.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('the log of a site whose operator wants to know all', () => {
  let site: ObservedSite;
  let other: Awaited<ReturnType<typeof startOtherSystem>>;
  beforeAll(async () => {
    other = await startOtherSystem();
    site = await startObservedSite({ ACCESS_LOG: '1', SLOW_STATEMENT_MS: '0', WEBHOOK_PRIVATE_ADDRESSES: '1' });
    await site.request('POST', '/', { json: { '@type': 'Page', title: 'News', id: 'news' } });
  });
  afterAll(async () => {
    await site.close();
    await other.close();
  });
  /** The line of the access log about a request. */
  const lineOf = async (id: string) => {
    await expect.poll(() => site.linesOf(id).some(({ msg }) => msg === 'request')).toBe(true);
    return site.linesOf(id).find(({ msg }) => msg === 'request');
  };

  it('each request is one line with its caller, status, time and size', async () => {
    const { text, headers } = await site.request('GET', '/news?expand=actions&b_size=5');
    const line = await lineOf(headers.get('x-request-id') ?? '');
    expect(line).toMatchObject({ method: 'GET', path: '/news?expand=actions&b_size=5', status: 200, user: 'admin' });
    expect(line).toMatchObject({ bytes: Buffer.byteLength(text), client: '127.0.0.1', cache: 'miss' });
    expect(line?.ms).toBeGreaterThan(0);
    expect(line?.statements).toBeGreaterThan(0);
  });

  it('a response from memory is marked, with the user who reads it', async () => {
    const { body } = await site.request('POST', '/@login', { json: { login: 'admin', password: 'admin' } });
    const as = { token: body.token };
    const read = async (id: string, who: typeof as | 'anonymous') => {
      await site.request('GET', '/', { as: who, headers: { 'X-Request-Id': id } });
      return lineOf(id);
    };
    // Work of the new site may still change what is cached.
    const fromMemory = async (name: string, who: typeof as | 'anonymous') => {
      let line: LogLine | undefined;
      for (let n = 0; n < 20 && line?.cache !== 'hit'; n += 1) line = await read(`${name}-${n}`, who);
      return line;
    };
    expect(await fromMemory('token', as)).toMatchObject({ cache: 'hit', user: 'admin' });
    expect(await fromMemory('nobody', 'anonymous')).toMatchObject({ cache: 'hit', user: null });
  });

  it('passwords, tokens of previews and what people search for are not in the log', async () => {
    const link = await site.request('POST', '/news/@preview-links', { json: {} });
    const { token } = link.body;
    expect(token).toMatch(/^preview_/);
    const { status } = await site.request('GET', `/news?preview_token=${token}`, { as: 'anonymous' });
    expect(status).toBe(200);
    await site.request('GET', '/@search?SearchableText=illness', { as: 'anonymous' });
    await site.request('POST', '/@login', { json: { login: 'admin', password: 'wrong-secret' } });
    const { headers } = await site.request('GET', '/?password=hidden-word&code=12345678&b_start=2');
    const line = await lineOf(headers.get('x-request-id') ?? '');
    expect(line?.path).toBe('/?password=…&code=…&b_start=2');
    const log = JSON.stringify(site.lines);
    for (const secret of [token, 'illness', 'wrong-secret', 'hidden-word', '12345678'])
      expect(log).not.toContain(secret);
  });

  it('a slow statement is a line with its text, its time and the request, without its values', async () => {
    await site.request('GET', '/@search?Title=unlikely-word-4711', { headers: { 'X-Request-Id': 'slow-one' } });
    const slow = site.linesOf('slow-one').filter(({ msg }) => msg === 'slow statement');
    expect(slow.length).toBeGreaterThan(0);
    expect(
      slow.some(({ statement }) => /^(?:with|select)\b.*\bcatalog\b/i.test(String(statement))),
      JSON.stringify(slow),
    ).toBe(true);
    for (const line of slow) expect(line).toMatchObject({ ms: expect.any(Number), rows: expect.any(Number) });
    expect(JSON.stringify(slow)).not.toContain('unlikely-word-4711');
  });

  it('statements of a transaction have the request, too', async () => {
    await site.request('PATCH', '/news', { json: { title: 'Newer' }, headers: { 'X-Request-Id': 'write-one' } });
    const statements = site.linesOf('write-one').map(({ statement }) => String(statement));
    expect(statements.some((text) => /\bupdate content\b/.test(text))).toBe(true);
    expect(statements.some((text) => /; commit$/.test(text))).toBe(true);
  });

  it('the id of a client is taken when it is well-formed, and sent back', async () => {
    const idFor = async (id: string) =>
      (await site.request('GET', '/news', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    expect(await idFor('a.client:id_1-2')).toBe('a.client:id_1-2');
    const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
    for (const bad of ['x'.repeat(129), 'a b', '"quoted"', '<b>', 'a,b']) expect(await idFor(bad)).toMatch(made);
    expect((await site.request('GET', '/nowhere')).headers.get('x-request-id')).toMatch(made);
  });

  it('a fault has the id in its response and in the log', async () => {
    const { blobs } = site.kernel;
    const put = blobs.put.bind(blobs);
    blobs.put = () => Promise.reject(new TypeError('a fault'));
    const image = { filename: 'a.txt', data: 'YQ==', encoding: 'base64', 'content-type': 'text/plain' };
    const failed = await site.request('POST', '/', {
      json: { '@type': 'File', title: 'A', file: image },
      headers: { 'X-Request-Id': 'faulty' },
    });
    blobs.put = put;
    expect(failed.status).toBe(500);
    expect(failed.text).toContain('faulty');
    expect(site.linesOf('faulty').some(({ msg }) => msg === 'request failed')).toBe(true);
  });

  it('a webhook that a request has caused carries its id and its trace', async () => {
    const rule = await site.request('POST', '/@controlpanels/content-rules', {
      json: { title: 'Tell', event: 'onAfterModified' },
    });
    expect(rule.status).toBe(201);
    const action = { type: 'webhook', url: `${other.url}/hook?key=secret`, method: 'POST' };
    const panel = `/@controlpanels/content-rules/${rule.body.id}`;
    expect((await site.request('POST', `${panel}/action`, { json: action })).status).toBe(201);
    expect((await site.request('POST', `/@content-rules/${rule.body.id}`)).status).toBe(201);
    const bubble = { 'form.button.Bubble': true, rule_ids: [rule.body.id] };
    expect((await site.request('PATCH', '/@content-rules', { json: bubble })).status).toBe(200);
    const headers = { 'X-Request-Id': 'causes-a-hook', traceparent: TRACEPARENT };
    await site.request('PATCH', '/news', { json: { title: 'Told' }, headers });
    await expect.poll(() => other.requests.length, { timeout: 5000 }).toBeGreaterThan(0);
    expect(other.requests[0]?.headers).toMatchObject({ 'x-request-id': 'causes-a-hook', traceparent: TRACEPARENT });
  });

  it('a malformed traceparent goes nowhere', async () => {
    const before = other.requests.length;
    const headers = { 'X-Request-Id': 'bad-parent', traceparent: '00-zz-1' };
    await site.request('PATCH', '/news', { json: { title: 'Told again' }, headers });
    await expect.poll(() => other.requests.length, { timeout: 5000 }).toBeGreaterThan(before);
    expect(other.requests.at(-1)?.headers['x-request-id']).toBe('bad-parent');
    expect(other.requests.at(-1)?.headers.traceparent).toBeUndefined();
  });

  it('a job works for the request that has begun it', async () => {
    const scheduled = {
      id: 'again',
      action: 'reindex',
      title: 'Again',
      description: '',
      params: { type: ['Page'] },
      schedule: '0 4 * * *',
      enabled: false,
    };
    expect((await site.request('POST', '/@scheduled-jobs', { json: scheduled })).status).toBe(201);
    const begun = await site.request('POST', '/@scheduled-jobs/again/start', {
      headers: { 'X-Request-Id': 'begins-a-job' },
    });
    expect(begun.status).toBe(204);
    const job = begun.headers.get('location') ?? '';
    await expect.poll(async () => (await site.request('GET', job)).body.status, { timeout: 15_000 }).toBe('completed');
    const statements = site.linesOf('begins-a-job').filter(({ msg }) => msg === 'slow statement');
    expect(statements.some(({ statement }) => String(statement).includes('update job set checkpoint'))).toBe(true);
  });

  it('only a Manager gets the times of the work, also of a response from memory', async () => {
    const login = await site.request('POST', '/@login', { json: { login: 'admin', password: 'admin' } });
    const timing = async (as: { token: string } | 'anonymous' | 'admin') =>
      (await site.request('GET', '/news', { as })).headers.get('server-timing');
    await site.request('POST', '/@users', {
      json: { username: 'eve', email: 'eve@example.org', password: 'Correct-horse-1', roles: ['Editor', 'Reader'] },
    });
    const eve = await site.request('POST', '/@login', { json: { login: 'eve', password: 'Correct-horse-1' } });
    const token = { token: login.body.token };
    expect(await timing('admin')).toMatch(/^total;dur=[\d.]+, db;dur=[\d.]+;desc="\d+ statements", cache;desc="miss"$/);
    await expect.poll(() => timing(token)).toContain('cache;desc="hit"');
    for (const as of [{ token: eve.body.token }, 'anonymous'] as const)
      for (let i = 0; i < 2; i += 1) expect(await timing(as)).toBeNull();
  });
});
