import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { Agent } from './agent.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const CALL = (name: string, args: object) => ({
  ...LIST,
  method: 'tools/call',
  params: { name, arguments: args },
});

describeEachEngine('the endpoint for agents', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'default' }));
  const send = async (body: unknown, headers: Record<string, string> = {}, path = '/@mcp') => {
    const response = await fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
      text,
    };
  };
  const set = (json: object) => site.request('PATCH', '/@controlpanels/mcp', { json });

  it('Messages stand alone: no session, no stream, no list of messages.', async () => {
    expect((await send(LIST)).body.result.tools.length).toBeGreaterThan(4);
    const listed = await send([LIST, LIST]);
    expect([listed.status, listed.body.error.code]).toEqual([400, -32600]);
    const get = await fetch(`${site.url}/@mcp`, { headers: { accept: 'text/event-stream' } });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${site.url}/@mcp`, { method: 'DELETE' })).status).toBe(405);
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    const subscribed = await send({ ...LIST, method: 'subscriptions/listen', params: { filter: {} } });
    expect(subscribed.body.error).toBeDefined();
  });

  it('What is no message is refused, with what to do.', async () => {
    for (const [body, code] of [
      ['{', -32700],
      ['', -32700],
      ['"text"', -32600],
      ['7', -32600],
      ['null', -32600],
      ['[]', -32600],
      [`[${'1,'.repeat(5000)}1]`, -32600],
      ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', undefined],
      ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', undefined],
      ['{"jsonrpc":"2.0","id":1,"method":5}', undefined],
      ['{}', undefined],
    ] as const) {
      const { status, body: answer } = await send(body);
      expect([body.slice(0, 60), status]).toEqual([body.slice(0, 60), 400]);
      expect(answer.error.message).not.toBe('');
      if (code !== undefined) expect(answer.error.code).toBe(code);
    }
    expect((await send({ ...LIST, method: 'no/such' })).body.error.code).toBe(-32601);
    expect(
      (await send(CALL('no_such', {}))).body.error ?? (await send(CALL('no_such', {}))).body.result.isError,
    ).toBeTruthy();
    const wrong = await send(CALL('read', { path: 5, extra: true }));
    expect(wrong.body.error ?? wrong.body.result.isError).toBeTruthy();
  });

  it('Large, deep and slow messages of visitors are bounded.', async () => {
    expect((await send(CALL('search', { text: 'x'.repeat(70_000) }))).status).toBe(413);
    expect(
      (
        await send(
          `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}}`,
        )
      ).status,
    ).toBe(400);
    expect((await send(`{"a":[${'1,'.repeat(30_000)}1]}`)).status).toBe(400);
  });

  it('A page of another origin sends no messages, whatever host it names.', async () => {
    for (const origin of ['http://evil.example', 'null', 'https://127.0.0.1.evil.example', 'file://'])
      expect([origin, (await send(LIST, { origin })).status]).toEqual([origin, 403]);
    // DNS rebinding: the name of the other site leads to this machine, so that host and origin agree.
    expect((await send(LIST, { origin: 'http://evil.example', host: 'evil.example' })).status).toBe(403);
    expect((await send(LIST, { origin: site.url })).status).toBe(200);
    await site.request('PATCH', '/@controlpanels/cors', { json: { allow_origin: ['https://app.example'] } });
    expect((await send(LIST, { origin: 'https://app.example' })).status).toBe(200);
  });

  it('Headers of the protocol that do not fit are refused.', async () => {
    expect((await send(LIST, { accept: 'text/html' })).status).toBe(406);
    expect((await send(LIST, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(LIST, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await send(LIST, { 'mcp-protocol-version': '2026-07-28' })).status).toBe(400);
    expect((await send(LIST, { 'mcp-protocol-version': '2025-11-25' })).status).toBe(200);
    expect((await send(LIST, { 'idempotency-key': 'a-key-of-the-test' })).status).toBeLessThan(500);
    expect((await send(LIST, {}, '/@mcp?dry_run=1')).status).toBe(400);
  });

  it('A batch of the API holds no message.', async () => {
    const { status } = await site.request('POST', '/@batch', {
      json: { requests: [{ method: 'POST', path: '/@mcp', body: LIST }] },
    });
    expect(status).toBe(400);
  });

  it('Cookies are no credentials.', async () => {
    await site.request('POST', '/', { json: { '@type': 'Page', id: 'draft', title: 'Draft' } });
    const { token } = (await site.request('POST', '/@login', { json: site.admin, as: 'anonymous' })).body;
    const cookie = `auth_token=${token}`;
    expect((await fetch(`${site.url}/draft`, { headers: { cookie } })).status).toBe(200);
    expect((await send(CALL('read', { path: '/draft' }), { cookie })).body.result.isError).toBe(true);
  });

  it('Tools reach no other service by their paths.', async () => {
    const agent = await Agent.connect(site, null);
    for (const path of [
      '/@search',
      '/@users',
      '@types',
      '/%40users',
      '/a/../@users',
      '/++api++/@users',
      'https://evil.example/',
      'file:///etc/passwd',
    ]) {
      const { failed, text } = await agent.call('read', { path });
      expect([path, failed]).toEqual([path, true]);
      expect(text).not.toContain('root:');
    }
    await agent.close();
  });

  it('A wrong token is 401, and so is a missing one where visitors may not read.', async () => {
    const wrong = await send(LIST, { authorization: `Bearer canopy_${'a'.repeat(43)}` });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Canopy", error="invalid_token"',
    ]);
    expect((await send(LIST, {}, '/@mcp/login')).status).toBe(401);
    await set({ visitors: false });
    expect((await send(LIST)).status).toBe(401);
    await set({ visitors: true });
    expect((await send(LIST)).status).toBe(200);
  });

  it('Results are cut where they are too long, and read on from there.', async () => {
    const text = 'Lorem ipsum '.repeat(300);
    await site.request('POST', '/', {
      json: {
        ...{ '@type': 'Page', id: 'long', title: 'Long' },
        blocks: { a: { '@type': 'slate', plaintext: text, value: [{ type: 'p', children: [{ text }] }] } },
        blocks_layout: { items: ['a'] },
      },
    });
    await site.request('POST', '/long/@workflow/publish');
    await set({ result_characters: 1000 });
    const agent = await Agent.connect(site, null);
    const first = await agent.call('read', { path: '/long' });
    expect(first.text.length).toBeLessThan(1500);
    expect(first.text).toContain('1000 of 36');
    expect((await agent.call('read', { path: '/long', from: 3000 })).text).not.toContain('This is the beginning');
    await set({ result_characters: 50_000 });
    await agent.close();
  });

  it('Calls are counted, and too many are 429.', async () => {
    await set({ visitor_calls_per_minute: 2 });
    const calls = [];
    for (let n = 0; n < 4; n += 1) calls.push((await send(CALL('list', { path: '/' }))).status);
    expect(calls).toContain(429);
    // Descriptions cost nothing, and a token has a number of its own.
    expect((await send(LIST)).status).toBe(200);
    const { token } = (await site.request('POST', '/@access-tokens', { json: { name: 'Agent', scopes: ['read'] } }))
      .body;
    expect((await send(CALL('list', { path: '/' }), { authorization: `Bearer ${token}` })).status).toBe(200);
    await set({ visitor_calls_per_minute: 30 });
  });
});
