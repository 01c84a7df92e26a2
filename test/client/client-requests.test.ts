import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CanopyError, ConnectionError, createClient, ResponseError, ServerError } from '@canopy-server/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { adminClient } from './client-site.ts';

type Seen = { method: string; url: string; headers: IncomingMessage['headers'] };
/** One response of the stand-in: a status with headers and a body, or a connection that is cut. */
type Reply =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: unknown;
      /** The body as it is, instead of JSON. */
      text?: string;
      afterMs?: number;
      /** The connection ends within the body. */
      isCut?: boolean;
    }
  | 'cut';

const tokenOf = (claims: { iat: number; exp: number }): string =>
  ['{}', JSON.stringify({ ...claims, name: 'Grüße' }), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

describe('requests of the client to a server that fails', () => {
  const seen: Seen[] = [];
  let replies: Reply[] = [];
  let url = '';

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    const reply = replies.shift() ?? { status: 200, body: { '@type': 'Page', title: 'Done' } };
    if (reply === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status, headers, body = {}, text = JSON.stringify(body), afterMs = 0, isCut } = reply;
    setTimeout(() => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      if (isCut) response.write(text, () => request.socket.destroy());
      else response.end(text);
    }, afterMs);
  };
  const server = createServer(answer);

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const isNetwork = (value: unknown): value is AddressInfo => typeof value === 'object' && value !== null;
    if (isNetwork(address)) url = `http://127.0.0.1:${address.port}`;
  });
  beforeEach(() => {
    seen.length = 0;
    replies = [];
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('A read is repeated after 503, 429 and a connection that is cut, and waits as long as the server asks.', async () => {
    replies = [{ status: 503, headers: { 'Retry-After': '1' } }, { status: 429 }, 'cut'];
    const before = Date.now();
    expect((await createClient(url).get('/a')).title).toBe('Done');
    expect(seen).toHaveLength(4);
    expect(Date.now() - before).toBeGreaterThanOrEqual(1000);
  });

  it('Content that has moved is not asked for at its new address, which another machine may not reach.', async () => {
    const moved = { status: 301, headers: { Location: 'https://example.org/b?expand=navigation' } };
    replies = [moved, { status: 200, body: { '@id': 'https://example.org/@site' } }];
    const options = { expand: ['navigation'], redirects: 'error' } as const;
    const error = await createClient(url)
      .get('/a', options)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MovedError', path: '/b' });
    expect(seen.map((one) => one.url)).toEqual(['/a?expand=navigation', '/@site']);
  });

  it('Content that has moved to another site has its whole address.', async () => {
    replies = [
      { status: 302, headers: { Location: 'https://other.example/b' } },
      { status: 200, body: { '@id': 'https://example.org/@site' } },
    ];
    const error = await createClient(url)
      .get('/a', { redirects: 'error' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MovedError', path: 'https://other.example/b' });
  });

  it('A write is repeated with the same key, another write has another one.', async () => {
    replies = ['cut', { status: 409, headers: { 'Retry-After': '0' } }];
    const client = createClient(url);
    await client.at('/a').update({ title: 'x' });
    await client.at('/a').update({ title: 'y' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('A call of a service that may not be done twice is made once, and a key lets it be repeated.', async () => {
    replies = [{ status: 503 }];
    await expect(createClient(url).request('POST', '@access-tokens', { body: {} })).rejects.toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(1);
    replies = [{ status: 503 }];
    await createClient(url).request('POST', '@batch', { body: {}, idempotencyKey: 'one' });
    expect(seen.slice(1).map(({ headers }) => headers['idempotency-key'])).toEqual(['one', 'one']);
  });

  it('Attempts end after their number, and at once where the server asks for a longer wait or the error is lasting.', async () => {
    const hasty = createClient(url, { retry: { attempts: 1, maxDelayMs: 500 } });
    replies = ['cut', 'cut'];
    await expect(hasty.get('/a')).rejects.toBeInstanceOf(ConnectionError);
    expect(seen).toHaveLength(2);
    replies = [{ status: 503, headers: { 'Retry-After': '60' } }];
    await expect(hasty.get('/a')).rejects.toMatchObject({ retryAfterMs: 60_000 });
    replies = [{ status: 500 }];
    await expect(hasty.get('/a')).rejects.toBeInstanceOf(ServerError);
    replies = [{ status: 507 }];
    await expect(hasty.get('/a')).rejects.toBeInstanceOf(ResponseError);
    expect(seen).toHaveLength(5);
  });

  it('An abort ends the wait between attempts with the reason of the signal.', async () => {
    replies = [{ status: 503, headers: { 'Retry-After': '20' } }];
    const reason = new Error('The visitor has left');
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 50);
    await expect(createClient(url).get('/a', { signal: abort.signal })).rejects.toBe(reason);
    await expect(createClient(url).get('/a', { signal: abort.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('An old token is renewed once for requests at the same time, and the new one is passed on.', async () => {
    const now = Date.now() / 1000;
    const old = tokenOf({ iat: now - 90, exp: now + 10 });
    const fresh = tokenOf({ iat: now, exp: now + 100 });
    const stored: (string | undefined)[] = [];
    const client = createClient(url, { token: old, onToken: (token) => stored.push(token) });
    replies = [{ status: 200, body: { token: fresh } }];
    await Promise.all([client.get('/a'), client.get('/b')]);
    await client.get('/c');
    expect(seen.map(({ url }) => url)).toEqual(['/@login-renew', '/a', '/b', '/c']);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(
      [old, fresh, fresh, fresh].map((t) => `Bearer ${t}`),
    );
    expect(stored).toEqual([fresh]);
  });

  it('An abort of the request that began a renewal ends no other request.', async () => {
    const now = Date.now() / 1000;
    const [old, fresh] = [tokenOf({ iat: now - 90, exp: now + 10 }), tokenOf({ iat: now, exp: now + 100 })];
    replies = [{ status: 200, body: { token: fresh }, afterMs: 200 }];
    const abort = new AbortController();
    const reason = new Error('The visitor has left');
    const client = createClient(url, { token: old });
    const first = client.get('/a', { signal: abort.signal });
    const second = client.get('/b');
    setTimeout(() => abort.abort(reason), 50);
    await expect(first).rejects.toBe(reason);
    expect((await second).title).toBe('Done');
    expect(seen.map(({ url, headers }) => `${url} ${headers.authorization}`)).toEqual([
      `/@login-renew Bearer ${old}`,
      `/b Bearer ${fresh}`,
    ]);
  });

  it('A response that is cut, and one that is no JSON, are errors of the client.', async () => {
    const client = createClient(url);
    replies = [{ status: 200, headers: { 'Content-Length': '1000' }, isCut: true }];
    await expect(client.get('/a')).rejects.toBeInstanceOf(ConnectionError);
    replies = [{ status: 200, text: '<html>' }];
    await expect(client.get('/a')).rejects.toBeInstanceOf(CanopyError);
    replies = [{ status: 200, text: '<html>' }];
    await expect(client.request('GET', '@site')).rejects.toBeInstanceOf(CanopyError);
  });

  it('A renewal that fails leaves the old token, and an expired token or one of another kind is not renewed.', async () => {
    const now = Date.now() / 1000;
    const old = tokenOf({ iat: now - 90, exp: now + 10 });
    replies = [{ status: 401 }];
    await createClient(url, { token: old }).get('/a');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${old}`, `Bearer ${old}`]);
    seen.length = 0;
    for (const token of [tokenOf({ iat: 0, exp: 1 }), 'canopy_abc', 'a.b.c'])
      await createClient(url, { token }).get('/a');
    expect(seen).toHaveLength(3);
  });

  it('Pages of proxies are errors with a status, and the options of a request reach fetch.', async () => {
    replies = [{ status: 418, body: 'teapot' }];
    await expect(createClient(url).get('/a')).rejects.toMatchObject({
      status: 418,
      message: 'The server returned 418',
    });
    const inits: unknown[] = [];
    const spy: typeof fetch = (input, init) => {
      inits.push(init);
      return fetch(input, init);
    };
    const client = createClient(url, { fetch: spy, language: 'de', headers: { 'X-One': '1' } });
    await client.get('/a', { init: { next: { tags: ['a'] } }, headers: { 'X-Two': '2' } });
    expect(inits).toMatchObject([
      { next: { tags: ['a'] }, headers: { 'Accept-Language': 'de', 'X-One': '1', 'X-Two': '2' } },
    ]);
  });
});

describeQuickestEngine('sessions and uploads of the client', (engine) => {
  const site = useTestSite(engine, () => ({ environment: { TRUST_PROXY: 'loopback' } }));

  it('A login is that of its user until the logout.', async () => {
    const tokens: (string | undefined)[] = [];
    const client = createClient(site.url, { onToken: (token) => tokens.push(token) });
    await client.login(site.admin.login, site.admin.password);
    expect(await client.request('GET', '@users/admin')).toMatchObject({ id: 'admin' });
    await client.logout();
    await expect(client.request('GET', '@users/admin')).rejects.toMatchObject({ status: 401 });
    expect(tokens).toEqual([expect.any(String), undefined]);
  });

  it('A file goes up in pieces with its progress and becomes content, also an empty one.', async () => {
    const client = await adminClient(site);
    const progress: number[] = [];
    const file = new File([new Uint8Array(250).fill(65)], 'größe.txt', { type: 'text/plain' });
    const place = await client.at('/').upload(file, { chunkBytes: 100, onProgress: ({ sent }) => progress.push(sent) });
    expect(progress).toEqual([100, 200, 250]);
    expect(await place.get({ type: 'File' })).toMatchObject({ file: { filename: 'größe.txt', size: 250 } });
    await place.replaceFile(new Blob(['short'], { type: 'text/plain' }), { filename: 'short.txt' });
    expect(await place.get()).toMatchObject({ file: { filename: 'short.txt', size: 5 } });
    const empty = await client.at('/').upload(new Blob([]), { filename: 'empty.txt', contentType: 'text/plain' });
    expect(await empty.get()).toMatchObject({ file: { size: 0 } });
  });

  it('An upload goes on where a broken connection left it, also when the response to the last byte is lost.', async () => {
    const admin = await adminClient(site);
    let pieces = 0;
    const breaking: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== 'PATCH') return response;
      pieces += 1;
      if (pieces === 2 || pieces === 3) throw new TypeError('The connection was cut');
      return response;
    };
    const client = createClient(site.url, { token: admin.token, fetch: breaking });
    const place = await client.at('/').upload(new Uint8Array(250), { chunkBytes: 100, filename: 'broken.bin' });
    expect(pieces).toBe(3);
    expect(await place.get()).toMatchObject({ file: { size: 250 } });
  });

  it('An upload that was stopped goes on later by its address.', async () => {
    const client = await adminClient(site);
    const abort = new AbortController();
    let resume = '';
    const file = new Uint8Array(250);
    const stopped = client.at('/').upload(file, {
      ...{ chunkBytes: 100, filename: 'later.bin', signal: abort.signal },
      onOpen: (address) => {
        resume = address;
      },
      onProgress: () => abort.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    const progress: number[] = [];
    const again = { chunkBytes: 100, resume, onProgress: ({ sent }: { sent: number }) => progress.push(sent) };
    expect((await client.at('/').upload(file, again)).path).toBe('/later.bin');
    expect(progress).toEqual([100, 200, 250]);
  });

  it('A write whose response is lost is done once.', async () => {
    const admin = await adminClient(site);
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== 'POST' || lost > 0) return response;
      lost += 1;
      throw new TypeError('The connection was cut');
    };
    const client = createClient(site.url, { token: admin.token, fetch: losing });
    await client.at('/').create({ '@type': 'Page', title: 'Only once' });
    expect(lost).toBe(1);
    expect((await admin.search({ SearchableText: '"Only once"' }).first()).total).toBe(1);
  });

  it('A site whose links have another address than the requests is asked for it.', async () => {
    const token = (await adminClient(site)).token;
    const proxied: typeof fetch = (input, init) =>
      fetch(
        String(input).replace(site.url, `${site.url}/VirtualHostBase/https/www.example.org/VirtualHostRoot/_vh_cms`),
        init,
      );
    const client = () => createClient(site.url, { token, fetch: proxied });
    const file = { filename: 'public.txt', contentType: 'text/plain' };
    expect((await client().at('/').upload(new Uint8Array(5), file)).path).toBe('/public.txt');
    expect((await client().at('/public.txt').copyTo('/')).path).toBe('/copy_of_public.txt');
    expect((await client().search({}, { size: 1 }).take(3)).length).toBe(3);
    const one = client();
    expect((await one.get('/public.txt'))['@id']).toBe('https://www.example.org/cms/public.txt');
    expect(one.resolve('https://www.example.org/cms/public.txt')).toBe('/public.txt');
  });
});
