import type { Readable } from 'node:stream';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../lib/json-object.ts';

/** Deeper JSON is refused before it is parsed: whatever walks it later would run out of stack. */
const MAX_DEPTH = 256;

/** Reads a body to its end, or to the limit. Throws PayloadTooLarge without keeping what lies beyond. */
export async function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Not destroyed: with the rest of the body in it the connection would serve nobody and never end.
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

async function readText(stream: Readable, limit: number, announced: number | undefined): Promise<string> {
  if (announced !== undefined && announced > limit) throw new PayloadTooLarge(limit);
  const bytes = await readBytes(stream, limit);
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

/** What the headers say of a body, and how many bytes the service takes. */
export type BodyOptions = {
  method: string;
  contentType: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  limit: number;
};

/** JSON, under any of its names. Bodies without a type are read as JSON, too. */
const JSON_TYPE = /^(?:application\/(?:[\w.+-]{1,100}\+)?json|)$/;

/** Volto sends the JSON of its PUT requests under the type of forms: there, what is in the body counts. */
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The JSON object in the body of a request; an empty one when there is no body. `limit` is in bytes.
 * Throws BadRequest (no JSON, no object), PayloadTooLarge or UnsupportedMediaType.
 */
export async function readBody(
  stream: Readable,
  { method, contentType, contentLength, contentEncoding, limit }: BodyOptions,
): Promise<JsonObject> {
  const mediaType = (contentType?.split(';')[0] ?? '').trim().toLowerCase();
  if (contentEncoding !== undefined && contentEncoding !== 'identity')
    throw new UnsupportedMediaType(`${mediaType} encoded as ${contentEncoding}`);
  const text = await readText(stream, limit, contentLength === undefined ? undefined : Number(contentLength));
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
