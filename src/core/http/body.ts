import type { Readable } from 'node:stream';
import { BadRequest, UnsupportedMediaType } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { countValues, parseJson, ValueCounter } from '../../lib/schema/bounded-json.ts';
import { ByteSource } from './byte-source.ts';
import { receiveJsonWithFiles, type StoreFile } from './json-files.ts';

/** Texts that a form may have. */
export const MAX_FIELDS = 1000;

/** Minimum bytes of a body whose files are stored as they come; smaller bodies are parsed at once. */
const MIN_STREAMED_BYTES = 1024 * 1024;

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new BadRequest('The body is not UTF-8.', 'DeserializationError');
    throw error;
  }
}

/** The headers of a body, and its limits: `limit` in bytes. */
export type BodyOptions = {
  method: string;
  contentType: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  limit: number;
  /** Maximum number of values in its JSON at all depths. */
  maxValues: number;
  /** Stores the files of large bodies as they come; without this function the whole body is in memory. */
  storeFile?: StoreFile | undefined;
};

/** Opens a body within its limit. Throws PayloadTooLarge, and UnsupportedMediaType for a compressed body. */
export function sourceOf(
  stream: Readable,
  mediaType: string,
  { contentLength, contentEncoding, limit }: Omit<BodyOptions, 'method' | 'maxValues'>,
): ByteSource {
  if (contentEncoding !== undefined && contentEncoding !== 'identity')
    throw new UnsupportedMediaType(`${mediaType} encoded as ${contentEncoding.slice(0, 100)}`);
  return new ByteSource(stream, { limit, announced: contentLength === undefined ? undefined : Number(contentLength) });
}

/** Media types of JSON. A body without a type is parsed as JSON as well. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]{1,100}\+)?json|)$/;

/** Volto sends the JSON of its PUT requests with the media type of forms, so PUT accepts it. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Parses a text of JSON whose values have been counted. Throws BadRequest when it is not an object. */
function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new BadRequest('The body must be a JSON object.', 'DeserializationError');
  return value;
}

/**
 * Parses the JSON object in the body of a request; an empty one when there is no body. `limit` is in bytes. With `storeFile`
 * the files in a large body are put into the blob store as they come, see `receiveJsonWithFiles`. Throws BadRequest (no
 * JSON, no object), PayloadTooLarge or UnsupportedMediaType.
 */
export async function parseJsonBody(stream: Readable, options: BodyOptions): Promise<JsonObject> {
  const { method, contentType, storeFile, maxValues } = options;
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase();
  const isJson = JSON_TYPE.test(mediaType) || (method === 'PUT' && mediaType === FORM_TYPE);
  const source = sourceOf(stream, mediaType, options);
  const counter = new ValueCounter(maxValues);
  try {
    const { bytes, ended } = await source.take(storeFile ? MIN_STREAMED_BYTES : Number.POSITIVE_INFINITY, (piece) => {
      if (isJson) counter.add(piece);
    });
    const text = ended ? decodeText(bytes) : undefined;
    if (text?.trim() === '') return {};
    if (!isJson) throw new UnsupportedMediaType(mediaType.slice(0, 100));
    if (text !== undefined || !storeFile) return parseJsonObject(text ?? '');
    source.pushBack(bytes);
    return await receiveJsonWithFiles(source, storeFile, (rest) => {
      countValues(rest, maxValues);
      return parseJsonObject(decodeText(rest));
    });
  } catch (error) {
    source.skip();
    throw error;
  }
}

/** Says if a body is a form with files. */
export const isForm = (contentType: string | undefined): boolean =>
  (contentType?.split(';', 1)[0] ?? '').trim().toLowerCase() === 'multipart/form-data';

/** The boundary in the media type of a form (RFC 2046). */
const BOUNDARY = /;\s*boundary=("?)([\w'()+,./:=? -]{1,70})\1\s*(?:;|$)/i;

/** Throws BadRequest when a form has too many parts, before the parser makes an object of each part. */
function checkParts(bytes: Buffer, boundary: string): void {
  const delimiter = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    parts += 1;
    // The last delimiter ends the form.
    if (parts > MAX_FIELDS + 1) throw new BadRequest(`A form may have ${MAX_FIELDS} parts at most.`);
  }
}

/**
 * Parses a form into an object: the texts of its parts, files included, by their names; of two parts with the same name
 * the last one counts. `limit` is in bytes. Throws BadRequest for malformed forms and other encodings than UTF-8,
 * PayloadTooLarge and UnsupportedMediaType.
 */
export async function parseFormBody(
  stream: Readable,
  options: Omit<BodyOptions, 'method' | 'maxValues'> & { contentType: string },
): Promise<JsonObject> {
  const boundary = BOUNDARY.exec(options.contentType)?.[2];
  const { bytes } = await sourceOf(stream, 'multipart/form-data', options).take(Number.POSITIVE_INFINITY);
  if (boundary === undefined)
    throw new BadRequest('The media type of the form has no boundary.', 'DeserializationError');
  checkParts(bytes, boundary);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const type = `multipart/form-data; boundary="${boundary}"`;
    const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
    const parts: [string, string][] = [];
    for (const [name, part] of form) {
      parts.push([name, typeof part === 'string' ? part : decoder.decode(await part.arrayBuffer())]);
    }
    return Object.fromEntries(parts);
  } catch (error) {
    // Both the parser of the platform and the decoder report malformed data by a TypeError.
    if (error instanceof TypeError) throw new BadRequest('The body is no form in UTF-8.', 'DeserializationError');
    throw error;
  }
}
