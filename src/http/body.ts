import type { Readable } from 'node:stream';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../lib/json-object.ts';

/** Deeper JSON is rejected before it is parsed, because recursive functions would run out of stack. */
const MAX_DEPTH = 256;

/** Collects a body of up to `limit` bytes. Throws PayloadTooLarge for longer ones, whose rest is not kept in memory. */
async function collectBytes(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The stream is not destroyed: a connection with an unread body could neither be used again nor end.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > limit) throw new PayloadTooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw new BadRequest('The body was cut off.', 'DeserializationError');
    stream.resume();
    throw error;
  }
  return Buffer.concat(chunks);
}

async function collectText(stream: Readable, limit: number, announced: number | undefined): Promise<string> {
  if (announced !== undefined && announced > limit) throw new PayloadTooLarge(limit);
  const bytes = await collectBytes(stream, limit);
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
type BodyOptions = {
  method: string;
  contentType: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  limit: number;
};

/** Media types of JSON. A body without a type is parsed as JSON as well. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]{1,100}\+)?json|)$/;

/** Volto sends the JSON of its PUT requests with the media type of forms, so PUT accepts it. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Parses the JSON object in the body of a request; an empty one when there is no body. `limit` is in bytes.
 * Throws BadRequest (no JSON, no object), PayloadTooLarge or UnsupportedMediaType.
 */
export async function parseJsonBody(
  stream: Readable,
  { method, contentType, contentLength, contentEncoding, limit }: BodyOptions,
): Promise<JsonObject> {
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase();
  if (contentEncoding !== undefined && contentEncoding !== 'identity')
    throw new UnsupportedMediaType(`${mediaType} encoded as ${contentEncoding}`);
  const text = await collectText(stream, limit, contentLength === undefined ? undefined : Number(contentLength));
  if (text.trim() === '') return {};
  if (!JSON_TYPE.test(mediaType) && !(method === 'PUT' && mediaType === FORM_TYPE))
    throw new UnsupportedMediaType(mediaType.slice(0, 100));
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BadRequest(`No JSON object could be decoded: ${error.message.slice(0, 200)}`, 'DeserializationError');
    throw error;
  }
  if (!isJsonObject(value)) throw new BadRequest('The body must be a JSON object.', 'DeserializationError');
  return value;
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
  { contentType, contentLength, contentEncoding, limit }: Omit<BodyOptions, 'method'> & { contentType: string },
): Promise<JsonObject> {
  if (contentEncoding !== undefined && contentEncoding !== 'identity')
    throw new UnsupportedMediaType(`multipart/form-data encoded as ${contentEncoding.slice(0, 100)}`);
  if (contentLength !== undefined && Number(contentLength) > limit) throw new PayloadTooLarge(limit);
  const bytes = await collectBytes(stream, limit);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
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
