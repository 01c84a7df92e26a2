import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '../../files/blobs/blob-store.ts';
import { FileBlobStore } from '../../files/blobs/file-store.ts';

/** A store whose new blobs are removed when it is closed. */
export type ScratchBlobs = { blobs: BlobStore; close(): Promise<void> };

/** A blob store for work that is rolled back: it reads what `blobs` has, and stores in a folder that `close` removes. */
export function scratchBlobs(blobs: BlobStore): ScratchBlobs {
  let made: Promise<{ folder: string; store: FileBlobStore }> | undefined;
  const open = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'canopy-dry-run-'));
    return { folder, store: await FileBlobStore.open(folder) };
  };
  const scratch = async (): Promise<FileBlobStore> => {
    made ??= open();
    return (await made).store;
  };
  /** The store that has a blob: the scratch store for blobs of this work. */
  const placeOf = async (hash: string): Promise<BlobStore> => {
    if (made === undefined) return blobs;
    const own = await scratch();
    return (await own.size(hash)) === undefined ? blobs : own;
  };
  const overlay: BlobStore = {
    kind: blobs.kind,
    get store() {
      return overlay;
    },
    uploads: blobs.uploads,
    put: async (source) => (await scratch()).put(source),
    open: async (hash, range) => (await placeOf(hash)).open(hash, range),
    size: async (hash) => (await placeOf(hash)).size(hash),
    // A blob that is removed now would be missing when the work is rolled back.
    remove: async () => {},
    async putDerived(hash, name, bytes) {
      const place = await placeOf(hash);
      if (place !== blobs) await place.putDerived(hash, name, bytes);
    },
    openDerived: async (hash, name) => (await placeOf(hash)).openDerived(hash, name),
    list: () => blobs.list(),
    setAside: async () => false,
    listAside: () => blobs.listAside(),
    takeBack: async () => {},
    discard: async () => {},
    check: () => blobs.check(),
  };
  return {
    blobs: overlay,
    async close() {
      if (made) await rm((await made).folder, { recursive: true, force: true });
    },
  };
}
