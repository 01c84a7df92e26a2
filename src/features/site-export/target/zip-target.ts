import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { ExportRefused } from '../format.ts';
import { type ExportTarget, PRIVATE_FILE } from './export-target.ts';

/** Names of files whose bytes are compressed already. */
const COMPRESSED = /\.(?:jpe?g|png|gif|webp|avif|mp[34]|m4[av]|webm|og[gv]|zip|gz|7z|docx|xlsx|pptx|od[tsp]|pdf)$/i;

/** An archive, which is written under another name beside its place. Throws ExportRefused when the file exists already. */
export async function openZipTarget(name: string): Promise<ExportTarget> {
  const place = resolve(name);
  if (existsSync(place)) throw new ExportRefused(`${name} is there already. Name a new file, or remove it.`);
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { force: true });
  const zip = new ZipFile();
  const file = createWriteStream(unfinished, { mode: PRIVATE_FILE });
  const written = pipeline(Readable.from(zip.outputStream), file);
  // A failure is thrown when the next file is written; until then it must not count as unhandled.
  written.catch(() => undefined);
  return {
    async write(entry, content) {
      const source = Readable.from(content, { objectMode: false });
      zip.addReadStream(source, entry, { compress: !COMPRESSED.test(entry), mode: 0o100000 | PRIVATE_FILE });
      const read = new Promise<void>((resolveRead, reject) => {
        source.once('end', resolveRead);
        source.once('error', reject);
      });
      try {
        await Promise.race([read, written]);
      } catch (error) {
        source.destroy();
        throw error instanceof Error && 'syscall' in error
          ? new ExportRefused(`${name} cannot be written: ${error.message}`)
          : error;
      }
    },
    async finish() {
      zip.end();
      await written;
      await rename(unfinished, place);
    },
    async discard() {
      file.destroy();
      await written.catch(() => undefined);
      await rm(unfinished, { force: true });
    },
  };
}
