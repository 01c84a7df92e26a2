import { cleanFilename, cleanMediaType } from '../../content/prepare-files.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { sniffMediaType } from '../../lib/media-type.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { StoredFile } from '../../types/field-kind.ts';

/** A file that was sent, and is not stored yet. */
export type Upload = { bytes: Buffer; filename: string; contentType: string };

/** A file of a form does not fit; the message says what does. */
export class UnfitFile extends Error {}

/** Most files of one field. */
const MAX_FILES = 20;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** `data:image/png;name=a.png;base64,…` (RFC 2397); of its parameters only the name of the file counts. */
const DATA_URI = /^data:([^;,]{0,255})((?:;[^;,]{0,300}){0,5});base64,/i;
/** Bytes of a file by which its media type is recognised. */
const SNIFFED_BYTES = 1024;

function bytesOf(data: string): Buffer {
  const compact = data.replace(/\s+/g, '');
  if (!BASE64.test(compact)) throw new UnfitFile('The data of the file is not base64.');
  return Buffer.from(compact, 'base64');
}

/** The name of a file in the parameters of a data URI. */
function namedIn(parameters: string): string | undefined {
  const name = /;(?:file)?name=([^;]*)/i.exec(parameters)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

function parseUpload(sent: unknown, field: string): Upload {
  const { data, encoding, filename, 'content-type': declared } = isJsonObject(sent) ? sent : { data: sent };
  if (typeof data !== 'string' || (encoding !== undefined && encoding !== 'base64'))
    throw new UnfitFile('Must be an object with data, encoding "base64", filename and content-type, or a data URI.');
  const uri = DATA_URI.exec(data);
  if (!isJsonObject(sent) && !uri)
    throw new UnfitFile('Must be an object with data, encoding "base64", filename and content-type, or a data URI.');
  const bytes = bytesOf(uri ? data.slice(uri[0].length) : data);
  const name = cleanFilename(filename ?? namedIn(uri?.[2] ?? ''));
  const type = cleanMediaType(field, declared ?? uri?.[1]);
  return { bytes, filename: name, contentType: sniffMediaType(bytes.subarray(0, SNIFFED_BYTES), type, name) };
}

/** The files of one field: one, or a list. Throws UnfitFile, and ValidationFailed for a media type that is none. */
export function parseUploads(value: unknown, field: string): Upload[] {
  const items = Array.isArray(value) ? value : [value];
  if (items.length > MAX_FILES) throw new UnfitFile(`Has more than ${MAX_FILES} items.`);
  return items.map((item) => parseUpload(item, field)).filter(({ bytes }) => bytes.length > 0);
}

/** Stores files, before the transaction that will refer to them. */
export async function storeUploads(blobs: BlobStore, uploads: readonly Upload[]): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const { bytes, filename, contentType } of uploads)
    stored.push({ ...(await blobs.put(bytes)), filename, 'content-type': contentType });
  return stored;
}
