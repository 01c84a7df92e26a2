import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Headers, ServiceResponse } from '../../services/response.ts';

/** Maximum bytes of a response that is stored whole; of a larger response only status, headers and the place of the result are stored. */
const MAX_KEPT_BYTES = 512 * 1024;

/** Headers that must not be repeated with a stored response. */
const NOT_KEPT = new Set(['set-cookie', 'retry-after']);

/** Members of a body by which its object is found. */
const FINDING = ['@id', '@type', 'UID', 'id'];

const TOO_LARGE = 'This was done. Its response was too large to be kept: load the result.';

const headersOf = (headers: Headers = {}): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_KEPT.has(name.toLowerCase())));

/** The body of a stored response whose own body is too large. */
function withoutBody(body: unknown): JsonObject {
  const found = isJsonObject(body) ? FINDING.flatMap((name) => (name in body ? [[name, body[name]]] : [])) : [];
  return { ...Object.fromEntries(found), message: TOO_LARGE };
}

/** A response as the text that is stored. */
export function textOfResponse({ status, headers, body, text, bytes, stream, contentType }: ServiceResponse): string {
  const head = { status, headers: headersOf(headers) };
  if (bytes !== undefined || stream) return JSON.stringify({ ...head, body: withoutBody(undefined) });
  const whole = JSON.stringify({ ...head, body, text, contentType });
  if (Buffer.byteLength(whole) <= MAX_KEPT_BYTES) return whole;
  return JSON.stringify({ ...head, body: withoutBody(body) });
}

/** The response of a stored text. */
export function responseOfText(kept: string): ServiceResponse {
  const parsed: unknown = JSON.parse(kept);
  if (!isJsonObject(parsed) || typeof parsed.status !== 'number') throw new Error('A kept response is malformed');
  const { status, headers, body, text, contentType } = parsed;
  return {
    status,
    headers: { ...(isJsonObject(headers) ? textHeaders(headers) : {}), 'Idempotency-Replayed': 'true' },
    ...(body === undefined ? {} : { body }),
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

/** The headers among the members of an object. */
function textHeaders(members: JsonObject): Headers {
  const headers: Headers = {};
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'string' || typeof value === 'number') headers[name] = value;
    else if (Array.isArray(value)) headers[name] = value.map(String);
  }
  return headers;
}
