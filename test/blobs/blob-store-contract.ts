import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BlobMissing, type BlobStore, type ListedBlob } from '../../src/core/files/blobs/blob-store.ts';
import { RangeNotSatisfiable } from '../../src/lib/errors.ts';

const UNKNOWN = 'ab'.repeat(32);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Milliseconds by which the clocks of a test and of a store may differ; those of some stores have no fractions. */
const SKEW = 2000;
const LATER = () => new Date(Date.now() + SKEW);

/** The blobs that a store lists, by hash; no blob may be listed twice. */
async function listOf(blobs: AsyncIterable<ListedBlob>): Promise<Map<string, ListedBlob>> {
  const found = new Map<string, ListedBlob>();
  for await (const blob of blobs) {
    expect(found.has(blob.hash)).toBe(false);
    found.set(blob.hash, blob);
  }
  return found;
}

/** The tests that every blob store must pass. Each test calls `store` to get one. */
export function itIsABlobStore(store: () => BlobStore): void {
  const read = async (...args: Parameters<BlobStore['open']>) => buffer(await store().open(...args));

  it('a blob store returns the bytes of a stream under their SHA-256', async () => {
    const bytes = randomBytes(300_000);
    const info = await store().put(Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]));
    expect(info).toEqual({ hash: sha256(bytes), size: 300_000 });
    expect((await read(info.hash)).equals(bytes)).toBe(true);
    expect(await store().size(info.hash)).toBe(300_000);
  });

  it('a blob store can store an empty blob', async () => {
    const { hash, size } = await store().put(new Uint8Array());
    expect(size).toBe(0);
    expect(await read(hash)).toHaveLength(0);
    expect(await store().size(hash)).toBe(0);
  });

  it('a blob store returns the same hash for the same bytes, also with concurrent writes', async () => {
    const bytes = randomBytes(1000);
    const infos = await Promise.all([1, 2, 3].map(() => store().put(Readable.from([bytes]))));
    expect(new Set(infos.map(({ hash }) => hash))).toEqual(new Set([sha256(bytes)]));
    expect(await read(sha256(bytes))).toEqual(bytes);
  });

  it('a blob store streams ranges, both ends included', async () => {
    const { hash } = await store().put(Buffer.from('0123456789'));
    expect(String(await read(hash, { start: 0, end: 0 }))).toBe('0');
    expect(String(await read(hash, { start: 3, end: 6 }))).toBe('3456');
    expect(String(await read(hash, { start: 8, end: 99 }))).toBe('89');
    await expect(store().open(hash, { start: 10, end: 12 })).rejects.toThrow(RangeNotSatisfiable);
  });

  it('a blob store rejects and stores nothing when the source fails', async () => {
    const bytes = randomBytes(50_000);
    async function* broken() {
      yield bytes;
      throw new Error('connection lost');
    }
    await expect(store().put(Readable.from(broken()))).rejects.toThrow('connection lost');
    expect(await store().size(sha256(bytes))).toBeUndefined();
  });

  it('a blob store rejects a source that ends prematurely', async () => {
    const source = new Readable({ read() {} });
    source.push('half of it');
    setTimeout(() => source.destroy(), 20);
    await expect(store().put(source)).rejects.toThrow();
    expect(await store().size(sha256(Buffer.from('half of it')))).toBeUndefined();
  });

  it('a blob store finds nothing for unknown and malformed hashes', async () => {
    for (const hash of [UNKNOWN, '../../etc/passwd', '', UNKNOWN.toUpperCase()]) {
      expect(await store().size(hash)).toBeUndefined();
      await expect(store().open(hash)).rejects.toThrow(BlobMissing);
      await expect(store().remove(hash)).resolves.toBeUndefined();
    }
  });

  it('a blob store removes a blob with everything derived from it, and no other blob', async () => {
    const [gone, kept] = [await store().put(randomBytes(10)), await store().put(randomBytes(10))];
    for (const { hash } of [gone, kept]) await store().putDerived(hash, 'scale-1x1.png', Buffer.from('small'));
    await store().remove(gone.hash);
    expect(await store().size(gone.hash)).toBeUndefined();
    expect(await store().openDerived(gone.hash, 'scale-1x1.png')).toBeUndefined();
    expect(await store().size(kept.hash)).toBe(10);
    const derived = await store().openDerived(kept.hash, 'scale-1x1.png');
    expect(derived && String(await buffer(derived.stream))).toBe('small');
  });

  it('a blob store keeps the newest derivation of a name, with its size, apart from uploaded blobs', async () => {
    const { hash } = await store().put(randomBytes(10));
    expect(await store().openDerived(hash, 'thumb')).toBeUndefined();
    const [first, second] = [randomBytes(20), randomBytes(30)];
    await store().putDerived(hash, 'thumb', first);
    await store().putDerived(hash, 'thumb', second);
    const derived = await store().openDerived(hash, 'thumb');
    expect(derived?.size).toBe(30);
    expect(derived && (await buffer(derived.stream))).toEqual(second);
    expect(await store().size(sha256(second))).toBeUndefined();
  });

  it('a blob store rejects names of derivations that lead out of its folder', async () => {
    const { hash } = await store().put(randomBytes(10));
    for (const name of ['../x', 'a/b', '', '.', 'X']) {
      await expect(store().putDerived(hash, name, Buffer.from('x'))).rejects.toThrow(RangeError);
    }
    await expect(store().putDerived('../x', 'name', Buffer.from('x'))).rejects.toThrow(BlobMissing);
  });

  it('a blob store lists its blobs with sizes and times, and nothing else', async () => {
    const before = new Date(Date.now() - SKEW);
    const blobs = [await store().put(randomBytes(10)), await store().put(randomBytes(20))];
    for (const { hash } of blobs) await store().putDerived(hash, 'scale-1x1.png', Buffer.from('small'));
    const listed = await listOf(store().list());
    for (const { hash, size } of blobs) {
      expect(listed.get(hash)?.size).toBe(size);
      expect(Number(listed.get(hash)?.since)).toBeGreaterThanOrEqual(Number(before));
      expect(Number(listed.get(hash)?.since)).toBeLessThanOrEqual(Date.now() + SKEW);
    }
    expect([...listed.keys()].filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([]);
  });

  it('a blob store sets aside old blobs, which can still be read', async () => {
    const bytes = randomBytes(10);
    const { hash } = await store().put(bytes);
    await store().putDerived(hash, 'scale-1x1.png', Buffer.from('small'));
    expect(await store().setAside(hash, new Date(Date.now() - SKEW))).toBe(false);
    expect((await listOf(store().list())).has(hash)).toBe(true);
    expect(await store().setAside(hash, LATER())).toBe(true);
    expect(await store().setAside(hash, LATER())).toBe(false);
    expect((await listOf(store().list())).has(hash)).toBe(false);
    expect((await listOf(store().listAside())).get(hash)?.size).toBe(10);
    expect(await read(hash)).toEqual(bytes);
    expect(await read(hash, { start: 1, end: 2 })).toEqual(bytes.subarray(1, 3));
    await expect(store().open(hash, { start: 10, end: 12 })).rejects.toThrow(RangeNotSatisfiable);
    expect(await store().size(hash)).toBe(10);
    const derived = await store().openDerived(hash, 'scale-1x1.png');
    expect(derived && String(await buffer(derived.stream))).toBe('small');
  });

  it('a blob that was set aside comes back by request and when it is stored again', async () => {
    const bytes = [randomBytes(10), randomBytes(10)] as const;
    const [asked, stored] = [await store().put(bytes[0]), await store().put(bytes[1])];
    for (const { hash } of [asked, stored]) expect(await store().setAside(hash, LATER())).toBe(true);
    await store().takeBack(asked.hash);
    await store().put(bytes[1]);
    await store().discard(stored.hash);
    for (const [at, { hash }] of [asked, stored].entries()) {
      expect((await listOf(store().list())).has(hash)).toBe(true);
      expect((await listOf(store().listAside())).has(hash)).toBe(false);
      expect(await read(hash)).toEqual(bytes[at]);
    }
    await store().takeBack(UNKNOWN);
    expect(await store().size(UNKNOWN)).toBeUndefined();
  });

  it('a blob store discards blobs that were set aside with everything derived from them', async () => {
    const { hash } = await store().put(randomBytes(10));
    await store().putDerived(hash, 'scale-1x1.png', Buffer.from('small'));
    await store().setAside(hash, LATER());
    await store().discard(hash);
    await store().discard(UNKNOWN);
    expect(await store().size(hash)).toBeUndefined();
    await expect(store().open(hash)).rejects.toThrow(BlobMissing);
    expect(await store().openDerived(hash, 'scale-1x1.png')).toBeUndefined();
    expect((await listOf(store().listAside())).has(hash)).toBe(false);
  });

  it('a blob store loses no bytes that are stored while they are set aside', async () => {
    const bytes = randomBytes(10);
    const { hash } = await store().put(bytes);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([store().setAside(hash, LATER()), store().put(bytes), store().setAside(hash, LATER())]);
      expect(await read(hash)).toEqual(bytes);
    }
  });

  it('the check of a working blob store succeeds', async () => {
    await expect(store().check()).resolves.toBeUndefined();
  });
}
