import { Readable } from 'node:stream';
import type * as yazlPackage from 'yazl';
import { lazyPackage } from '#lib/process/lazy-package';
import { PRIVATE_FILE } from './export-target.ts';

const yazl = lazyPackage<typeof yazlPackage>('yazl');

/** Names of files whose bytes are compressed already. */
const COMPRESSED = /\.(?:jpe?g|png|gif|webp|avif|mp[34]|m4[av]|webm|og[gv]|zip|gz|7z|docx|xlsx|pptx|od[tsp]|pdf)$/i;

/** An archive that gets one file after the other. */
export type ZipPacker<T> = {
  /** Adds a file. Throws the failure of its content, or that of `store`. */
  write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void>;
  /** Completes the archive. Returns the result of `store`. */
  end(): Promise<T>;
  /** Makes `store` fail, and waits for its end. */
  cancel(): Promise<void>;
};

/** Packs files into an archive, whose bytes `store` takes as they come. */
export function packZip<T>(store: (bytes: Readable) => Promise<T>): ZipPacker<T> {
  const zip = new (yazl().ZipFile)();
  // The failure of a file is thrown by `write`; without a listener it would end the process.
  zip.on('error', () => undefined);
  const bytes = Readable.from(zip.outputStream, { objectMode: false });
  bytes.on('error', () => undefined);
  const stored = store(bytes);
  // A failure is thrown when the next file is written; until then it must not count as unhandled.
  stored.catch(() => undefined);
  return {
    async write(name, content) {
      const source = Readable.from(content, { objectMode: false });
      const read = new Promise<void>((resolve, reject) => {
        source.once('end', resolve);
        source.once('error', reject);
      });
      zip.addReadStream(source, name, { compress: !COMPRESSED.test(name), mode: 0o100000 | PRIVATE_FILE });
      try {
        await Promise.race([read, stored]);
      } catch (error) {
        source.destroy();
        throw error;
      }
    },
    end() {
      zip.end();
      return stored;
    },
    async cancel() {
      bytes.destroy(new Error('The archive is cancelled'));
      await stored.catch(() => undefined);
    },
  };
}
