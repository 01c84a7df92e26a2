import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  BACKUPS,
  BackupRefused,
  BLOB_LIST,
  BLOBS,
  blobFile,
  isBackupId,
  MANIFEST,
  type Manifest,
  parseManifest,
  tableFile,
} from './format.ts';
import { blobLine, parseBlobLine, readLines } from './lines.ts';
import { measuring } from './part-file.ts';
import type { Place } from './places/place.ts';

/** Kinds of the files of a backup: tables of the database, or files of the site. */
export type PartKind = 'database' | 'blobs';

/** One file of a backup. It is read to its end before the next file is requested. */
type BackupFile = { name: string; stream: Readable };

/** A backup that can be read, as often as needed. */
export type BackupSource = {
  label: string;
  manifest: Manifest;
  files(kind: PartKind): AsyncIterable<BackupFile>;
};

const damaged = (source: Pick<BackupSource, 'label'>, name: string): BackupRefused =>
  new BackupRefused(`The backup ${source.label} is damaged: ${name} is not what was written. Use another backup.`);

/** The names of the files of the database, with their expected length and hash. */
export const partsOf = ({ blobList, tables }: Manifest): Map<string, { bytes: number; sha256: string }> =>
  new Map([[BLOB_LIST, blobList] as const, ...tables.map((table) => [tableFile(table.name), table] as const)]);

/**
 * Reads the files of one kind to the end, and throws BackupRefused unless they match the manifest. `use` gets each file while it is checked, so its
 * results are valid only once this function returns.
 */
export async function readFiles(
  source: BackupSource,
  kind: PartKind,
  use: (name: string, stream: Readable) => Promise<void> = (_name, stream) => drain(stream),
): Promise<void> {
  const { manifest } = source;
  const expected = partsOf(manifest);
  const list = createHash('sha256');
  for await (const { name, stream } of source.files(kind)) {
    const part = expected.get(name);
    if (kind === 'database' && !part) throw damaged(source, name);
    expected.delete(name);
    const checked = measuring((found) => {
      const wanted = part?.sha256 ?? name.slice(name.lastIndexOf('/') + 1);
      if (found.sha256 !== wanted) throw damaged(source, name);
      if (!part) list.update(`${blobLine(found.sha256, found.bytes)}\n`);
    });
    await Promise.all([pipeline(stream, checked), use(name, checked)]);
  }
  const [missing] = kind === 'database' ? expected.keys() : [];
  if (missing !== undefined) throw damaged(source, missing);
  if (kind === 'blobs' && list.digest('hex') !== manifest.blobs.sha256) throw damaged(source, 'the set of its files');
}

async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream);
}

/** The ids of the backups at a place, the oldest first: whole backups with a manifest, and unfinished ones without. */
export async function listBackups(place: Place): Promise<{ whole: string[]; unfinished: string[] }> {
  const [whole, all] = [new Set<string>(), new Set<string>()];
  for await (const { key } of place.list(BACKUPS)) {
    const [id = '', ...rest] = key.slice(BACKUPS.length).split('/');
    if (!isBackupId(id)) continue;
    all.add(id);
    if (rest.join('/') === MANIFEST) whole.add(id);
  }
  return { whole: [...whole].sort(), unfinished: [...all].filter((id) => !whole.has(id)).sort() };
}

/** Opens a backup at a place, the newest unless `id` names one. Throws BackupRefused when there is no such backup. */
export async function openBackup(place: Place, id?: string): Promise<BackupSource> {
  const { whole, unfinished } = await listBackups(place);
  const wanted = id ?? whole.at(-1);
  if (wanted === undefined) throw new BackupRefused(`There is no backup in ${place.label}.`);
  if (!whole.includes(wanted)) {
    const known = whole.length === 0 ? 'There is none.' : `There are: ${whole.slice(-10).join(', ')}.`;
    const what = unfinished.includes(wanted) ? 'was never finished' : 'is not there';
    throw new BackupRefused(`The backup ${wanted} ${what} in ${place.label}. ${known}`);
  }
  const label = `${wanted} in ${place.label}`;
  const stream = await place.open(`${BACKUPS}${wanted}/${MANIFEST}`);
  if (!stream) throw new BackupRefused(`The backup ${label} is gone.`);
  return sourceAt(place, parseManifest(await text(stream), label));
}

/** The source of the backup with this manifest at a place. */
export function sourceAt(place: Place, manifest: Manifest): BackupSource {
  const label = `${manifest.id} in ${place.label}`;
  const open = async (key: string): Promise<Readable> => {
    const stream = await place.open(key);
    if (!stream) throw new BackupRefused(`The backup ${label} is damaged: ${key} is missing. Use another backup.`);
    return stream;
  };
  const folder = `${BACKUPS}${manifest.id}/`;
  return {
    label,
    manifest,
    async *files(kind) {
      if (kind === 'database') {
        for (const name of partsOf(manifest).keys()) yield { name, stream: await open(folder + name) };
        return;
      }
      for await (const line of readLines(await open(folder + BLOB_LIST))) {
        const name = blobFile(parseBlobLine(line).hash);
        yield { name, stream: await open(name) };
      }
    },
  };
}

/** Opens an archive. Throws BackupRefused when the file is no backup. */
export async function openArchive(path: string): Promise<BackupSource> {
  const { readTar } = await import('./places/tar.ts');
  for await (const { name, stream } of readTar(path)) {
    if (name !== MANIFEST) break;
    const manifest = parseManifest(await text(stream), path);
    return {
      label: path,
      manifest,
      async *files(kind) {
        for await (const file of readTar(path)) {
          const isBlob = file.name.startsWith(BLOBS);
          // The files of the site come last.
          if (isBlob && kind === 'database') return;
          if (isBlob === (kind === 'blobs') && file.name !== MANIFEST) yield file;
          else await drain(file.stream);
        }
      },
    };
  }
  throw new BackupRefused(`${path} is no backup: it does not begin with a manifest.`);
}
