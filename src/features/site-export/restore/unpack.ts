import { createWriteStream } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, open, type ZipFile } from 'yauzl';
import { ExportRefused } from '../format.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../target/export-target.ts';
import { makePrivateFolder, type PrivateFolder } from './private-folder.ts';

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

/** The entries of an archive, one after the other. An entry with a path outside of the folder causes an error. */
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

/** Archives that unpack to no more than this are not suspicious, whatever their own size is: 1 GiB. */
const MAX_UNSUSPICIOUS_BYTES = 1024 ** 3;

/** How many times its own size an archive may unpack to: exports of nothing but JSON have some 20. */
const MAX_RATIO = 100;

/** Maximum number of files of an archive; an export has a file for each object, and for each file of an object. */
const MAX_FILES = 5_000_000;

/** Bytes of the disk that must stay free for other programs: 256 MiB. */
const SPARE_BYTES = 256 * 1024 ** 2;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Adds up the sizes that an archive declares. Throws ExportRefused when they are suspicious for the size of the archive, or too large for the disk.
 */
async function checkSizes(file: string, folder: string): Promise<number> {
  const zip = await openArchive(file);
  let total = 0;
  let files = 0;
  try {
    for await (const { uncompressedSize } of entriesOf(zip)) {
      total += uncompressedSize;
      files += 1;
      if (files > MAX_FILES) throw new ExportRefused(`${file} has more than ${MAX_FILES} files.`);
    }
  } finally {
    zip.close();
  }
  const { size } = await stat(file);
  if (total > MAX_UNSUSPICIOUS_BYTES && total > size * MAX_RATIO)
    throw new ExportRefused(
      `${file} would become ${gigabytes(total)}, more than ${MAX_RATIO} times its size. If it is what you expect, unpack it yourself and import the folder.`,
    );
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (total + SPARE_BYTES > free)
    throw new ExportRefused(
      `${file} needs ${gigabytes(total)} in ${tmpdir()}, where ${gigabytes(free)} are free. Name another folder with TMPDIR, or unpack it yourself and import the folder.`,
    );
  return total;
}

/** Passes bytes on, and fails when there are more than declared. */
function countedBytes(limit: number): () => Transform {
  let passed = 0;
  return () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        passed += chunk.length;
        done(passed > limit ? new Error('it has more bytes than it declares') : null, chunk);
      },
    });
}

async function unpackInto(file: string, folder: string): Promise<void> {
  const counted = countedBytes(await checkSizes(file, folder));
  const zip = await openArchive(file);
  try {
    for await (const entry of entriesOf(zip)) {
      if (entry.fileName.endsWith('/')) continue;
      const place = join(folder, ...entry.fileName.split('/'));
      await mkdir(dirname(place), { recursive: true, mode: PRIVATE_FOLDER });
      const written = createWriteStream(place, { mode: PRIVATE_FILE, flags: 'wx' });
      await pipeline(await openEntry(zip, entry), counted(), written);
    }
  } finally {
    zip.close();
  }
}

/**
 * Unpacks an archive into a folder of its own, a file at a time. The end of the process removes the folder; after a kill the next import does.
 * @throws ExportRefused when the archive cannot be read, or is too large
 */
export async function unpack(file: string): Promise<PrivateFolder> {
  const made = await makePrivateFolder();
  try {
    await unpackInto(file, made.folder);
  } catch (error) {
    await made.remove();
    if (error instanceof ExportRefused) throw error;
    throw new ExportRefused(`${file} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  return made;
}
