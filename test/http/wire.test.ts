import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { engines } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { sendRaw } from './raw.ts';

const [engine = 'pglite'] = engines();
const MEBIBYTE = 1024 * 1024;

let site: TestSite;
let member: { token: string };
let admin: { token: string };

beforeAll(async () => {
  site = await startTestSite(engine, { environment: { TRUST_PROXY: 'loopback' } });
  member = await addPerson(site, { id: 'mary' });
  admin = await addPerson(site, { id: 'root', roles: ['Manager'] });
  await site.request('POST', '/', { json: { '@type': 'Page', id: 'page', title: 'Page' } });
  await site.request('POST', '/', { json: { '@type': 'Link', id: 'link', title: 'Link', remoteUrl: 'https://e.com' } });
});
afterAll(() => site?.close());

const raw = (head: string[], body = '') =>
  sendRaw(site.url, `${[...head, `Host: ${new URL(site.url).host}`].join('\r\n')}\r\n\r\n${body}`);
const bearer = ({ token }: { token: string }) => `Authorization: Bearer ${token}`;

describe('errors', () => {
  it('a response 404 names the path in "error" and has a type and a message', async () => {
    const { status, headers, body } = await site.request('GET', '/no/such/page');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      error: 'Not found: /no/such/page',
      type: 'NotFound',
      message: 'Resource not found: /no/such/page',
    });
  });

  it('a response 404 for an unknown service names the service, too', async () => {
    expect((await site.request('GET', '/page/@no-such-service/x')).body.error).toBe(
      'Not found: /page/@no-such-service/x',
    );
    expect((await site.request('GET', '/@no-such-service')).body.error).toBe('Not found: /@no-such-service');
  });

  it('anonymous callers get 401 with a challenge, and others 403', async () => {
    const nobody = await site.request('GET', '/page', { as: 'anonymous' });
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer /);
    const somebody = await site.request('GET', '/page', { as: member });
    expect(somebody.status).toBe(403);
    expect(somebody.headers.get('www-authenticate')).toBeNull();
    for (const [{ body }, type] of [
      [nobody, 'Unauthorized'],
      [somebody, 'Forbidden'],
    ] as const) {
      expect(body).toEqual({ type, message: expect.any(String), error: { type, message: body.message } });
    }
  });

  it('a response 400 lists each wrong field, as data and in the message for the forms of Volto', async () => {
    const { status, body } = await site.request('POST', '/', {
      json: { '@type': 'Event', start: 'soon', open_end: 'no' },
    });
    expect(status).toBe(400);
    expect(body.type).toBe('BadRequest');
    expect(body.errors.map(({ field }: Json) => field).sort()).toEqual(['open_end', 'start', 'title']);
    expect(JSON.parse(body.message)).toEqual(body.errors);
    for (const { message, error } of body.errors)
      expect([message, error]).toEqual([expect.any(String), 'ValidationError']);
    expect(body.error).toMatchObject({ type: 'BadRequest', message: expect.stringContaining('start: ') });
  });

  it('a fault of the server is a bare 500 without its cause', async () => {
    site.server.services.register({
      name: '@fails',
      method: 'GET',
      context: 'site',
      permission: null,
      summary: 'Fails.',
      responses: {},
      run: async () => {
        throw new Error('the secret cause');
      },
    });
    const { status, text, body } = await site.request('GET', '/@fails');
    expect(status).toBe(500);
    expect(text).not.toContain('secret cause');
    expect(text).not.toMatch(/\.ts|node_modules/);
    expect(body).toEqual({ type: 'InternalServerError', message: expect.any(String), request_id: expect.any(String) });
    expect(body.message).toContain(body.request_id);
  });

  it('every response tells browsers that it is no page', async () => {
    for (const path of ['/', '/nothing', '/@login']) {
      const { headers } = await site.request('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/sandbox/);
    }
  });
});

