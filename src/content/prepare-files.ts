import { measureImage } from '../images/measure-image.ts';
import { ValidationFailed } from '../lib/errors.ts';
import { sniffMediaType } from '../lib/media-type.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import type { ContentType } from '../types/content-type.ts';
import { PreparedFile } from '../types/field-kind.ts';
import type { FieldKinds } from '../types/field-kinds.ts';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Bytes of a file by which its media type is recognised. */
const SNIFFED_BYTES = 1024;

/** Throws the problem of one field, as a failed validation. */
function reject(field: string, message: string): never {
  throw new ValidationFailed([{ field, message }]);
}

function decode(field: string, data: unknown, encoding: unknown): Buffer {
  if (typeof data !== 'string') reject(field, 'The data of a file must be a string.');
  if (encoding !== undefined && encoding !== 'base64') reject(field, 'The encoding of a file must be "base64".');
  const compact = data.replace(/\s+/g, '');
  if (!BASE64.test(compact)) reject(field, 'The data of the file is not base64.');
  return Buffer.from(compact, 'base64');
}

/** A file name without folders and control characters; `file` when nothing is left. */
export function cleanFilename(filename: unknown): string {
  if (typeof filename !== 'string' || !filename.isWellFormed()) return 'file';
  const last = filename.split(/[/\\]/).at(-1) ?? '';
  // Cutting may split a character in two, and half of one cannot be stored.
  return (
    last
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, 255)
      .toWellFormed() || 'file'
  );
}

/** A media type without parameters, in lower case; `application/octet-stream` when none was given. */
export function cleanMediaType(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return 'application/octet-stream';
  const type = typeof value === 'string' ? (value.split(';')[0] ?? '').trim().toLowerCase() : '';
  if (!MEDIA_TYPE.test(type)) reject(field, 'The content-type of the file is not a media type such as image/png.');
  return type;
}

/**
 * Stores the files of a request, before the transaction that will refer to them: each file value
 * `{data, encoding, filename, content-type}` becomes a PreparedFile. Empty data becomes null, which removes the file.
 * The caller must have the right to write here. Throws ValidationFailed.
 */
export async function prepareFiles(
  { blobs, fieldKinds }: { blobs: BlobStore; fieldKinds: FieldKinds },
  type: ContentType,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const prepared = { ...input };
  for (const field of type.fields) {
    const { holds } = fieldKinds.of(field);
    const value = input[field.name];
    if (!holds || typeof value !== 'object' || value === null || !('data' in value)) continue;
    const { data, encoding, filename, 'content-type': contentType } = value as Record<string, unknown>;
    const bytes = data === null ? Buffer.alloc(0) : decode(field.name, data, encoding);
    if (bytes.length === 0) {
      prepared[field.name] = null;
      continue;
    }
    const name = cleanFilename(filename);
    const declared = cleanMediaType(field.name, contentType);
    // What the bytes are decides where they and the declaration differ: a drawing with scripts is no PNG.
    const mediaType = sniffMediaType(bytes.subarray(0, SNIFFED_BYTES), declared, name);
    const stored = { ...(await blobs.put(bytes)), filename: name, 'content-type': mediaType };
    const size = holds === 'image' ? ((await measureImage(bytes)) ?? { width: -1, height: -1 }) : undefined;
    prepared[field.name] = new PreparedFile(size ? { ...stored, width: size.width, height: size.height } : stored);
  }
  return prepared;
}
