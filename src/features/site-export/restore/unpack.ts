import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, open, type ZipFile } from 'yauzl';
import { ExportRefused } from '../format.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../target/export-target.ts';

/** A folder for a while. */
export type Unpacked = { folder: string; remove(): Promise<void> };

const openArchive = (file: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(file, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, zip) =>
      error || !zip ? reject(error) : resolve(zip),
    );
  });

const openEntry = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error || !stream ? reject(error) : resolve(stream)));
  });

/** The entries of an archive, one after the other. Those that lead out of it end it with an error. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      zip.once('entry', resolve);
      zip.once('end', () => resolve(undefined));
      zip.once('error', reject);
      zip.readEntry();
    });
    zip.removeAllListeners();
    if (!entry) return;
    yield entry;
  }
}

/**
 * Unpacks an archive into a folder of its own, a file at a time.
 * @throws ExportRefused when it cannot be read
 */
export async function unpack(file: string): Promise<Unpacked> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const zip = await openArchive(file);
    try {
      for await (const entry of entriesOf(zip)) {
        if (entry.fileName.endsWith('/')) continue;
        const place = join(folder, ...entry.fileName.split('/'));
        await mkdir(dirname(place), { recursive: true, mode: PRIVATE_FOLDER });
        await pipeline(await openEntry(zip, entry), createWriteStream(place, { mode: PRIVATE_FILE, flags: 'wx' }));
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    await remove();
    throw new ExportRefused(`${file} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { folder, remove };
}
