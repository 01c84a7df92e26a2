import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileStores } from '#core';
import { PRIVATE_FILE } from './folder-place.ts';
import type { Place, PlacedFile } from './place.ts';

/** Maximum number of objects that S3 lists in one response. */
const PAGE_SIZE = 1000;

/** A bucket for backups. A file waits in the folder `work` until it is sent, because S3 wants its length first. */
export function openS3Place(settings: fileStores.S3Settings, work: string | undefined): Place {
  const client = fileStores.connectBucket(settings);
  const prefix = fileStores.prefixOf(settings);
  const { unlessMissing, persistently, streamOf, uploadFile } = fileStores;
  async function* list(under: string): AsyncGenerator<PlacedFile> {
    let next: string | undefined;
    do {
      const token = next;
      const page = await persistently(() => client.listObjectsPaged('/', prefix + under, PAGE_SIZE, token));
      for (const { Key: key, Size: size } of page?.objects ?? []) yield { key: key.slice(prefix.length), size };
      next = page?.nextContinuationToken;
    } while (next !== undefined);
  }
  return {
    label: `s3://${settings.bucket}/${prefix}`,
    async put(key, source) {
      if (work === undefined) throw new Error('This place is open for reading only');
      const spool = join(work, randomUUID());
      try {
        await pipeline(source, createWriteStream(spool, { mode: PRIVATE_FILE }));
        await uploadFile(client, prefix + key, spool, (await stat(spool)).size);
      } finally {
        await rm(spool, { force: true });
      }
    },
    async open(key) {
      const response = await unlessMissing(persistently(() => client.getObjectRaw(prefix + key)));
      return response && streamOf(response);
    },
    size: (key) => unlessMissing(persistently(() => client.getContentLength(prefix + key))),
    list,
    async remove(key) {
      await persistently(() => client.deleteObject(prefix + key));
    },
  };
}
