import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';

/** Writes, reads and removes a blob of a few random bytes. Throws when the store does not give back what it took. */
export async function checkBlobStore(store: BlobStore): Promise<void> {
  const bytes = Buffer.from(`check ${randomUUID()}`);
  const { hash } = await store.put(bytes);
  try {
    const read = await buffer(await store.open(hash));
    if (!read.equals(bytes)) throw new Error(`The ${store.kind} blob store does not give back what was written`);
  } finally {
    await store.remove(hash);
  }
}
