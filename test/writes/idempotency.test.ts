import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveSite } from '../../src/app/serve-site.ts';
import { requestTo } from '../../src/app/test-client.ts';
import { defineFeature, defineService, ok } from '../../src/core/index.ts';
import { BadRequest } from '../../src/lib/errors.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

/** A write that tests hold, fail and count. */
class Gate {
  calls = 0;
  failure: 'before' | 'after' | undefined;
  #held: Promise<void> | undefined;
  #open: () => void = () => {};
  arrived: Promise<void> = Promise.resolve();
  #arrive: () => void = () => {};

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.arrived = new Promise((resolve) => {
      this.#arrive = resolve;
    });
  }

  open(): void {
    this.#open();
    this.#held = undefined;
  }

  async pass(): Promise<void> {
    this.#arrive();
    await this.#held;
  }
}

const gate = new Gate();

const gated = defineFeature({
  name: 'gated',
  services: [
    defineService({
      name: '@gated',
      method: 'POST',
      context: 'site',
      permission: null,
      summary: 'Counts its calls, in memory and in a row.',
      body: Type.Object({ size: Type.Optional(Type.Integer()), refuse: Type.Optional(Type.Boolean()) }),
      responses: {
        200: { description: 'The number.', schema: Type.Object({ n: Type.Integer(), text: Type.String() }) },
      },
      async run({ kernel, body: { size = 0, refuse = false } }) {
        gate.calls += 1;
        await gate.pass();
        if (gate.failure === 'before') throw new Error('Failed before the write');
        await kernel.db.transaction((tx) =>
          tx.query({
            text: `insert into site_state (name, value) values ($1, '1')`,
            values: [`gated-${randomUUID()}`],
          }),
        );
        if (gate.failure === 'after') throw new Error('Failed after the write');
        if (refuse) throw new BadRequest(`Refused ${gate.calls}.`);
        return ok({ n: gate.calls, text: 'x'.repeat(size) });
      },
    }),
  ],
});

