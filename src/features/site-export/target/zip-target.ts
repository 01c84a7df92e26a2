import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExportRefused } from '../format.ts';
import { type ExportTarget, PRIVATE_FILE } from './export-target.ts';
import { packZip } from './pack-zip.ts';

/** An archive, which is written under another name beside its place. Throws ExportRefused when the file exists already. */
export async function openZipTarget(name: string): Promise<ExportTarget> {
  const place = resolve(name);
  if (existsSync(place)) throw new ExportRefused(`${name} is there already. Name a new file, or remove it.`);
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { force: true });
  const zip = packZip((bytes) => pipeline(bytes, createWriteStream(unfinished, { mode: PRIVATE_FILE })));
  return {
    async write(entry, content) {
      try {
        await zip.write(entry, content);
      } catch (error) {
        throw error instanceof Error && 'syscall' in error
          ? new ExportRefused(`${name} cannot be written: ${error.message}`)
          : error;
      }
    },
    async finish() {
      await zip.end();
      await rename(unfinished, place);
    },
    async discard() {
      await zip.cancel();
      await rm(unfinished, { force: true });
    },
  };
}
