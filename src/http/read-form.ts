import type { Readable } from 'node:stream';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { type BodyOptions, readBytes } from './read-body.ts';

/** Whether a body is a form with files. */
export const isForm = (contentType: string | undefined): boolean =>
  (contentType?.split(';', 1)[0] ?? '').trim().toLowerCase() === 'multipart/form-data';

/**
 * A form as the object that JSON would be: the texts of its parts by their names, those of files included; of two parts
 * with one name the last one counts. `limit` is in bytes. Throws BadRequest for what is no form or no UTF-8.
 */
export async function readForm(
  stream: Readable,
  { contentType, contentLength, contentEncoding, limit }: Omit<BodyOptions, 'method'> & { contentType: string },
): Promise<JsonObject> {
  if (contentEncoding !== undefined && contentEncoding !== 'identity')
    throw new UnsupportedMediaType(`multipart/form-data encoded as ${contentEncoding.slice(0, 100)}`);
  if (contentLength !== undefined && Number(contentLength) > limit) throw new PayloadTooLarge(limit);
  const bytes = await readBytes(stream, limit);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const form = await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
    const parts: [string, string][] = [];
    for (const [name, part] of form) {
      parts.push([name, typeof part === 'string' ? part : decoder.decode(await part.arrayBuffer())]);
    }
    return Object.fromEntries(parts);
  } catch (error) {
    // The parser of the platform and the decoder have no other way to say "malformed".
    if (error instanceof TypeError) throw new BadRequest('The body is no form in UTF-8.', 'DeserializationError');
    throw error;
  }
}
