import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { BlobStore } from '../../src/core/files/blobs/blob-store.ts';
import { MIN_PART_BYTES, UploadGone } from '../../src/core/files/blobs/upload-area.ts';

const LARGE = MIN_PART_BYTES + 10;

/**
 * The tests that every upload area must pass. Each test calls `store`. `gone` is what the service throws for an upload
 * that was removed, because moto returns 500 where S3 returns 404.
 */
export function itHasAnUploadArea(store: () => BlobStore, gone: typeof UploadGone | typeof Error = UploadGone): void {
  async function begin(length: number) {
    const id = randomUUID();
    return { id, handle: await store().uploads.begin(id, length) };
  }
  const before = () => new Date(Date.now() + 5000);
  async function listed(since = before()): Promise<string[]> {
    const ids: string[] = [];
    for await (const id of store().uploads.list(since)) ids.push(id);
    return ids;
  }

  it('an upload area makes a blob of its own parts, whatever other uploads write', async () => {
    const { uploads } = store();
    const pieces = [randomBytes(LARGE), randomBytes(LARGE), randomBytes(17)] as const;
    const bytes = Buffer.concat(pieces);
    const upload = await begin(bytes.length);
    const parts = [await uploads.put(upload, { number: 1, bytes: pieces[0] })];
    await uploads.put(upload, { number: 2, bytes: randomBytes(LARGE) });
    parts.push(await uploads.put(upload, { number: 5, bytes: pieces[1] }));
    expect(parts.map(({ number, size }) => [number, size])).toEqual([
      [1, LARGE],
      [5, LARGE],
    ]);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const blob = await uploads.finish(upload, parts, { number: 6, bytes: pieces[2] });
      expect(blob).toEqual({ hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length });
      expect((await buffer(await store().open(blob.hash))).equals(bytes)).toBe(true);
    }
    expect(await listed()).toContain(upload.id);
    await uploads.discard(upload);
    await uploads.discard(upload);
    expect(await listed()).not.toContain(upload.id);
  }, 30_000);

  it('an upload area returns small parts, and makes a blob of a small upload', async () => {
    const { uploads } = store();
    const upload = await begin(6);
    const part = await uploads.put(upload, { number: 1, bytes: Buffer.from('abc') });
    expect(String(await uploads.read(upload, part))).toBe('abc');
    const blob = await uploads.finish(upload, [], { number: 2, bytes: Buffer.from('abcdef') });
    expect(String(await buffer(await store().open(blob.hash)))).toBe('abcdef');
    await uploads.discard(upload);
  });

  it('an upload area rejects further parts of a removed upload', async () => {
    const { uploads } = store();
    const upload = await begin(3 * LARGE);
    const part = await uploads.put(upload, { number: 1, bytes: randomBytes(LARGE) });
    await uploads.discard(upload);
    await expect(uploads.put(upload, { number: 2, bytes: randomBytes(LARGE) })).rejects.toThrow(gone);
    await expect(uploads.finish(upload, [part], { number: 2, bytes: Buffer.from('x') })).rejects.toThrow(gone);
  });

  it('an upload area lists no parts as blobs, and no blobs as uploads', async () => {
    const upload = await begin(2 * LARGE);
    await store().uploads.put(upload, { number: 1, bytes: Buffer.from('small') });
    const { hash } = await store().put(randomBytes(100));
    const blobs: string[] = [];
    for await (const blob of store().list()) blobs.push(blob.hash);
    expect(blobs).toContain(hash);
    expect(blobs.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);
    expect(await listed()).toContain(upload.id);
    expect(await listed(new Date(0))).toEqual([]);
    await store().uploads.discard(upload);
  });

  it('an upload area rejects ids that lead out of its folder', async () => {
    const upload = { id: '../x', handle: '' };
    await expect(store().uploads.put(upload, { number: 1, bytes: Buffer.from('x') })).rejects.toThrow(RangeError);
    await expect(store().uploads.discard(upload)).rejects.toThrow(RangeError);
  });
}
