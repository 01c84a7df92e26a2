import type { Readable } from 'node:stream';
import { BadRequest, UnsupportedMediaType } from '../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../lib/json-object.ts';
import { ByteSource } from './byte-source.ts';
import { receiveJsonWithFiles, type StoreFile } from './json-files.ts';

/** Deeper JSON is rejected before it is parsed, because recursive functions would run out of stack. */
const MAX_DEPTH = 256;

/** Bytes of a body from which on the files in it are stored as they come; smaller bodies are parsed at once. */
const MIN_STREAMED_BYTES = 1024 * 1024;

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new BadRequest('The body is not UTF-8.', 'DeserializationError');
    throw error;
  }
}

/** Throws BadRequest when brackets are nested deeper than MAX_DEPTH outside of strings. */
function checkDepth(text: string): void {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === 92) i += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > MAX_DEPTH)
        throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`, 'DeserializationError');
    } else if (code === 93 || code === 125) depth -= 1;
  }
}

/** What the headers say about a body, and its limit in bytes. */
export type BodyOptions = {
  method: string;
  contentType: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  limit: number;
  /** Stores the files of large bodies as they come; without it all of a body is held. */
  storeFile?: StoreFile | undefined;
};

/** Opens a body within its limit. Throws PayloadTooLarge, and UnsupportedMediaType for compressed ones. */
export function sourceOf(
  stream: Readable,
  mediaType: string,
  { contentLength, contentEncoding, limit }: Omit<BodyOptions, 'method'>,
): ByteSource {
  if (contentEncoding !== undefined && contentEncoding !== 'identity')
    throw new UnsupportedMediaType(`${mediaType} encoded as ${contentEncoding.slice(0, 100)}`);
  return new ByteSource(stream, { limit, announced: contentLength === undefined ? undefined : Number(contentLength) });
}

/** Media types of JSON. A body without a type is parsed as JSON as well. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]{1,100}\+)?json|)$/;

/** Volto sends the JSON of its PUT requests with the media type of forms, so PUT accepts it. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The value that a text of JSON is. Throws BadRequest. */
export function parseJsonValue(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BadRequest(`No JSON object could be decoded: ${error.message.slice(0, 200)}`, 'DeserializationError');
    throw error;
  }
}

/** The object that a text of JSON is. Throws BadRequest. */
function parseJsonObject(text: string): JsonObject {
  const value = parseJsonValue(text);
  if (!isJsonObject(value)) throw new BadRequest('The body must be a JSON object.', 'DeserializationError');
  return value;
}

/**
 * Parses the JSON object in the body of a request; an empty one when there is no body. `limit` is in bytes. With `storeFile`
 * the files in a large body are put into the blob store as they come, see `receiveJsonWithFiles`. Throws BadRequest (no
 * JSON, no object), PayloadTooLarge or UnsupportedMediaType.
 */
export async function parseJsonBody(stream: Readable, options: BodyOptions): Promise<JsonObject> {
  const { method, contentType, storeFile } = options;
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase();
  const isJson = JSON_TYPE.test(mediaType) || (method === 'PUT' && mediaType === FORM_TYPE);
  const source = sourceOf(stream, mediaType, options);
  const { bytes, ended } = await source.take(storeFile ? MIN_STREAMED_BYTES : Number.POSITIVE_INFINITY);
  try {
    const text = ended ? decodeText(bytes) : undefined;
    if (text?.trim() === '') return {};
    if (!isJson) throw new UnsupportedMediaType(mediaType.slice(0, 100));
    if (text !== undefined || !storeFile) return parseJsonObject(text ?? '');
    source.pushBack(bytes);
    return await receiveJsonWithFiles(source, storeFile, (rest) => parseJsonObject(decodeText(rest)));
  } catch (error) {
    await source.skip();
    throw error;
  }
}

/** Whether a body is a form with files. */
export const isForm = (contentType: string | undefined): boolean =>
  (contentType?.split(';', 1)[0] ?? '').trim().toLowerCase() === 'multipart/form-data';

/**
 * Parses a form into an object: the texts of its parts, files included, by their names; of two parts with the same name
 * the last one counts. `limit` is in bytes. Throws BadRequest for malformed forms and other encodings than UTF-8,
 * PayloadTooLarge and UnsupportedMediaType.
 */
export async function parseFormBody(
  stream: Readable,
  options: Omit<BodyOptions, 'method'> & { contentType: string },
): Promise<JsonObject> {
  const { bytes } = await sourceOf(stream, 'multipart/form-data', options).take(Number.POSITIVE_INFINITY);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': options.contentType } }).formData();
    const parts: [string, string][] = [];
    for (const [name, part] of form) {
      parts.push([name, typeof part === 'string' ? part : decoder.decode(await part.arrayBuffer())]);
    }
    return Object.fromEntries(parts);
  } catch (error) {
    // TypeError is how both the parser of the platform and the decoder report malformed data.
    if (error instanceof TypeError) throw new BadRequest('The body is no form in UTF-8.', 'DeserializationError');
    throw error;
  }
}
