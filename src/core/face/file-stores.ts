/** Stores of the bytes of files: the store of the site, and other stores for the same files. */
export { type BlobStore as Store, blobPath as pathOf } from '../files/blobs/blob-store.ts';
export { openBlobStore as open } from '../files/blobs/open-blob-store.ts';
export { persistently, streamOf, unlessMissing, uploadFile } from '../files/blobs/s3-objects.ts';
export { connectBucket, prefixOf, type S3Settings } from '../files/blobs/s3-store.ts';
export { isNoSuchFile, syncFolder } from '../files/blobs/spool.ts';
export { selectHashes } from '../files/statements/blobs.ts';
