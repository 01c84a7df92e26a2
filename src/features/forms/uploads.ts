import { type Kernel, ReceivedBytes, type StoredFile, storedFiles } from '#core';
import { isJsonObject } from '#lib/json-object';
import { BrokenFileText, fileBytes } from '#lib/text/file-text';

/** A submitted file: its bytes, or its reference to bytes that are in the blob store already, and the facts from the client. */
export type Upload = { source: Buffer | ReceivedBytes; size: number; filename: string; declaredType: string };

/** Thrown for an invalid file of a form; the message says which files are valid. */
export class UnfitFile extends Error {}

/** Maximum number of files of one field. */
const MAX_FILES = 20;
/** `data:image/png;name=a.png;base64,…` (RFC 2397); of its parameters only the name of the file counts. */
const DATA_URI = /^data:([^;,]{0,255})((?:;[^;,]{0,300}){0,5});base64,/i;

function bytesOf(data: string, encoding: unknown): Buffer {
  try {
    return fileBytes(data, encoding);
  } catch (error) {
    throw error instanceof BrokenFileText ? new UnfitFile(error.message) : error;
  }
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

const FORM_OF_FILE = 'Must be an object with data, encoding, filename and content-type, or a data URI.';

function parseUpload(sent: unknown, field: string): Upload {
  const { data, encoding, filename, 'content-type': declared } = isJsonObject(sent) ? sent : { data: sent };
  if (data instanceof ReceivedBytes)
    return {
      ...{ source: data, size: data.size, filename: storedFiles.cleanName(filename) },
      declaredType: storedFiles.cleanMediaType(field, declared),
    };
  if (typeof data !== 'string') throw new UnfitFile(FORM_OF_FILE);
  const uri = DATA_URI.exec(data);
  if (!isJsonObject(sent) && !uri) throw new UnfitFile(FORM_OF_FILE);
  const source = uri ? bytesOf(data.slice(uri[0].length), 'base64') : bytesOf(data, encoding);
  return {
    ...{ source, size: source.length, filename: storedFiles.cleanName(filename ?? namedIn(uri?.[2] ?? '')) },
    declaredType: storedFiles.cleanMediaType(field, declared ?? uri?.[1]),
  };
}

/** The files of one field: one, or a list. Throws UnfitFile, and ValidationFailed for an invalid media type. */
export function parseUploads(value: unknown, field: string): Upload[] {
  const items = Array.isArray(value) ? value : [value];
  if (items.length > MAX_FILES) throw new UnfitFile(`Has more than ${MAX_FILES} items.`);
  return items.map((item) => parseUpload(item, field)).filter(({ size }) => size > 0);
}

/** Stores files that are not stored yet, before the transaction that will refer to them. Their media types are detected from their bytes. */
export async function storeUploads(blobs: Kernel['blobs'], uploads: readonly Upload[]): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const { source, filename, declaredType } of uploads) {
    const blob = source instanceof ReceivedBytes ? { hash: source.hash, size: source.size } : await blobs.put(source);
    const known = source instanceof ReceivedBytes ? blob : { ...blob, bytes: source };
    stored.push({ ...blob, filename, 'content-type': await storedFiles.sniff(blobs, known, declaredType, filename) });
  }
  return stored;
}
