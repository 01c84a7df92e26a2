import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { cleanFilename, cleanMediaType } from '../../content/prepare-files.ts';
import { measureImage } from '../../images/measure-image.ts';
import { ValidationFailed } from '../../lib/errors.ts';
import type { BlobInfo } from '../../storage/blob-store.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { isFileError } from './export-folder.ts';
import type { ImportJob } from './import-run.ts';
import type { ImportFile, ImportItem } from './import-source.ts';

/**
 * Stores the files of an object; in a dry run only their hashes are made. Answers them by the names of their fields. Files
 * that cannot be read are told and left out.
 */
export async function storeFiles(
  job: ImportJob,
  item: ImportItem,
  type: ContentType,
): Promise<Map<string, StoredFile>> {
  const stored = new Map<string, StoredFile>();
  for (const file of item.files) {
    const found = await storeFile(job, item.path, file, holdsImage(job, type, file));
    if (found) stored.set(file.field, found);
  }
  return stored;
}

/** A file that no field takes is measured when it calls itself a picture: whoever adds the field later finds it complete. */
function holdsImage({ kernel }: ImportJob, type: ContentType, { field, contentType }: ImportFile): boolean {
  const own = type.fieldByName.get(field);
  return own ? kernel.fieldKinds.of(own).holds === 'image' : contentType.startsWith('image/');
}

async function storeFile(
  job: ImportJob,
  path: string,
  file: ImportFile,
  isImage: boolean,
): Promise<StoredFile | undefined> {
  const { kernel, dryRun, report } = job;
  const tell = (message: string) => report.problem({ path, message: `Field ${file.field}: ${message}` });
  const source = await openFile(file, tell);
  // That there is no file has been told by whoever read the export.
  if (source === undefined) return undefined;
  const info = dryRun ? await hashOf(source.bytes) : await kernel.blobs.put(source.bytes);
  const stored = {
    ...info,
    filename: cleanFilename(file.filename),
    'content-type': mediaTypeOf(file, tell),
  };
  if (!isImage) return stored;
  const { width, height } = (await measureImage(source.again)) ?? { width: -1, height: -1 };
  return { ...stored, width, height };
}

/** The bytes once as they are stored, and again for whoever measures them. */
type OpenFile = { bytes: Readable | Uint8Array; again: string | Buffer };

async function openFile({ path, base64 }: ImportFile, tell: (message: string) => void): Promise<OpenFile | undefined> {
  if (path === null) {
    if (base64 === undefined) return undefined;
    const bytes = Buffer.from(base64, 'base64');
    return { bytes, again: bytes };
  }
  try {
    const handle = await open(path, 'r');
    return { bytes: handle.createReadStream(), again: path };
  } catch (error) {
    // Only the export's own file is meant here: a failure of the blob store must end the import.
    if (!isFileError(error)) throw error;
    tell(`the file cannot be read: ${error.message}`);
    return undefined;
  }
}

function mediaTypeOf({ field, contentType }: ImportFile, tell: (message: string) => void): string {
  try {
    return cleanMediaType(field, contentType);
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    tell(`${JSON.stringify(contentType.slice(0, 100))} is no media type; it becomes application/octet-stream.`);
    return 'application/octet-stream';
  }
}

/** The address that the blob store would give the bytes. */
async function hashOf(bytes: Readable | Uint8Array): Promise<BlobInfo> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes instanceof Readable ? bytes : [bytes]) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { hash: hash.digest('hex'), size };
}
