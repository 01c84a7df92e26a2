import type { S3mini } from 's3mini';
import { isBlobHash } from './blob-hash.ts';
import type { ListedBlob } from './blob-store.ts';

/** Most objects that S3 tells of in one answer. */
const PAGE = 1000;
/** First folders of blobs, so that what else lies under the prefix is not listed. */
const FIRST_FOLDERS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The blobs under a prefix, `<prefix>ab/cd/<hash>`, as the service tells of them. */
export async function* listBlobObjects(client: S3mini, prefix: string): AsyncGenerator<ListedBlob> {
  for (const folder of FIRST_FOLDERS) {
    let next: string | undefined;
    do {
      const page = await client.listObjectsPaged('/', `${prefix}${folder}/`, PAGE, next);
      if (!page) throw new Error('The bucket of the blobs is not there');
      for (const { Key: key, Size: size, LastModified: since } of page.objects ?? []) {
        const hash = key.slice(key.lastIndexOf('/') + 1);
        if (isBlobHash(hash)) yield { hash, size, since };
      }
      next = page.nextContinuationToken;
    } while (next !== undefined);
  }
}
