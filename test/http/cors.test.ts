import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { engines } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';

const [engine = 'pglite'] = engines();
const FRIEND = 'http://localhost:3000';
const FOREIGN = 'https://evil.example';

let site: TestSite;

beforeAll(async () => {
  site = await startTestSite(engine);
});
afterAll(() => site?.close());

/** Changes the settings `cors`, which count from the next request on. */
const configure = (data: Record<string, unknown>) =>
  writeConfiguration(site.kernel.db, [{ kind: KINDS.setting, id: 'cors', position: 0, data }]);

async function simple(origin: string | undefined, path = '/') {
  const { status, headers } = await site.request('GET', path, {
    as: 'anonymous',
    headers: origin === undefined ? {} : { Origin: origin },
  });
  return { status, ...corsOf(headers) };
}

async function preflight(origin: string, method: string, asked = '') {
  const { status, headers } = await site.request('OPTIONS', '/any/path/@login', {
    as: 'anonymous',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      ...(asked === '' ? {} : { 'Access-Control-Request-Headers': asked }),
    },
  });
  return { status, ...corsOf(headers) };
}

const corsOf = (headers: Headers) => ({
  origin: headers.get('access-control-allow-origin'),
  credentials: headers.get('access-control-allow-credentials'),
  methods: headers.get('access-control-allow-methods'),
  varies: /\bOrigin\b/.test(headers.get('vary') ?? ''),
});

describe('the default policy: development servers of front ends on the same machine, without credentials', () => {
  it('an allowed origin may read the response and the headers that clients need', async () => {
    expect(await simple(FRIEND)).toEqual({
      status: 200,
      origin: FRIEND,
      credentials: null,
      methods: null,
      varies: true,
    });
    const { headers } = await site.request('GET', '/', { headers: { Origin: FRIEND } });
    expect(headers.get('access-control-expose-headers')).toMatch(/Location/);
  });

  it('a foreign origin may read neither responses nor errors', async () => {
    for (const path of ['/', '/nothing', '/@upgrade', '/%zz']) {
      expect(await simple(FOREIGN, path)).toMatchObject({ origin: null, credentials: null, varies: true });
      expect(await simple(FRIEND, path)).toMatchObject({ origin: FRIEND });
    }
  });

  it.each(['localhost', '127.0.0.1'])(
    'the usual development servers on %s may use versions of content',
    async (host) => {
      for (const port of [3000, 3001, 4200, 4321, 5173, 8000, 8080]) {
        const origin = `http://${host}:${port}`;
        const asked = 'authorization, content-type, if-match, if-none-match, prefer, idempotency-key';
        expect(await preflight(origin, 'PATCH', asked)).toMatchObject({ status: 200, origin, credentials: null });
      }
      const { headers } = await site.request('GET', '/', { headers: { Origin: `http://${host}:5173` } });
      expect(headers.get('etag')).not.toBeNull();
      expect((headers.get('access-control-expose-headers') ?? '').split(', ')).toEqual(
        expect.arrayContaining(['ETag', 'Link', 'Location', 'Retry-After', 'X-Total-Count', 'Content-Disposition']),
      );
    },
  );

  it.each([
    'http://192.168.0.2:3000',
    'http://localhost:5174',
    'http://localhost',
    'null',
    'http://localhost:3000.evil.example',
    'http://localhost:30001',
    'https://localhost:3000',
    'http://LOCALHOST:3000/',
    '*',
  ])('the origin %s only looks like an allowed one', async (origin) => {
    expect((await simple(origin)).origin).toBeNull();
  });

  it('responses vary by the origin even when none was sent, because caches may keep them', async () => {
    expect((await simple(undefined)).varies).toBe(true);
  });

  it('a preflight needs no permission and lists what is allowed', async () => {
    const answer = await preflight(FRIEND, 'PATCH', 'authorization, content-type,Lock-Token');
    expect(answer).toEqual({
      status: 200,
      origin: FRIEND,
      credentials: null,
      methods: expect.stringContaining('PATCH'),
      varies: true,
    });
  });

  it.each([
    ['a foreign origin', FOREIGN, 'GET', ''],
    ['a method outside the policy', FRIEND, 'PROPFIND', ''],
    ['a header outside the policy', FRIEND, 'GET', 'authorization, x-evil'],
  ])('a preflight with %s is allowed nothing', async (_, origin, method, asked) => {
    expect(await preflight(origin, method, asked)).toMatchObject({ origin: null, credentials: null, methods: null });
  });
});

describe('a policy of the site', () => {
  it('a changed policy is in force with the next request', async () => {
    await configure({ allow_origin: ['https://www.example.com'], allow_methods: ['GET'], allow_credentials: true });
    expect(await simple('https://www.example.com')).toMatchObject({
      origin: 'https://www.example.com',
      credentials: 'true',
    });
    expect(await simple(FRIEND)).toMatchObject({ origin: null, credentials: null });
    expect(await preflight('https://www.example.com', 'POST')).toMatchObject({ origin: null, methods: null });
    expect(await preflight('https://www.example.com', 'GET')).toMatchObject({ credentials: 'true', methods: 'GET' });
  });

  it('a policy never allows credentials to every origin', async () => {
    await configure({ allow_origin: ['*'], allow_credentials: true });
    expect(await simple(FOREIGN)).toMatchObject({ origin: '*', credentials: null });
    expect(await preflight(FOREIGN, 'GET')).toMatchObject({ credentials: null });
  });
});
