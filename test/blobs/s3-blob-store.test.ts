import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { S3mini } from 's3mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/core/files/blobs/blob-store.ts';
import { S3BlobStore } from '../../src/core/files/blobs/s3-store.ts';
import { itIsABlobStore } from './blob-store-contract.ts';
import { s3Server } from './s3-server.ts';
import { itHasAnUploadArea } from './upload-area-contract.ts';

const server = await s3Server();
const reason = server ? '' : ' (skipped: set TEST_S3_ENDPOINT, or TEST_PYTHON to a python with moto[server])';
const settings = {
  endpoint: server?.endpoint ?? 'http://127.0.0.1:9',
  bucket: `canopy-${Date.now()}`,
  region: process.env.TEST_S3_REGION ?? 'eu-central-1',
  accessKeyId: process.env.TEST_S3_ACCESS_KEY_ID ?? 'test',
  secretAccessKey: process.env.TEST_S3_SECRET_ACCESS_KEY ?? 'test',
  prefix: '/sites/one/',
};
const client = new S3mini({ ...settings, endpoint: `${settings.endpoint}/${settings.bucket}` });

let spoolDir: string;
beforeAll(async () => {
  spoolDir = await mkdtemp(join(tmpdir(), 'canopy-spool-'));
});
afterAll(() => rm(spoolDir, { recursive: true, force: true }));

describe.skipIf(!server)(`S3BlobStore${reason}`, () => {
  let store: BlobStore;
  beforeAll(async () => {
    await client.createBucket();
    store = await S3BlobStore.open(settings, spoolDir);
  });
  afterAll(() => server?.stop());

  itIsABlobStore(() => store);
  itHasAnUploadArea(() => store, Error);

  it('the S3 store keeps its objects under the prefix', async () => {
    const { hash } = await store.put(Buffer.from('under the prefix'));
    expect(await client.objectExists(`sites/one/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`)).toBe(true);
  });

  it('the S3 store uploads a file in several parts', async () => {
    const [chunk, count] = [randomBytes(1024 * 1024), 20];
    const hash = createHash('sha256');
    for (let i = 0; i < count; i += 1) hash.update(chunk);
    const info = await store.put(Readable.from(Array.from({ length: count }, () => chunk)));
    expect(info).toEqual({ hash: hash.digest('hex'), size: count * chunk.length });
    const seam = 8 * 1024 * 1024;
    const around = await store.open(info.hash, { start: seam - 2, end: seam + 1 });
    expect(Buffer.concat(await around.toArray())).toEqual(Buffer.concat([chunk.subarray(-2), chunk.subarray(0, 2)]));
    expect(await store.size(info.hash)).toBe(info.size);
  }, 60_000);

  it('the S3 store does not upload known bytes again', async () => {
    const { hash } = await store.put(Buffer.from('uploaded once'));
    const key = `sites/one/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
    await client.putObject(key, 'changed behind its back');
    await store.put(Buffer.from('uploaded once'));
    expect(await client.getObject(key)).toBe('changed behind its back');
  });

  it('the S3 store leaves nothing in its spool folder', async () => {
    await store.put(Buffer.from('through the spool'));
    expect(await readdir(spoolDir)).toEqual([]);
  });

  it('the check of the S3 store fails when the bucket is missing', async () => {
    const lost = await S3BlobStore.open({ ...settings, bucket: 'no-such-bucket' }, spoolDir);
    await expect(lost.check()).rejects.toThrow('404');
  });
});

describe('S3BlobStore on a bad day', () => {
  /** Runs `work` against a service that responds with `answer`. */
  async function against(answer: (method: string, count: number) => number, work: (store: BlobStore) => Promise<void>) {
    let puts = 0;
    const service = createServer((request, response) => {
      if (request.method === 'PUT') puts += 1;
      request.resume().on('end', () => response.writeHead(answer(request.method ?? '', puts)).end());
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const address = service.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    try {
      await work(await S3BlobStore.open({ ...settings, endpoint: `http://127.0.0.1:${port}` }, spoolDir));
    } finally {
      service.closeAllConnections();
      service.close();
    }
    return puts;
  }

  it('the S3 store repeats an upload when the service is overloaded', async () => {
    const puts = await against(
      (method, count) => (method === 'HEAD' ? 404 : count < 3 ? 503 : 200),
      async (store) => expect(await store.put(Buffer.from('at last'))).toMatchObject({ size: 7 }),
    );
    expect(puts).toBe(3);
  });

  it('the S3 store gives up at once when the service rejects, and stores nothing', async () => {
    const puts = await against(
      (method) => (method === 'HEAD' ? 404 : 403),
      async (store) => expect(store.put(Buffer.from('refused'))).rejects.toThrow('403'),
    );
    expect(puts).toBe(1);
    expect(await readdir(spoolDir)).toEqual([]);
  });

  it('the S3 store does not mistake a rejected request for a missing blob', async () => {
    await against(
      () => 403,
      async (store) => {
        await expect(store.size('ab'.repeat(32))).rejects.toThrow('403');
        await expect(store.open('ab'.repeat(32))).rejects.toThrow('403');
      },
    );
  });
});
