import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

describeEachEngine('@batch', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const batch = (
    requests: Json[],
    {
      as = 'admin',
      query = '',
      headers = {},
      at = '',
    }: { as?: Who; query?: string; headers?: Record<string, string>; at?: string } = {},
  ) => site.request('POST', `${at}/@batch${query}`, { as, json: { requests }, headers });
  const status = async (path: string) => (await site.request('GET', path)).status;
  const page = (title: string) => ({ method: 'POST', path: '/', body: { '@type': 'Page', title } });

  it('requests are done in their order, with references to earlier responses', async () => {
    const { status: code, body } = await batch([
      { method: 'POST', path: '/', body: { '@type': 'Folder', title: 'Report' } },
      { method: 'POST', path: '{0.@id}', body: { '@type': 'Page', title: 'Chapter' } },
      { method: 'PATCH', path: '{1.@id}', body: { description: { $ref: '0.title' } } },
      { method: 'POST', path: '{0.@id}/@workflow/publish', body: {} },
      { method: 'GET', path: '/report/chapter' },
    ]);
    expect(code, JSON.stringify(body)).toBe(200);
    expect(body.responses.map((one: Json) => one.status)).toEqual([201, 201, 204, 200, 200]);
    expect(body.responses[4].body).toMatchObject({ title: 'Chapter', description: 'Report' });
    expect((await site.request('GET', '/report', { as: 'anonymous' })).status).toBe(200);
  });

  it('when one is refused, none is done, and the response says which one', async () => {
    const { status: code, body } = await batch([page('All or nothing'), { method: 'DELETE', path: '/no-such-page' }]);
    expect(code).toBe(404);
    expect(body.message).toContain('Request 1 (DELETE /no-such-page)');
    expect(await status('/all-or-nothing')).toBe(404);
    const invalid = await batch([
      page('All or nothing'),
      { method: 'POST', path: '/', body: { '@type': 'Page', title: 7 } },
    ]);
    expect(invalid.status).toBe(400);
    expect(await status('/all-or-nothing')).toBe(404);
  });

  it('the response to a refusal is that of the request, with its number', async () => {
    const refused = async (request: Json) => {
      const { status: code, body, headers } = await batch([page('Refused'), request]);
      expect(await status('/refused')).toBe(404);
      return { code, request: body.request, type: body.type, headers };
    };
    expect(await refused({ method: 'DELETE', path: '/no-such-page' })).toMatchObject({ code: 404, request: 1 });
    const method = await refused({ method: 'DELETE', path: '/@search' });
    expect(method).toMatchObject({ code: 405, request: 1, type: 'MethodNotAllowed' });
    expect(method.headers.get('allow')).toContain('GET');
    const invalid = await refused({ method: 'POST', path: '/', body: { '@type': 'Page', title: 7 } });
    expect(invalid).toMatchObject({ code: 400, request: 1 });
    // A service that returns its refusal instead of throwing it.
    const items = [{ relation: 'relatedItems', source: 'no-such-uid', target: 'no-such-uid' }];
    const returned = await refused({ method: 'POST', path: '/@relations', body: { items } });
    expect(returned).toMatchObject({ code: 422, request: 1 });
  });

  it('content that has moved is refused with its present address', async () => {
    await batch([page('Wanderer')]);
    await site.request('PATCH', '/wanderer', { json: { id: 'settled' } });
    const { status: code, body } = await batch([{ method: 'PATCH', path: '/wanderer', body: { title: 'X' } }]);
    expect([code, body.message]).toEqual([400, expect.stringContaining('/settled')]);
  });

  it('each request has its own condition, which sees what the earlier ones have done', async () => {
    await batch([page('Conditional')]);
    const etag = (await site.request('GET', '/conditional')).headers.get('etag') ?? '';
    const patch = (title: string) => ({
      method: 'PATCH',
      path: '/conditional',
      headers: { 'If-Match': etag },
      body: { title },
    });
    const twice = await batch([patch('Once'), patch('Twice')]);
    expect([twice.status, twice.body.message.slice(0, 9)]).toEqual([412, 'Request 1']);
    expect((await site.request('GET', '/conditional')).body.title).toBe('Conditional');
    expect((await batch([patch('Once')])).status).toBe(200);
  });

  it('each request needs the rights of the caller', async () => {
    await batch([page('Private')]);
    expect((await batch([{ method: 'GET', path: '/private' }], { as: 'anonymous' })).status).toBe(401);
    expect(
      (await batch([{ method: 'PATCH', path: '/private', body: { title: 'X' } }], { as: 'anonymous' })).status,
    ).toBe(401);
    await site.request('POST', '/', { json: { '@type': 'Folder', title: 'Inside' } });
    const made = await site.request('POST', '/@access-tokens', {
      json: { name: 'narrow', methods: ['GET', 'POST'], subtrees: ['/inside'] },
    });
    const as = { token: made.body.token };
    const within = { method: 'POST', path: '/inside', body: { '@type': 'Page', title: 'Within' } };
    expect((await batch([within], { as })).status).toBe(403);
    expect((await batch([within], { as, at: '/inside' })).status).toBe(200);
    expect((await batch([page('Without')], { as, at: '/inside' })).status).toBe(403);
    expect((await batch([{ method: 'DELETE', path: '/inside/within' }], { as, at: '/inside' })).status).toBe(403);
    expect(await status('/without')).toBe(404);
  });

  it('a batch can be rehearsed, and sent again', async () => {
    const dry = await batch([page('Rehearsed'), { method: 'PATCH', path: '/rehearsed', body: { title: 'Again' } }], {
      query: '?dry_run=1',
    });
    expect([dry.status, dry.body.dry_run]).toEqual([200, true]);
    expect(dry.body.changes.filter(({ type }: Json) => type === 'content').map(({ action }: Json) => action)).toEqual([
      'created',
      'edited',
    ]);
    expect(await status('/rehearsed')).toBe(404);
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await batch([page('Keyed')], { headers });
    const second = await batch([page('Keyed')], { headers });
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(await status('/keyed-1')).toBe(404);
  });

  it.each<[string, Json[], string]>([
    ['no request', [], 'must have a request'],
    ['too many', Array.from({ length: 101 }, () => ({ method: 'GET', path: '/' })), 'must have 100 requests at most'],
    ['another batch', [{ method: 'POST', path: '/@batch', body: { requests: [] } }], 'cannot be in another batch'],
    ['a login', [{ method: 'POST', path: '/@login', body: {} }], 'not possible in a batch'],
    ['an upload', [{ method: 'POST', path: '/@tus-upload' }], 'not possible in a batch'],
    ['a dry run of its own', [{ ...page('X'), path: '/?dry_run=1' }], 'Rehearse the batch as a whole'],
    ['credentials', [{ ...page('X'), headers: { Authorization: 'Basic x' } }], 'is not possible here'],
    ['another host', [{ ...page('X'), path: 'http://example.org/' }], 'must be a path that begins with /'],
    ['another method', [{ method: 'OPTIONS', path: '/' }], 'must be GET, POST, PATCH, PUT or DELETE'],
    [
      'a reference to itself',
      [{ ...page('X'), body: { '@type': 'Page', title: { $ref: '0.title' } } }],
      'must lead to an earlier request',
    ],
    ['a reference to nothing', [page('X'), { method: 'GET', path: '/{0.nothing}' }], 'leads to nothing'],
    ['a reference to a prototype', [page('X'), { method: 'GET', path: '/{0.constructor.name}' }], 'leads to nothing'],
    ['a malformed reference', [page('X'), { method: 'GET', path: '/{x}' }], 'must be the number of an earlier request'],
  ])('a batch with %s is refused', async (_what, requests, message) => {
    const { status: code, text } = await batch(requests);
    expect([code, text.includes(message), text]).toEqual([400, true, text]);
    expect(await status('/x')).toBe(404);
  });
});
