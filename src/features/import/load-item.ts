import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type ExportedFile, type ExportedItem, isEmptyValue, isFileError } from '@canopy-server/site-reader';
import { type ContentType, contentPath, type StoredFile, storedFiles } from '#core';
import { ValidationFailed } from '#lib/errors';
import { constrainsOf, layoutOf, reportSettings, stateOf } from './content-rows.ts';
import type { ImportReason } from './import-reasons.ts';
import type { ImportJob, ImportRun } from './import-run.ts';
import type { PlannedObject } from './planned-object.ts';
import { cleanTexts } from './storable-text.ts';

/** An exported object that is ready to be written: its texts are clean, its files are stored, the site has its type. */
export type LoadedItem = {
  planned: PlannedObject;
  name: string;
  item: ExportedItem;
  type: ContentType;
  files: ReadonlyMap<string, StoredFile>;
  /** Those of each older version. */
  versionFiles: readonly ReadonlyMap<string, StoredFile>[];
  reviewState: string | null;
  layout: string | null;
  constrains: ReturnType<typeof constrainsOf>;
};

/**
 * Prepares an exported object for writing and reports what has to change. Returns undefined when it cannot be imported.
 */
export async function loadItem(
  run: ImportRun,
  planned: PlannedObject,
  exported: ExportedItem,
): Promise<LoadedItem | undefined> {
  const { report, typeOf } = run;
  const { path } = exported;
  const type = typeOf(exported.type);
  if (!type) {
    report.add({
      reason: 'object',
      path,
      message: `There is no content type ${exported.type}: the object is left out.`,
    });
    return undefined;
  }
  if (Buffer.byteLength(planned.path) > contentPath.MAX_BYTES) {
    report.add({
      reason: 'object',
      path: path.slice(0, 300),
      message: `Its path has more than ${contentPath.MAX_BYTES} bytes: the object is left out.`,
    });
    return undefined;
  }
  if (planned.children > 0 && !type.folderish) {
    report.note({
      reason: 'changed',
      path,
      key: 'is_folderish',
      message: `Content of the type ${type.id} is no container here: what the export has in it is kept, but not listed.`,
    });
  }
  reportSettings(run, exported);
  reportDrawing(run, exported);
  const files = await storeFiles(run, path, exported.files, type);
  const versionFiles: Map<string, StoredFile>[] = [];
  for (const version of exported.versions) versionFiles.push(await storeFiles(run, path, version.files, type));
  const light = {
    ...exported,
    files: withoutBytes(exported.files),
    versions: exported.versions.map((version) => ({ ...version, files: withoutBytes(version.files) })),
  };
  const item = cleanTexts(light);
  if (item !== light)
    report.add({ reason: 'changed', path, message: 'Characters that cannot be stored were replaced by U+FFFD.' });
  return {
    planned,
    name: contentPath.names(planned.path).at(-1) ?? '',
    item,
    type,
    files,
    versionFiles,
    reviewState: stateOf(run, item, type),
    layout: layoutOf(run, item, type),
    constrains: constrainsOf(run, item),
  };
}

/** Reports an object that is shown by a product of Plone which draws its layout or its form from values of its own. */
function reportDrawing({ report }: ImportRun, { path, type, layout, fields }: ExportedItem): void {
  const drawn = (key: string, message: string) => report.note({ reason: 'unsupported', path, key, message });
  if (layout === 'layout_view' || !isEmptyValue(fields.customContentLayout))
    drawn(
      'layout',
      'It is drawn by Mosaic, which Canopy does not have: title and text show, the layout does not. Build it anew with blocks.',
    );
  if (type === 'EasyForm')
    drawn(
      'type',
      'It is drawn by EasyForm, which Canopy does not have: title and description show, the form does not. Make a form with the block schemaForm.',
    );
}

/** Files that are stored: their base64 would take memory until the batch is written. */
const withoutBytes = (files: readonly ExportedFile[]): ExportedFile[] => files.map(({ base64: _, ...file }) => file);

