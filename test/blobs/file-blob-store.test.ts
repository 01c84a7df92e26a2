import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileBlobStore } from '../../src/core/files/blobs/file-store.ts';
import { itIsABlobStore } from './blob-store-contract.ts';
import { itHasAnUploadArea } from './upload-area-contract.ts';

let dir: string;
let store: FileBlobStore;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'canopy-blobs-'));
  store = await FileBlobStore.open(join(dir, 'store'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('FileBlobStore', () => {
  itIsABlobStore(() => store);
  itHasAnUploadArea(() => store);

  it('the file store keeps a blob at ab/cd/<hash>', async () => {
    const { hash } = await store.put(Buffer.from('where am I'));
    expect((await stat(join(dir, 'store', hash.slice(0, 2), hash.slice(2, 4), hash))).size).toBe(10);
  });

  it('the file store does not write known bytes again', async () => {
    const { hash } = await store.put(Buffer.from('written once'));
    const path = join(dir, 'store', hash.slice(0, 2), hash.slice(2, 4), hash);
    const before = await stat(path);
    await store.put(Buffer.from('written once'));
    expect((await stat(path)).ino).toBe(before.ino);
  });

  it('the file store renews the time of known bytes, so that they are not set aside', async () => {
    const { hash } = await store.put(Buffer.from('stored twice'));
    const path = join(dir, 'store', hash.slice(0, 2), hash.slice(2, 4), hash);
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
    await utimes(path, yesterday, yesterday);
    const since = new Date(Date.now() - 3600 * 1000);
    await store.put(Buffer.from('stored twice'));
    expect(await store.setAside(hash, since)).toBe(false);
    await utimes(path, yesterday, yesterday);
    expect(await store.setAside(hash, since)).toBe(true);
  });

  it('the file store counts the time since a blob was set aside, however old it is', async () => {
    const { hash } = await store.put(Buffer.from('old'));
    const path = join(dir, 'store', hash.slice(0, 2), hash.slice(2, 4), hash);
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
    await utimes(path, yesterday, yesterday);
    await store.setAside(hash, new Date());
    for await (const blob of store.listAside())
      if (blob.hash === hash) expect(Number(blob.since)).toBeGreaterThan(Number(yesterday) + 3600 * 1000);
  });

  it('the file store leaves no temporary files behind, neither after success nor after failure', async () => {
    await store.put(Buffer.from('fine'));
    const broken = Readable.from([Buffer.from('x'), { not: 'bytes' }]);
    await expect(store.put(broken)).rejects.toThrow(TypeError);
    expect(await readdir(join(dir, 'store', 'tmp'))).toEqual([]);
  });

  it('the file store removes temporary files of a crash when it is opened after a day', async () => {
    const other = join(dir, 'crashed');
    await mkdir(join(other, 'tmp'), { recursive: true });
    for (const name of ['old', 'young']) await writeFile(join(other, 'tmp', name), 'half a file');
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
    await utimes(join(other, 'tmp', 'old'), yesterday, yesterday);
    await FileBlobStore.open(other);
    expect(await readdir(join(other, 'tmp'))).toEqual(['young']);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'fails its check when it cannot write',
    async () => {
      const other = join(dir, 'read-only');
      const closed = await FileBlobStore.open(other);
      await chmod(join(other, 'tmp'), 0o500);
      await expect(closed.check()).rejects.toThrow('EACCES');
    },
  );

  it('the check of the file store fails when its folder is missing', async () => {
    const other = join(dir, 'unmounted');
    const lost = await FileBlobStore.open(other);
    await rm(other, { recursive: true });
    await expect(lost.check()).rejects.toThrow('ENOENT');
  });
});
