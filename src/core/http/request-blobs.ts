import type { BlobStore } from '../files/blobs/blob-store.ts';

/**
 * The blob store that one request works with. `wait` is called before each request to an object store, and before a derivation that the store does
 * not have is made: it takes a place for that. Files on a disk need no waiting.
 */
export function requestBlobs(blobs: BlobStore, wait: () => Promise<void>): BlobStore {
  const beforeUse = blobs.kind === 'filesystem' ? undefined : wait;
  async function waiting<T>(work: () => Promise<T>): Promise<T> {
    await beforeUse?.();
    return work();
  }
  return {
    kind: blobs.kind,
    store: blobs.store,
    uploads: blobs.uploads,
    put: (source) => waiting(() => blobs.put(source)),
    open: (hash, range) => waiting(() => blobs.open(hash, range)),
    size: (hash) => waiting(() => blobs.size(hash)),
    remove: (hash) => waiting(() => blobs.remove(hash)),
    putDerived: (hash, name, bytes) => waiting(() => blobs.putDerived(hash, name, bytes)),
    async openDerived(hash, name) {
      const derived = await waiting(() => blobs.openDerived(hash, name));
      if (derived === undefined) await wait();
      return derived;
    },
    list: () => blobs.list(),
    setAside: (hash, since) => waiting(() => blobs.setAside(hash, since)),
    listAside: () => blobs.listAside(),
    takeBack: (hash) => waiting(() => blobs.takeBack(hash)),
    discard: (hash) => waiting(() => blobs.discard(hash)),
    check: () => blobs.check(),
  };
}