/** The substitute for a container that is missing in the export: an empty folder with its id as the title. */
export function missingContainer(
  { typeOf, report }: ImportRun,
  { exported: { uid, path } }: PlannedObject,
): ExportedItem {
  const type = typeOf('Folder')?.id ?? typeOf('Document')?.id ?? 'Folder';
  report.add({
    reason: 'container',
    path,
    message: `The container is not in the export; it is made as an empty ${type}.`,
  });
  const id = contentPath.names(path).at(-1) ?? '';
  return {
    ...{ uid, path, type, id, parentPath: null, position: null, fields: { title: id }, given: [], terms: {} },
    ...{ created: null, modified: null, effective: null, expires: null, reviewState: null, workflowHistory: [] },
    ...{
      owner: null,
      creators: [],
      language: null,
      layout: null,
      isFolderish: true,
      localRoles: {},
      blockLocalRoles: false,
    },
    ...{ localPermissions: {}, files: [], constrains: null, defaultPage: null, typeTitle: null },
    ...{ versions: [], change: { note: '', actor: null } },
  };
}

/**
 * Stores the files of an object or of one of its versions and returns them by the names of their fields; a dry run only computes their hashes.
 * Files that cannot be read are reported and left out.
 */
async function storeFiles(
  job: ImportJob,
  path: string,
  files: readonly ExportedFile[],
  type: ContentType,
): Promise<Map<string, StoredFile>> {
  const stored = new Map<string, StoredFile>();
  for (const file of files) {
    const found = await storeFile(job, path, file, holdsImage(job, type, file));
    if (found) stored.set(file.field, found);
  }
  return stored;
}

/** Says if a file is a picture, which is then measured. Without a field the media type decides, in case the field is added later. */
export function holdsImage(
  { kernel }: Pick<ImportJob, 'kernel'>,
  type: ContentType,
  { field, contentType }: ExportedFile,
): boolean {
  const own = type.fieldByName.get(field);
  return own ? kernel.fieldKinds.of(own).holds === 'image' : contentType.startsWith('image/');
}

/** Stores a file of the export and returns its description; undefined when it cannot be read, which is reported. */
export async function storeFile(
  job: Pick<ImportJob, 'kernel' | 'dryRun' | 'report'>,
  path: string,
  file: ExportedFile,
  isImage: boolean,
): Promise<StoredFile | undefined> {
  const { kernel, dryRun } = job;
  const report = (message: string, reason: ImportReason = 'file') =>
    job.report.add({ reason, path, key: file.field, message: `Field ${file.field}: ${message}` });
  const source = await openFile(file, report);
  // The reader of the export has reported the missing file already.
  if (source === undefined) return undefined;
  const info = dryRun ? await hashOf(source.bytes) : await kernel.blobs.put(source.bytes);
  const stored = {
    ...info,
    filename: storedFiles.cleanName(file.filename),
    'content-type': mediaTypeOf(file, report),
  };
  if (!isImage) return stored;
  const { width, height } = (await storedFiles.measure(source.again)) ?? { width: -1, height: -1 };
  return { ...stored, width, height };
}

/** The bytes to be stored, and the same file again to measure it. */
type OpenFile = { bytes: Readable | Uint8Array; again: string | Buffer };

async function openFile(
  { path, base64 }: ExportedFile,
  report: (message: string, reason?: ImportReason) => void,
): Promise<OpenFile | undefined> {
  if (path === null) {
    if (base64 === undefined) return undefined;
    const bytes = Buffer.from(base64, 'base64');
    return { bytes, again: bytes };
  }
  try {
    const handle = await open(path, 'r');
    return { bytes: handle.createReadStream(), again: path };
  } catch (error) {
    // Only failures of the export's own file are handled here: a failure of the blob store must end the import.
    if (!isFileError(error)) throw error;
    report(`the file cannot be read: ${error.message}`);
    return undefined;
  }
}

function mediaTypeOf(
  { field, contentType }: ExportedFile,
  report: (message: string, reason: ImportReason) => void,
): string {
  try {
    return storedFiles.cleanMediaType(field, contentType);
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    report(
      `${JSON.stringify(contentType.slice(0, 100))} is no media type; it becomes application/octet-stream.`,
      'changed',
    );
    return 'application/octet-stream';
  }
}

/** The hash and size that the blob store would return for the bytes. */
async function hashOf(bytes: Readable | Uint8Array): Promise<storedFiles.BlobInfo> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes instanceof Readable ? bytes : [bytes]) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { hash: hash.digest('hex'), size };
}
