import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/core/files/blobs/blob-store.ts';
import { S3BlobStore } from '../../src/core/files/blobs/s3-store.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const picture = (title: string) => ({
  '@type': 'Image',
  title,
  image: { data: PIXEL, encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' },
});

type Mode = 'silent' | 'cutting';

/** A service that takes connections and is of no use. */
async function startUseless() {
  const sockets = new Set<Socket>();
  const service = { mode: 'silent' as Mode, port: 0, asked: 0, close: () => {} };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', () => {
      service.asked += 1;
      if (service.mode === 'cutting') socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  service.port = address && typeof address === 'object' ? address.port : 0;
  service.close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return service;
}

describeQuickestEngine('services that do not answer', (engine) => {
  let useless: Awaited<ReturnType<typeof startUseless>>;
  let spool: string;
  beforeAll(async () => {
    useless = await startUseless();
    spool = await mkdtemp(join(tmpdir(), 'canopy-spool-'));
  });
  afterAll(async () => {
    useless?.close();
    await rm(spool, { recursive: true, force: true });
  });
  const site = useTestSite(engine, () => ({
    environment: {
      TRUST_PROXY: '127.0.0.1',
      OPENID_ISSUER: `http://127.0.0.1:${useless.port}`,
      OPENID_CLIENT_ID: 'site',
      LLM_URL: `http://127.0.0.1:${useless.port}/v1`,
      LLM_MODEL: 'model',
    },
  }));
  const visitor = { as: 'anonymous', headers: { 'X-Forwarded-For': '100.70.1.1' } } as const;
  const attacker = { as: 'anonymous', headers: { 'X-Forwarded-For': '100.71.1.1' } } as const;

  /** Milliseconds of a visit of another network, which must succeed. */
  async function visit(): Promise<number> {
    const began = performance.now();
    const answers = await Promise.all([
      site.request('GET', `/?expand=none-${Math.random()}`, visitor),
      site.request('POST', '/', { json: { '@type': 'Page', title: 'Written meanwhile' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
    return performance.now() - began;
  }

  /** Does some work with an object store of no use. The files were stored elsewhere before. */
  async function withStore(mode: Mode, work: () => Promise<void>): Promise<void> {
    const kernel: { blobs: BlobStore } = site.kernel;
    const before = kernel.blobs;
    useless.mode = mode;
    const endpoint = `http://127.0.0.1:${useless.port}`;
    kernel.blobs = await S3BlobStore.open(
      { endpoint, bucket: 'files', region: 'eu', accessKeyId: 'key', secretAccessKey: 'secret' },
      spool,
    );
    try {
      await work();
    } finally {
      kernel.blobs = before;
    }
  }

  describe('an object store', () => {
    let path = '';
    beforeAll(async () => {
      path = new URL((await site.request('POST', '/', { json: picture('Lake') })).body['@id']).pathname;
    });

    it('while the object store says nothing, visitors of other networks get pages, write, and notice nothing', async () => {
      await withStore('silent', async () => {
        const downloads = Array.from({ length: 12 }, () => site.request('GET', `${path}/@@images/image`, attacker));
        const uploads = Array.from({ length: 12 }, (_, n) => site.request('POST', '/', { json: picture(`Lost ${n}`) }));
        await new Promise((resolve) => setTimeout(resolve, 500));
        expect(await visit()).toBeLessThan(5000);
        for (const { status, headers, body } of await Promise.all([...downloads, ...uploads])) {
          expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
          expect(body.message).toMatch(/files cannot be reached/);
        }
        const asked = useless.asked;
        const began = performance.now();
        expect((await site.request('GET', `${path}/@@images/image`, attacker)).status).toBe(503);
        expect(performance.now() - began).toBeLessThan(5000);
        expect(useless.asked - asked).toBeLessThanOrEqual(1);
      });
      expect((await site.request('GET', '/@search?Title=Lost')).body.items_total).toBe(0);
    }, 60_000);

    it('while the object store cuts connections, uploads and downloads are 503 with Retry-After', async () => {
      await withStore('cutting', async () => {
        for (let n = 0; n < 5; n += 1) {
          const download = await site.request('GET', `${path}/@@download/image`, attacker);
          const upload = await site.request('POST', '/', { json: picture('Cut off') });
          for (const { status, headers } of [download, upload])
            expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
        }
      });
      expect((await site.request('GET', '/@search?Title=Cut')).body.items_total).toBe(0);
      expect((await site.request('GET', `${path}/@@images/image`, visitor)).status).toBe(200);
    }, 60_000);
  });

  it('while a provider of logins says nothing, visitors get pages and write, and it is not asked for each login', async () => {
    useless.mode = 'silent';
    const begun = performance.now();
    const logins = Array.from({ length: 12 }, () => site.request('GET', '/@login-openid', attacker));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await visit()).toBeLessThan(5000);
    expect(new Set((await Promise.all(logins)).map(({ status }) => status))).toEqual(new Set([503]));
    expect(performance.now() - begun).toBeLessThan(25_000);
    const asked = useless.asked;
    const next = await Promise.all([1, 2, 3].map(() => site.request('GET', '/@login-openid', attacker)));
    expect(next.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(useless.asked - asked).toBeLessThanOrEqual(1);
    const { checks } = (await site.request('GET', '/@health')).body;
    expect(checks['loginProviders:lastAnswer']).toMatchObject([
      { status: 'warn', observedValue: 1, output: expect.stringMatching(/openid/) },
    ]);
  }, 60_000);

  it('while a language model sends nothing, others write, and its own users get an error in time', async () => {
    useless.mode = 'silent';
    await site.request('PATCH', '/@controlpanels/ai', { json: { timeout: 3 } });
    const ask = () => site.request('POST', '/@chat', { json: { prompt: 'When do you open?' } });
    const questions = [1, 2, 3].map(ask);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await visit()).toBeLessThan(5000);
    expect((await Promise.all(questions)).map(({ status }) => status)).toEqual([504, 504, 504]);
    const next = await ask();
    expect([next.status, next.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  }, 60_000);
});