describeEachEngine('Idempotency-Key', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine, { features: [gated] });
  });
  afterAll(() => site.close());

  const send = (
    method: string,
    path: string,
    key: string,
    options: { json?: Json; as?: Who; headers?: object } = {},
  ) => {
    const { headers, ...others } = options;
    return site.request(method, path, { ...others, headers: { 'Idempotency-Key': key, ...headers } });
  };
  const rowsOf = async (text: string) => Number((await site.kernel.db.query<{ n: number }>({ text }))[0]?.n);
  const counted = () => rowsOf(`select count(*)::int as n from site_state where name like 'gated-%'`);
  const kept = () => rowsOf('select count(*)::int as n from kept_response');

  it('a creation that is sent again returns the first response and creates nothing', async () => {
    const key = randomUUID();
    const json = { '@type': 'Page', title: 'Sent twice' };
    const first = await send('POST', '/', key, { json });
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const second = await send('POST', '/', key, { json });
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    const { body } = await site.request('GET', '/@search?Title=Sent+twice');
    expect(body.items_total).toBe(1);
  });

  it('a change under a condition, a move and a removal are replayed although their object has changed or gone', async () => {
    const { body } = await site.request('POST', '/', { json: { '@type': 'Page', title: 'Changing' } });
    const path = new URL(body['@id']).pathname;
    const etag = (await site.request('GET', path)).headers.get('etag') ?? '';
    const change = () => send('PATCH', path, 'change-1', { json: { title: 'Changed' }, headers: { 'If-Match': etag } });
    expect((await change()).status).toBe(204);
    expect((await change()).status).toBe(204);
    expect(
      (await send('PATCH', path, 'change-2', { json: { title: 'X' }, headers: { 'If-Match': etag } })).status,
    ).toBe(412);
    const rename = () => send('PATCH', path, 'rename', { json: { id: 'renamed-now' } });
    expect((await rename()).status).toBe(204);
    expect((await rename()).status).toBe(204);
    const remove = () => send('DELETE', '/renamed-now', 'remove');
    expect((await remove()).status).toBe(204);
    const again = await remove();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
    expect((await site.request('DELETE', '/renamed-now')).status).toBe(404);
  });

  it('the same key with another body, method, address or query is refused', async () => {
    const key = randomUUID();
    const json = { '@type': 'Page', title: 'One' };
    const { body } = await send('POST', '/', key, { json });
    const path = new URL(body['@id']).pathname;
    const others = [
      await send('POST', '/', key, { json: { ...json, title: 'Two' } }),
      await send('POST', '/', key, { json: { ...json, title: 'One, and longer than before' } }),
      await send('POST', '/?x=1', key, { json }),
      await send('PATCH', path, key, { json }),
      await send('DELETE', path, key),
    ];
    expect(others.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
    expect(others[0]?.body).toMatchObject({ type: 'IdempotencyKeyReused' });
    expect((await site.request('GET', path)).body.title).toBe('One');
  });

  it('a malformed key is refused before anything is done', async () => {
    for (const key of ['', '""', 'a b', 'a,b', '"a', 'x'.repeat(256), '"a"b"']) {
      const { status } = await send('POST', '/', key, { json: { '@type': 'Page', title: 'Malformed' } });
      expect([key, status]).toEqual([key, 400]);
    }
    expect((await site.request('GET', '/@search?Title=Malformed')).body.items_total).toBe(0);
  });

  it('a key in quotes is the key without them, and reading requests ignore it', async () => {
    const json = { '@type': 'Page', title: 'Quoted' };
    const first = await send('POST', '/', '"quoted-1"', { json });
    expect((await send('POST', '/', 'quoted-1', { json })).text).toBe(first.text);
    expect((await send('GET', '/', 'a b')).status).toBe(200);
  });

  it('a key of one user says nothing to others', async () => {
    const user = { username: 'other', password: 'other-password-1', email: 'other@example.org', roles: ['Manager'] };
    expect((await site.request('POST', '/@users', { json: user })).status).toBe(201);
    const as = { login: 'other', password: user.password };
    const json = { '@type': 'Page', title: 'Of whom' };
    const first = await send('POST', '/', 'same', { json });
    const second = await send('POST', '/', 'same', { json, as });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body['@id']).not.toBe(first.body['@id']);
    expect((await send('POST', '/', 'same', { json, as: 'anonymous' })).status).toBe(401);
  });

  it('a token with limits does not get what its user has got without them', async () => {
    const made = await site.request('POST', '/@access-tokens', {
      json: { name: 'narrow', methods: ['GET', 'POST'], subtrees: ['/'] },
    });
    expect(made.status, made.text).toBe(201);
    const json = { '@type': 'Page', title: 'Limited' };
    const first = await send('POST', '/', 'limited', { json });
    const second = await send('POST', '/', 'limited', { json, as: { token: made.body.token } });
    expect(second.body['@id']).not.toBe(first.body['@id']);
  });

  it('a request that is being worked on is not done beside itself, on any process', async () => {
    const another = await serveSite(site.kernel, { host: '127.0.0.1', port: 0, jobs: false });
    try {
      const before = gate.calls;
      gate.hold();
      const first = send('POST', '/@gated', 'running', { json: {} });
      await gate.arrived;
      // With the embedded database, others wait for the one connection: they get the kept response.
      if (engine === 'postgresql') {
        const second = await send('POST', '/@gated', 'running', { json: {} });
        expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
        const options = { json: {}, headers: { 'Idempotency-Key': 'running' } };
        expect((await requestTo(another.url)('POST', '/@gated', options)).status).toBe(409);
      }
      gate.open();
      expect((await first).status).toBe(200);
      const third = await requestTo(another.url)('POST', '/@gated', {
        json: {},
        headers: { 'Idempotency-Key': 'running' },
      });
      expect(third.text).toBe((await first).text);
      expect(gate.calls).toBe(before + 1);
    } finally {
      gate.open();
      await another.close();
    }
  });

  it('many that come at the same time do it once', async () => {
    const before = await counted();
    const all = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/@gated', 'crowd', { json: {} })));
    expect(await counted()).toBe(before + 1);
    expect(all.map(({ status }) => status)).toContain(200);
    expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(new Set(all.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
  });

  it.each(['before', 'after'] as const)('a fault %s the write leaves no key and nothing of the write', async (when) => {
    const [calls, rows, keys] = [gate.calls, await counted(), await kept()];
    gate.failure = when;
    expect((await send('POST', '/@gated', `fault-${when}`, { json: {} })).status).toBe(500);
    gate.failure = undefined;
    expect([await counted(), await kept()]).toEqual([rows, keys]);
    expect((await send('POST', '/@gated', `fault-${when}`, { json: {} })).status).toBe(200);
    expect([gate.calls, await counted(), await kept()]).toEqual([calls + 2, rows + 1, keys + 1]);
  });

  it('a refusal is returned again, and what the refused write had begun is undone', async () => {
    const rows = await counted();
    const first = await send('POST', '/@gated', 'refused', { json: { refuse: true } });
    const second = await send('POST', '/@gated', 'refused', { json: { refuse: true } });
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.body.message).toBe(first.body.message);
    expect(await counted()).toBe(rows);
  });

  it('of a response that is too large the status stays, with a sentence', async () => {
    const first = await send('POST', '/@gated', 'large', { json: { size: 1_000_000 } });
    const second = await send('POST', '/@gated', 'large', { json: { size: 1_000_000 } });
    expect(first.text.length).toBeGreaterThan(1_000_000);
    expect(second.status).toBe(200);
    expect(second.body.message).toContain('too large to be kept');
  });

  it('a key counts for a day; then the write is done anew, and the row is removed', async () => {
    const before = gate.calls;
    await send('POST', '/@gated', 'old', { json: {} });
    await site.kernel.db.query({ text: `update kept_response set created = created - interval '25 hours'` });
    expect((await send('POST', '/@gated', 'old', { json: {} })).status).toBe(200);
    expect(gate.calls).toBe(before + 2);
    expect(await kept()).toBeGreaterThan(1);
    await site.server.keyedWrites.prune(site.kernel.db, new AbortController().signal);
    expect(await kept()).toBe(1);
  });

  it('writes whose response has a secret, or that work outside of the database, take no key', async () => {
    const login = await send('POST', '/@login', 'secret', { json: site.admin, as: 'anonymous' });
    expect([login.status, login.body.message]).toEqual([
      400,
      'An Idempotency-Key is not possible here. Its response has a secret that is not kept.',
    ]);
    const token = await send('POST', '/@access-tokens', 'secret', { json: { name: 'x' } });
    expect(token.status).toBe(400);
    const upload = await send('POST', '/@tus-upload', 'secret', { headers: { 'Tus-Resumable': '1.0.0' } });
    expect(upload.status).toBe(400);
  });

  it('pages of other origins may send the header and read that a response was kept', async () => {
    const { headers } = await site.request('OPTIONS', '/', {
      as: 'anonymous',
      headers: {
        Origin: 'http://localhost:3000',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'idempotency-key',
      },
    });
    const allowed = headers.get('access-control-allow-headers');
    if (allowed !== null) expect(allowed).toContain('Idempotency-Key');
  });
});
