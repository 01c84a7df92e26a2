import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { type Json, type RequestOptions, startTestSite, type TestSite } from '../support/site.ts';
import { type EmbeddingStub, startEmbeddingStub } from './embedding-stub.ts';

describeEachEngine('@related by embeddings', (engine) => {
  let stub: EmbeddingStub;
  let site: TestSite;
  beforeAll(async () => {
    stub = await startEmbeddingStub();
    const environment = { LLM_URL: `${stub.url}/`, EMBEDDING_MODEL: 'test-model', LLM_API_KEY: 'test-key' };
    site = await startTestSite(engine, { environment });
  });
  afterAll(async () => {
    await site?.close();
    await stub?.close();
  });

  const create = async (title: string, more: Record<string, unknown> = {}): Promise<string> => {
    const { body, status } = await site.request('POST', '/', { json: { '@type': 'Page', title, ...more } });
    expect(status).toBe(201);
    return body['@id'].slice(site.url.length);
  };
  const publish = (path: string) => site.request('POST', `${path}/@workflow/publish`, { json: {} });
  const related = async (path: string, options?: RequestOptions): Promise<Json[]> =>
    (await site.request('GET', `${path}/@related`, options)).body.items;
  const paths = async (path: string, options?: RequestOptions) =>
    (await related(path, options)).map((item) => item.path);
  const vectors = () =>
    site.kernel.db.query<{ path: string; vector: number[] }>({
      text: 'select c.path, e.vector from embedding e join content c using (oid) order by c.oid',
    });

  it('@related by embeddings finds texts of the same meaning, the nearest first, with their cosine', async () => {
    const otter = await create('Otters');
    await publish(await create('Seals', { id: 'seals' }));
    await publish(await create('Walrus lake', { id: 'walrus' }));
    await publish(await create('Steam engine', { id: 'engine' }));
    await create('Seal vault', { id: 'hidden' });
    await publish(otter);
    await expect.poll(() => paths(otter, { as: 'anonymous' }), { timeout: 10_000 }).toContain('/engine');
    const items = await related(otter, { as: 'anonymous' });
    expect(items.slice(0, 2).map(({ path }) => path)).toEqual(['/seals', '/walrus']);
    expect(items[0]).toMatchObject({ '@id': `${site.url}/seals`, '@type': 'Page', title: 'Seals' });
    expect(items.map(({ similarity }) => similarity).slice(0, 2)).toEqual([
      expect.closeTo(1, 5),
      expect.closeTo(Math.SQRT1_2, 5),
    ]);
    expect(items.find(({ path }) => path === '/engine').similarity).toBe(0);
  });

  it('@related by embeddings leaves out hidden and expired content', async () => {
    expect(await paths('/otters', { as: 'anonymous' })).not.toContain('/hidden');
    expect(await paths('/otters')).toContain('/hidden');
    const gone = await create('Otters of old', { expires: '2001-01-01T00:00:00Z' });
    await expect.poll(async () => (await vectors()).map((row) => row.path), { timeout: 10_000 }).toContain(gone);
    expect(await paths('/otters')).not.toContain(gone);
  });

  it('the embedding service gets requests as configured', () => {
    expect(stub.requests.length).toBeGreaterThan(0);
    for (const { path, model, authorization, input } of stub.requests) {
      expect([path, model, authorization]).toEqual(['/v1/embeddings', 'test-model', 'Bearer test-key']);
      expect(input.every((text) => text !== '')).toBe(true);
    }
  });

  it('@related by embeddings follows changes of the text', async () => {
    await site.request('PATCH', '/walrus', { json: { title: 'Bread', description: 'and cake' } });
    await expect
      .poll(async () => (await related('/otters')).find(({ path }) => path === '/walrus')?.similarity, {
        timeout: 10_000,
      })
      .toBe(0);
  });

  it('embeddings of removed content are removed', async () => {
    const path = await create('Lake');
    await expect.poll(async () => (await vectors()).map((row) => row.path), { timeout: 10_000 }).toContain(path);
    await site.request('DELETE', path);
    expect((await vectors()).map((row) => row.path)).not.toContain(path);
  });

  it('an object whose text the embedding service rejects is skipped', async () => {
    stub.mode = { status: 200, reject: 'poison' };
    await create('Seal with poison', { id: 'poison' });
    const after = await create('Seal without');
    await expect.poll(async () => (await vectors()).map((row) => row.path), { timeout: 10_000 }).toContain(after);
    expect((await vectors()).map((row) => row.path)).not.toContain('/poison');
    stub.mode = { status: 200 };
  });

  it('@related falls back to full text while the embedding service fails, and catches up later', async () => {
    stub.mode = { status: 503 };
    const oven = await create('Oven of the otters');
    await create('Oven of somebody', { id: 'other' });
    expect(await paths(oven)).toContain('/other');
    stub.mode = { status: 200 };
    await expect.poll(async () => (await vectors()).map((row) => row.path), { timeout: 20_000 }).toContain(oven);
  });
});

describe('without an embedding model', () => {
  it('@related uses full text when no embedding model is configured', async () => {
    const stub = await startEmbeddingStub();
    const site = await startTestSite(undefined, { environment: { LLM_URL: stub.url, LLM_MODEL: 'text-model' } });
    for (const title of ['Otters one', 'Otters two'])
      await site.request('POST', '/', { json: { '@type': 'Page', title } });
    const { body } = await site.request('GET', '/otters-one/@related');
    expect(body.items.map(({ path }: Json) => path)).toEqual(['/otters-two']);
    expect(stub.requests).toEqual([]);
    await site.close();
    await stub.close();
  });
});