describe('methods', () => {
  const allowOf = async (method: string, path: string) => {
    const { status, headers, body } = await site.request(method, path);
    expect(body).toMatchObject({ type: 'MethodNotAllowed', message: expect.any(String) });
    return [status, (headers.get('allow') ?? '').split(', ').sort().join(' ')];
  };

  it('a response 405 lists the allowed methods', async () => {
    expect(await allowOf('PUT', '/page')).toEqual([405, 'DELETE GET PATCH POST']);
    expect(await allowOf('POST', '/link')).toEqual([405, 'DELETE GET PATCH']);
    expect(await allowOf('PATCH', '/@login')).toEqual([405, 'GET POST']);
    expect(await allowOf('GET', '/@logout')).toEqual([405, 'POST']);
    expect(await allowOf('DELETE', '/')).toEqual([405, 'GET PATCH POST']);
  });

  it.each(['PROPFIND', 'MKCOL', 'LOCK', 'MOVE', 'SEARCH', 'TRACE'])(
    'the method %s of HTTP gets 405',
    async (method) => {
      const { status, headers } = await raw([`${method} /page HTTP/1.1`, bearer(admin)]);
      expect(status).toBe(405);
      expect(headers.get('allow')).toContain('GET');
    },
  );

  it('an unknown method is malformed HTTP', async () => {
    expect((await raw(['FROBNICATE / HTTP/1.1'])).status).toBe(400);
  });

  it('HEAD gets the headers of GET without the body', async () => {
    const head = (path: string) =>
      new Promise<{ status: number | undefined; length: string | undefined; type: string | undefined; bytes: number }>(
        (resolve, reject) => {
          const request = httpRequest(
            site.url + path,
            { method: 'HEAD', headers: { authorization: `Bearer ${admin.token}` } },
            (response) => {
              let bytes = 0;
              response.on('data', (chunk: Buffer) => {
                bytes += chunk.length;
              });
              response.on('end', () =>
                resolve({
                  status: response.statusCode,
                  length: response.headers['content-length'],
                  type: response.headers['content-type'],
                  bytes,
                }),
              );
            },
          );
          request.on('error', reject).end();
        },
      );
    const get = await site.request('GET', '/page', { as: admin });
    expect(await head('/page')).toEqual({
      status: 200,
      length: String(get.bytes.length),
      type: get.headers.get('content-type'),
      bytes: 0,
    });
    expect(await head('/nothing')).toMatchObject({ status: 404, bytes: 0 });
    expect((await site.request('HEAD', '/page', { as: 'anonymous' })).status).toBe(401);
    expect((await site.request('HEAD', '/@logout')).status).toBe(405);
  });
});

