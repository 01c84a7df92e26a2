import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, open, type ZipFile } from 'yauzl';
import { ExportRefused } from '../format.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../target/export-target.ts';
import { checkMeasure, checkRoom } from './check-room.ts';
import { makePrivateFolder, type PrivateFolder } from './private-folder.ts';
import { unpackTar } from './unpack-tar.ts';

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
async function* entriesOf(zip: ZipFile, signal: AbortSignal | undefined): AsyncGenerator<Entry> {
  for (;;) {
    signal?.throwIfAborted();
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
 * Adds up the sizes that an archive declares. Throws ExportRefused when they are suspicious for the size of the archive, or too large for the disk.
 */
async function checkSizes(file: string, folder: string, signal: AbortSignal | undefined): Promise<number> {
  const zip = await openArchive(file);
  const measure = { file, size: (await stat(file)).size, total: 0, files: 0 };
  try {
    for await (const { uncompressedSize } of entriesOf(zip, signal)) {
      measure.total += uncompressedSize;
      measure.files += 1;
      checkMeasure(measure);
    }
  } finally {
    zip.close();
  }
  await checkRoom(file, folder, measure.total);
  return measure.total;
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

async function unpackZip(file: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const counted = countedBytes(await checkSizes(file, folder, signal));
  const zip = await openArchive(file);
  try {
    for await (const entry of entriesOf(zip, signal)) {
      if (entry.fileName.endsWith('/')) continue;
      const place = join(folder, ...entry.fileName.split('/'));
      await mkdir(dirname(place), { recursive: true, mode: PRIVATE_FOLDER });
      const written = createWriteStream(place, { mode: PRIVATE_FILE, flags: 'wx' });
      await pipeline(await openEntry(zip, entry), counted(), written, { signal });
    }
  } finally {
    zip.close();
  }
}

/** `signal` ends the work early. `endsInOrder`: see `makePrivateFolder`. */
export type UnpackOptions = { signal?: AbortSignal | undefined; endsInOrder?: boolean };

/**
 * Unpacks an archive into a folder of its own, a file at a time. The end of the process removes the folder; after a kill the next import does.
 * @throws ExportRefused when the archive cannot be read, or is too large; the reason of the signal
 */
export async function unpack(file: string, { signal, ...options }: UnpackOptions = {}): Promise<PrivateFolder> {
  const made = await makePrivateFolder(options);
  try {
    await (/\.zip$/i.test(file) ? unpackZip : unpackTar)(file, made.folder, signal);
  } catch (error) {
    await made.remove();
    signal?.throwIfAborted();
    if (error instanceof ExportRefused) throw error;
    throw new ExportRefused(`${file} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  return made;
}
