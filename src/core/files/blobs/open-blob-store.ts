import { join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { FileBlobStore } from './file-store.ts';
import { S3BlobStore, type S3Settings } from './s3-store.ts';

/** `dataDir` is the folder of this site's data; with `s3` it only has uploads until they are in the bucket. */
export type BlobStoreOptions = { dataDir: string; s3?: S3Settings };

/** Opens the blob store of a site: the bucket if set, else the folder `blobs` in its data. */
export async function openBlobStore({ dataDir, s3 }: BlobStoreOptions): Promise<BlobStore> {
  return s3 ? S3BlobStore.open(s3, join(dataDir, 'spool')) : FileBlobStore.open(join(dataDir, 'blobs'));
}