describe('bodies', () => {
  const post = (options: Parameters<TestSite['request']>[2]) => site.request('POST', '/', { as: admin, ...options });

  it.each([
    ['no JSON', '{"@type": "Page",'],
    ['an array', '[]'],
    ['a string', '"Page"'],
    ['null', 'null'],
    ['a number', '1'],
    ['two values', '{} {}'],
  ])('a body that is %s is rejected with a reason', async (_, body) => {
    const { status, body: answer } = await post({ body, headers: { 'Content-Type': 'application/json' } });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ type: 'DeserializationError', message: expect.any(String) });
  });

  it('a body that is not UTF-8 is rejected', async () => {
    const body = Buffer.concat([
      Buffer.from('{"@type":"Page","title":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(await post({ body, headers: { 'Content-Type': 'application/json' } })).toMatchObject({
      status: 400,
      body: { type: 'DeserializationError' },
    });
  });

  it('too deeply nested JSON is rejected before it is parsed', async () => {
    const body = `{"@type":"Page","title":"Deep","blocks":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const headers = { 'Content-Type': 'application/json' };
    expect((await post({ body, headers })).status).toBe(400);
    const brackets = `{"@type":"Page","title":"${'['.repeat(1000)}"}`;
    expect((await post({ body: brackets, headers })).status).toBe(201);
  });

  it.each(['application/xml', 'text/html', 'text/plain', 'application/x-www-form-urlencoded', 'image/png'])(
    'a body of the type %s is rejected with 415',
    async (type) => {
      const { status, body } = await post({ body: '{"@type":"Page","title":"A"}', headers: { 'Content-Type': type } });
      expect([status, body.type]).toEqual([415, 'UnsupportedMediaType']);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'a body of the type %s is parsed as JSON',
    async (type) => {
      expect((await post({ body: '{"@type":"Page","title":"Read"}', headers: { 'Content-Type': type } })).status).toBe(
        201,
      );
    },
  );

  it('a compressed body is rejected', async () => {
    const { status } = await post({
      body: '{}',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    });
    expect(status).toBe(415);
  });

  it('the response is JSON whatever the client accepts, unless it prefers HTML', async () => {
    const { headers: page } = await site.request('GET', '/', { headers: { Accept: 'text/html' } });
    expect(page.get('content-type')).toMatch(/^text\/html/);
    for (const accept of ['text/html;q=0.5, application/json', '*/*', 'application/xml', '']) {
      const { status, headers } = await site.request('GET', '/', { headers: { Accept: accept } });
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    }
  });

  it('a body above the limit of its service is rejected, whether its length is announced or not', async () => {
    const login = `{"login":"${'x'.repeat(MEBIBYTE)}","password":"x"}`;
    const announced = await site.request('POST', '/@login', { as: 'anonymous', body: login });
    expect([announced.status, announced.body.type]).toEqual([413, 'PayloadTooLarge']);
    const chunks = Array.from(
      { length: 3 },
      () => `${(MEBIBYTE / 2).toString(16)}\r\n${' '.repeat(MEBIBYTE / 2)}\r\n`,
    ).join('');
    const chunked = await raw(
      ['POST /@login HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Type: application/json'],
      chunks,
    );
    expect(chunked.status).toBe(413);
  });

  it('a body of two mebibytes is accepted for content', async () => {
    const data = Buffer.alloc(1.5 * MEBIBYTE, 7).toString('base64');
    const file = { data, encoding: 'base64', filename: 'a.bin', 'content-type': 'application/octet-stream' };
    const { status, body } = await post({ json: { '@type': 'File', file } });
    expect([status, body.file?.size]).toEqual([201, 1.5 * MEBIBYTE]);
  });
});

describe('a caller without permission is refused before the body is read', () => {
  const announce = (line: string, headers: string[] = []) =>
    raw([line, 'Content-Type: application/json', `Content-Length: ${1024 * MEBIBYTE}`, ...headers], '{"@type":');

  it.each([
    ['POST / HTTP/1.1', 401],
    ['PATCH /page HTTP/1.1', 401],
    ['DELETE /page/@lock HTTP/1.1', 401],
    ['POST /@upgrade HTTP/1.1', 401],
    ['POST /nothing HTTP/1.1', 404],
    ['PUT / HTTP/1.1', 405],
  ])('an announced gigabyte is rejected before the body is read: anonymous %s gets %i', async (line, status) => {
    expect((await announce(line)).status).toBe(status);
  });

  it('for an announced gigabyte a member gets 403 and a manager 413', async () => {
    expect((await announce('PATCH /page HTTP/1.1', [bearer(member)])).status).toBe(403);
    expect((await announce('PATCH /page HTTP/1.1', [bearer(admin)])).status).toBe(413);
  });
});

describe('malformed HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\na'],
    ['NUL in the path', 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['headers of 100 kB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('malformed HTTP (%s) gets 400 in JSON, and the connection is closed', async (_, bytes) => {
    const { status, headers, text } = await sendRaw(site.url, bytes);
    expect(status).toBe(400);
    expect(headers.get('connection')).toBe('close');
    expect(JSON.parse(text)).toMatchObject({ type: 'BadRequest', message: expect.any(String) });
  });

  it('a malformed Host header cannot get into links', async () => {
    const { status, text } = await sendRaw(site.url, 'GET / HTTP/1.1\r\nHost: e.com/"><script>\r\n\r\n');
    expect(status).toBe(400);
    expect(text).not.toContain('script');
  });

  it('header names in odd case and a repeated Authorization header do no harm', async () => {
    expect((await raw(['GET /page HTTP/1.1', `aUTHORIZATION: bEARER ${admin.token}`])).status).toBe(200);
    expect((await raw(['GET /page HTTP/1.1', bearer(member), bearer(admin)])).status).toBe(403);
  });
});

describe('addresses over the wire', () => {
  it('an address with ++api++ twice redirects to the one with it once, and keeps query and method', async () => {
    const get = await site.request('GET', '/++api++/++api++/page?expand=actions', { as: admin });
    expect([get.status, get.headers.get('location')]).toEqual([302, `${site.url}/++api++/page?expand=actions`]);
    const post = await site.request('POST', '/Plone/++api++/++api++/', { as: admin, json: {} });
    expect([post.status, post.headers.get('location')]).toEqual([307, `${site.url}/Plone/++api++`]);
  });

  it('links never contain ++api++, and contain the prefix of the site', async () => {
    expect((await site.request('GET', '/++api++/page')).body['@id']).toBe(`${site.url}/page`);
    expect((await site.request('GET', '/Plone/++api++/page')).body['@id']).toBe(`${site.url}/Plone/page`);
    expect(
      (await site.request('GET', '/VirtualHostBase/https/e.com:443/Plone/++api++/VirtualHostRoot/page')).body['@id'],
    ).toBe('https://e.com/page');
  });

  it('the Location of new content is the address of its representation', async () => {
    const { headers, body } = await site.request('POST', '/++api++/page', {
      json: { '@type': 'Page', title: 'Ümläut & Co' },
    });
    expect(headers.get('location')).toBe(`${site.url}/page/umlaut-co`);
    expect(body['@id']).toBe(headers.get('location'));
  });
});
