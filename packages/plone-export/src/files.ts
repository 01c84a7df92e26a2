import path from 'node:path';
import {
  type ExportedFile,
  type ExportFolder,
  isJsonObject,
  type JsonObject,
  numberOrNull,
  type ProblemLog,
  type ProblemReason,
  stringOf,
  stringOrNull,
} from '@canopy-server/site-reader';

/** Folders that `blob_path` can be relative to, depending on the version of the format; tried in this order. */
const BLOB_FOLDERS = ['.', 'content', 'blobs', 'blobstorage'];

/** True if the export has the file of a value: at `blob_path`, or as base64 in `data` (rich text is not base64). */
export function hasFileContent(value: unknown): value is JsonObject {
  return isJsonObject(value) && (typeof value.blob_path === 'string' || isBase64(value));
}

/** True if a field's value is a file, also when only its `download` address on the old site is left. */
export function isFileValue(value: unknown): value is JsonObject {
  if (hasFileContent(value)) return true;
  return isJsonObject(value) && typeof value.download === 'string' && 'filename' in value && 'content-type' in value;
}

function isBase64(value: JsonObject): boolean {
  return typeof value.data === 'string' && value.encoding === 'base64';
}

/**
 * Parses the value of a file field and locates the file. A missing file is reported and becomes an entry without
 * content.
 */
export async function parseFile(
  field: string,
  value: JsonObject,
  contentPath: string,
  folder: ExportFolder,
  problems: ProblemLog,
): Promise<ExportedFile> {
  const report = (message: string, reason: ProblemReason = 'file'): void => {
    problems.add({ reason, path: contentPath, key: field, message: `Field ${field}: ${message}` });
  };
  const blobPath = stringOrNull(value.blob_path);
  const declared = numberOrNull(value.size);
  const base64 = isBase64(value) ? stringOf(value.data) : null;
  const onDisk = blobPath === null ? null : await findBlob(blobPath, folder, report);
  if (blobPath === null && base64 === null) report('the export holds neither blob_path nor data of the file.');
  if (onDisk && declared !== null && declared !== onDisk.size)
    report(`${blobPath} has ${onDisk.size} bytes, the export says ${declared}.`, 'changed');
  const [width, height] = [numberOrNull(value.width), numberOrNull(value.height)];
  return {
    field,
    path: onDisk?.path ?? null,
    ...(onDisk === null && base64 !== null ? { base64 } : {}),
    filename: baseName(stringOrNull(value.filename)) ?? (blobPath === null ? field : path.posix.basename(blobPath)),
    contentType: stringOrNull(value['content-type']) ?? 'application/octet-stream',
    size: onDisk?.size ?? declared,
    ...(width !== null && width > 0 ? { width } : {}),
    ...(height !== null && height > 0 ? { height } : {}),
  };
}

async function findBlob(
  blobPath: string,
  folder: ExportFolder,
  report: (message: string) => void,
): Promise<{ path: string; size: number } | null> {
  if (!folder.isInside(blobPath)) {
    report(`blob_path ${JSON.stringify(blobPath)} leads out of the export and is refused.`);
    return null;
  }
  for (const base of BLOB_FOLDERS) {
    const found = await folder.locate(path.join(base, blobPath));
    if (found) return found;
  }
  report(`the file ${blobPath} is missing in the export.`);
  return null;
}

/** The last part of a file name: old browsers sent the whole path of the user's file, and Plone stored it. */
function baseName(filename: string | null): string | null {
  return stringOrNull(filename?.split(/[/\\]/).at(-1));
}
