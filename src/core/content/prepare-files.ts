import { buffer } from 'node:stream/consumers';
import { ValidationFailed } from '../../lib/errors.ts';
import { sniffMediaType } from '../../lib/http/media-type.ts';
import { isJsonObject, type JsonObject, omit } from '../../lib/json-object.ts';
import { BrokenFileText, fileBytes, LARGE_FILE_TEXT } from '../../lib/text/file-text.ts';
import type { BlobInfo, BlobStore } from '../files/blobs/blob-store.ts';
import type { Size } from '../files/images/image-scales.ts';
import { measureImage } from '../files/images/measure-image.ts';
import type { ContentType } from '../types/content-type.ts';
import { PreparedFile, ReceivedBytes } from '../types/field-kind.ts';
import type { FieldKinds } from '../types/field-kinds.ts';

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Bytes of a file by which its media type is recognised. */
const SNIFFED_BYTES = 1024;
/** Bytes of the largest picture that is measured: a decoder may have to read all of it. */
const MAX_MEASURED_BYTES = 256 * 1024 * 1024;

/** Throws the problem of one field, as a failed validation. */
function reject(field: string, message: string): never {
  throw new ValidationFailed([{ field, message }]);
}

/** Bytes in the blob store; a small number of bytes also in memory. */
type StoredBytes = BlobInfo & { bytes?: Buffer };

function bytesOf(field: string, data: string, encoding: unknown): Buffer {
  try {
    return fileBytes(data, encoding);
  } catch (error) {
    if (error instanceof BrokenFileText) return reject(field, error.message);
    throw error;
  }
}

/** The bytes of a file value; undefined for a value without bytes. */
async function storedBytes(
  blobs: BlobStore,
  field: string,
  { data, encoding }: JsonObject,
): Promise<StoredBytes | undefined> {
  if (data === null) return undefined;
  if (data instanceof ReceivedBytes)
    return data.wasBase64 && encoding !== 'base64' ? reject(field, LARGE_FILE_TEXT) : data;
  if (typeof data !== 'string') reject(field, 'The data of a file must be a string.');
  const bytes = bytesOf(field, data, encoding);
  return bytes.length === 0 ? undefined : { ...(await blobs.put(bytes)), bytes };
}

/** The base64 text that a client sent, for received bytes that are no file. */
const asText = async (blobs: BlobStore, { hash }: ReceivedBytes): Promise<string> =>
  (await buffer(await blobs.open(hash))).toString('base64');

/** A file name without folders and control characters; `file` when nothing is left. */
export function cleanFilename(filename: unknown): string {
  if (typeof filename !== 'string' || !filename.isWellFormed()) return 'file';
  const last = filename.split(/[/\\]/).at(-1) ?? '';
  // Cutting may split a character, and a half character cannot be stored.
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

/** The size of a picture in pixels; -1 when it cannot be read. */
async function measured(blobs: BlobStore, { hash, size, bytes }: StoredBytes): Promise<Size> {
  const picture = size <= MAX_MEASURED_BYTES ? await measureImage(bytes ?? (await blobs.open(hash))) : undefined;
  return { width: picture?.width ?? -1, height: picture?.height ?? -1 };
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
  for (const { name, kind } of fieldKinds.fieldsOf(type)) {
    const { holds } = kind;
    const value = input[name];
    if (!isJsonObject(value) || !('data' in value)) continue;
    if (!holds) {
      if (value.data instanceof ReceivedBytes) prepared[name] = { ...value, data: await asText(blobs, value.data) };
      continue;
    }
    const stored = await storedBytes(blobs, name, value);
    if (!stored) {
      prepared[name] = null;
      continue;
    }
    const { hash, size } = stored;
    const filename = cleanFilename(value.filename);
    const declared = cleanMediaType(name, value['content-type']);
    // If the bytes contradict the declared type, the bytes decide: a drawing with scripts is not a PNG.
    const mediaType = await sniffStored(blobs, stored, declared, filename);
    prepared[name] = new PreparedFile(
      {
        ...{ hash, size, filename, 'content-type': mediaType },
        ...(holds === 'image' ? await measured(blobs, stored) : {}),
      },
      omit(value, (key) => key === 'data'),
    );
  }
  return prepared;
}

/** The media type of a blob by its first bytes, by the declared type and by the name of the file. */
export const sniffStored = async (
  blobs: BlobStore,
  stored: StoredBytes,
  declared: string | undefined,
  filename: string | undefined,
): Promise<string> => sniffMediaType(await headOf(blobs, stored), declared, filename);

/** The first bytes of a blob. */
async function headOf(blobs: BlobStore, { hash, size, bytes }: StoredBytes): Promise<Uint8Array> {
  if (bytes) return bytes.subarray(0, SNIFFED_BYTES);
  return size === 0 ? new Uint8Array() : buffer(await blobs.open(hash, { start: 0, end: SNIFFED_BYTES - 1 }));
}
