import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { ExportRefused } from '../format.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../target/export-target.ts';
import { checkMeasure, checkRoom, type Measured } from './check-room.ts';

/** Bytes between two looks at the room on the disk: an archive does not say its size before it is read. */
const LOOK_BYTES = 64 * 1024 ** 2;

/** The parts of the path of an entry. Throws ExportRefused for a path that leads out of the folder. */
function partsOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || parts.includes('..') || parts.length === 0 || /[\\\0]/.test(name))
    throw new ExportRefused(`The archive has a file at "${name.slice(0, 200)}", which leads out of it.`);
  return parts;
}

/** Counts the bytes that come out of the archive, with those of its headers, and looks at the room for them. */
const measured = (measure: Measured, folder: string): Transform => {
  let looked = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      measure.total += chunk.length;
      const check = async (): Promise<void> => {
        checkMeasure(measure);
        if (measure.total - looked < LOOK_BYTES) return;
        looked = measure.total;
        await checkRoom(measure.file, folder, LOOK_BYTES);
      };
      check().then(
        () => done(null, chunk),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
};

/**
 * Unpacks a compressed tar archive into a folder. Only files and folders are taken: links, which may lead anywhere, are refused.
 * @throws ExportRefused for paths outside of the folder, links, and archives that become too large
 */
export async function unpackTar(file: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const measure: Measured = { file, size: (await stat(file)).size, total: 0, files: 0 };
  const bytes = measured(measure, folder);
  const reading = pipeline(createReadStream(file), createGunzip(), bytes, { signal });
  // A failure is thrown below, by the reader of the entries or after them.
  reading.catch(() => undefined);
  try {
    for await (const { header, body } of Readable.toWeb(bytes).pipeThrough(createTarDecoder({ strict: true }))) {
      signal?.throwIfAborted();
      if (header.type === 'directory') {
        await body.cancel();
        continue;
      }
      if (header.type !== undefined && header.type !== 'file')
        throw new ExportRefused(`The archive has "${header.name.slice(0, 200)}", which is no file (${header.type}).`);
      measure.files += 1;
      // The size that the entry declares: refused before any of it is written.
      checkMeasure({ ...measure, total: measure.total + header.size });
      if (header.size > LOOK_BYTES) await checkRoom(file, folder, header.size);
      const place = join(folder, ...partsOf(header.name));
      await mkdir(dirname(place), { recursive: true, mode: PRIVATE_FOLDER });
      await pipeline(Readable.fromWeb(body), createWriteStream(place, { mode: PRIVATE_FILE, flags: 'wx' }), { signal });
    }
    await reading;
  } catch (error) {
    bytes.destroy();
    // The reader of entries reports that its source has ended; the reason is the error of the source.
    await reading.catch((reason: unknown) => {
      if (reason instanceof ExportRefused) throw reason;
    });
    throw error;
  }
}
