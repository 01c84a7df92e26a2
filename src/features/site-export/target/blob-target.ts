import type { Readable } from 'node:stream';
import type { Kernel } from '#core';
import { type PrivateBlob, storePrivately } from '../private-blob.ts';
import type { ExportTarget } from './export-target.ts';
import { packZip } from './pack-zip.ts';

async function* untilAborted<T>(content: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** An archive in the store of files, which is there once it is finished; `stored` returns it then. `signal` ends it while it is written. */
export function openBlobTarget(
  kernel: Pick<Kernel, 'blobs'>,
  signal: AbortSignal,
): ExportTarget & { stored(): PrivateBlob } {
  const zip = packZip((bytes: Readable) => storePrivately(kernel, bytes));
  let stored: PrivateBlob | undefined;
  return {
    write: (name, content) => zip.write(name, untilAborted(content, signal)),
    async finish() {
      stored = await zip.end();
    },
    discard: () => zip.cancel(),
    stored() {
      if (!stored) throw new Error('The archive is not finished');
      return stored;
    },
  };
}
