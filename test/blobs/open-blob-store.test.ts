import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobStore } from '../../src/core/files/blobs/open-blob-store.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'canopy-data-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('openBlobStore', () => {
  it('blobs are in the data folder when no bucket is set', async () => {
    const store = await openBlobStore({ dataDir });
    expect(store.kind).toBe('filesystem');
    const { hash } = await store.put(Buffer.from('local'));
    expect(await readdir(join(dataDir, 'blobs'))).toContain(hash.slice(0, 2));
  });

  it('blobs are in the bucket when one is set', async () => {
    const s3 = { endpoint: 'https://s3.example.org', bucket: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's' };
    expect((await openBlobStore({ dataDir, s3 })).kind).toBe('s3');
  });

  it('a malformed address of an S3 service is rejected', async () => {
    const s3 = { endpoint: 'not a url', bucket: 'b', region: 'r', accessKeyId: 'k', secretAccessKey: 's' };
    await expect(openBlobStore({ dataDir, s3 })).rejects.toThrow(TypeError);
  });
});
