import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { fileStores } from '#core';
import type { Progress } from '#lib/process/progress';
import { DAY_MS } from '#lib/time/milliseconds';
import { BACKUPS, BackupRefused, BLOB_LIST, BLOBS, blobFile, MANIFEST, type Manifest, timeOf } from './format.ts';
import { blobLine, parseBlobLine, readLines, without } from './lines.ts';
import { measuring } from './part-file.ts';
import type { Place } from './places/place.ts';
import { listBackups, openArchive, partsOf, readFiles, sourceAt } from './read-backup.ts';

/** A backup to write: its database is in files of a folder, its other files are in the store of the site. */
export type Prepared = {
  manifest: Manifest;
  folder: string;
  blobs: Pick<fileStores.Store, 'open'>;
  progress: Progress;
};

/** Files that were copied, and their bytes; the others were there already. */
export type Copied = { files: number; bytes: number };

/** Milliseconds after which a backup without a manifest counts as aborted. */
const MAX_UNFINISHED_MS = DAY_MS;

const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`;

/** The bytes of a file of the site. The stream fails when the bytes do not match the hash. */
async function openBlob({ blobs, progress }: Prepared, hash: string): Promise<Readable> {
  const source = await blobs.open(hash);
  const checked = measuring(({ sha256 }) => {
    if (sha256 !== hash) throw new BackupRefused(`The file ${hash} is damaged in the store of the site.`);
    progress.tick();
  });
  source.on('error', (error) => checked.destroy(error));
  return source.pipe(checked);
}

const listOf = (folder: string): AsyncGenerator<string> => readLines(createReadStream(join(folder, BLOB_LIST)));

/** The files at a place as lines of a list. */
async function* linesAt(place: Place): AsyncGenerator<string> {
  for await (const { key, size } of place.list(BLOBS)) yield blobLine(key.slice(key.lastIndexOf('/') + 1), size);
}

/** Writes a backup to a place, where it shares files with others, and reads its parts again. The backup is valid once its manifest is there. */
export async function writeToPlace(place: Place, prepared: Prepared): Promise<Copied> {
  const { manifest, folder } = prepared;
  const own = `${BACKUPS}${manifest.id}/`;
  const copied = { files: 0, bytes: 0 };
  for (const name of partsOf(manifest).keys()) await place.put(own + name, createReadStream(join(folder, name)));
  for await (const line of without(listOf(folder), linesAt(place))) {
    const { hash, size } = parseBlobLine(line);
    await place.put(blobFile(hash), await openBlob(prepared, hash));
    copied.files += 1;
    copied.bytes += size;
  }
  for await (const line of without(listOf(folder), linesAt(place)))
    throw new BackupRefused(`${place.label} does not give back the file ${line}. Nothing was backed up.`);
  await readFiles(sourceAt(place, manifest), 'database');
  await place.put(own + MANIFEST, Readable.from([Buffer.from(manifestText(manifest))]));
  return copied;
}

/** Writes a backup as one file. Throws BackupRefused when the file exists already. */
export async function writeToArchive(path: string, prepared: Prepared): Promise<Copied> {
  const { writeTar } = await import('./places/tar.ts');
  const { manifest, folder } = prepared;
  async function* files() {
    const text = Buffer.from(manifestText(manifest));
    yield { name: MANIFEST, size: text.length, open: async () => Readable.from([text]) };
    for (const [name, { bytes }] of partsOf(manifest))
      yield { name, size: bytes, open: async () => createReadStream(join(folder, name)) };
    for await (const line of listOf(folder)) {
      const { hash, size } = parseBlobLine(line);
      yield { name: blobFile(hash), size, open: () => openBlob(prepared, hash) };
    }
  }
  await writeTar(path, files(), async (written) => {
    const source = await openArchive(written);
    for (const kind of ['database', 'blobs'] as const) await readFiles(source, kind);
  });
  return { files: manifest.blobs.count, bytes: manifest.blobs.bytes };
}

/** Throws BackupRefused when a file has the name of a new archive. */
export async function requireNewFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found) throw new BackupRefused(`${path} is there already. Name a new file, or remove it.`);
}

async function removeAll(place: Place, prefix: string): Promise<void> {
  for await (const { key } of place.list(prefix)) await place.remove(key);
}

/**
 * Removes all but the newest `keep` backups of a place, aborted backups, and files that no backup uses any more. Such files stay while another backup
 * may be running. Returns the ids of the removed backups.
 */
export async function prune(place: Place, keep: number): Promise<string[]> {
  const { whole, unfinished } = await listBackups(place);
  const gone = whole.slice(0, -keep);
  for (const id of gone) {
    // The manifest is removed first, so that a backup never looks whole while its files are being removed.
    await place.remove(`${BACKUPS}${id}/${MANIFEST}`);
    await removeAll(place, `${BACKUPS}${id}/`);
  }
  const old = unfinished.filter((id) => Date.now() - timeOf(id).getTime() > MAX_UNFINISHED_MS);
  for (const id of old) await removeAll(place, `${BACKUPS}${id}/`);
  if (old.length < unfinished.length) return gone;
  let unused: AsyncIterable<string> = linesAt(place);
  for (const id of whole.slice(-keep)) unused = without(unused, blobLinesOf(place, id));
  for await (const line of unused) await place.remove(blobFile(parseBlobLine(line).hash));
  return gone;
}

async function* blobLinesOf(place: Place, id: string): AsyncGenerator<string> {
  const list = await place.open(`${BACKUPS}${id}/${BLOB_LIST}`);
  if (!list) throw new BackupRefused(`The list of files of ${id} is missing in ${place.label}: no files are removed.`);
  yield* readLines(list);
}
