import { Type } from 'typebox';
import { BadRequest, ClientError, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { objectWithValues, textWithValues } from './batch-references.ts';
import type { Headers, ServiceResponse } from './response.ts';
import { AnyObject } from './schemas.ts';
import type { RequestPart } from './service.ts';

/** Requests of one batch. */
const MAX_REQUESTS = 100;
/** Bytes of the JSON of all responses. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Headers that a part may have; caller and host are those of the whole request. */
export const PART_HEADERS: ReadonlySet<string> = new Set([
  'accept-language',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'lock-token',
  'prefer',
]);

/** One request of a list, as clients send it. */
export type BatchRequest = { method: string; path: string; headers?: Record<string, string>; body?: JsonObject };

/** The path of a request. */
export const PartPath = Type.String({
  description: 'Path and query from the root of the site. `{0.@id}` stands for a member of the response to request 0.',
  pattern: '^[/{]',
  maxLength: 8000,
  message: 'must be a path that begins with /',
});

/** The body of a request. */
export const PartBody = AnyObject({
  description: '`{"$ref": "0.UID"}` stands for a member of the response to request 0.',
});

/** The keywords of a list of requests. */
export const LIST_OF_REQUESTS = {
  description: `The requests, in their order: ${MAX_REQUESTS} at most.`,
  minItems: 1,
  maxItems: MAX_REQUESTS,
  message: {
    required: 'must be a list of requests',
    type: 'must be a list of requests',
    minItems: 'must have a request',
    maxItems: `must have ${MAX_REQUESTS} requests at most`,
  },
};

/** The response to one request, as it stands in the response of the whole. */
export type PartResponse = { status: number; headers: Record<string, unknown>; body?: unknown };

/** Returns a function that puts a text into a path: an address of the site as its path, other texts as one segment. */
const inPath =
  (base: string) =>
  (value: string): string => {
    if (value === base) return '/';
    return value.startsWith(`${base}/`) ? value.slice(base.length) : value.split('/').map(encodeURIComponent).join('/');
  };

/** The error of a part: the error of its request, with the number of the part. */
function errorOfPart(error: ClientError, { where, part }: { where: string; part: number }): ClientError {
  const own =
    error instanceof ValidationFailed
      ? new ValidationFailed([{ message: `${where} was refused.` }, ...error.problems], error.type)
      : error;
  if (own === error) own.message = `${where}: ${error.message}`;
  own.part = part;
  return own;
}

/** The text in the member of a JSON body. */
const textIn = (body: unknown, name: string): string | undefined =>
  isJsonObject(body) && typeof body[name] === 'string' ? body[name] : undefined;

/** The body of a part's response. Throws the error of a refusal, and BadRequest for a response that is no JSON. */
function jsonOf({ status, headers, body, text, bytes, stream }: ServiceResponse): unknown {
  stream?.destroy();
  if (status >= 400)
    throw new ClientError(
      status,
      textIn(body, 'type') ?? 'BadRequest',
      textIn(body, 'message') ?? `This was refused with ${status}.`,
    );
  if (status >= 300)
    throw new BadRequest(
      headers?.Location === undefined
        ? `A response with the status ${status} is not possible in a batch.`
        : `The content is at another address now: ${headers.Location}`,
    );
  if (stream || bytes !== undefined || text !== undefined) throw new BadRequest('A batch has responses of JSON only.');
  return body;
}

/** Headers of a response that belong to the whole, or that no page may read. */
const NOT_SHOWN = new Set(['set-cookie', 'set-cookie2', 'connection', 'transfer-encoding', 'content-length']);

const shownHeaders = (headers: Headers = {}): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_SHOWN.has(name.toLowerCase())));

/** The name of a header that a part may have, in lower case. */
function partHeader(name: string): string {
  const known = name.toLowerCase();
  if (PART_HEADERS.has(known)) return known;
  throw new BadRequest(`The header ${name.slice(0, 100)} is not possible here: only ${[...PART_HEADERS].join(', ')}.`);
}

/**
 * Performs requests one after the other, with references to earlier responses, and returns the responses by the numbers of the requests. `isWanted`
 * chooses the requests. Throws the error of the first request that fails, with its number.
 */
export async function performRequests(
  requests: readonly BatchRequest[],
  {
    base,
    perform,
    isWanted = () => true,
  }: {
    base: string;
    perform(part: RequestPart, number: number): Promise<ServiceResponse>;
    isWanted?(number: number): boolean;
  },
): Promise<Map<number, PartResponse>> {
  const responses = new Map<number, PartResponse>();
  const bodies: unknown[] = [];
  let left = MAX_RESPONSE_BYTES;
  for (const [number, { method, path, headers = {}, body }] of requests.entries()) {
    if (!isWanted(number)) {
      bodies.push({});
      continue;
    }
    try {
      const part: RequestPart = {
        method,
        target: textWithValues(path, bodies, inPath(base)),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [partHeader(name), textWithValues(value, bodies)]),
        ),
        ...(body === undefined ? {} : { body: objectWithValues(body, bodies) }),
      };
      const response = await perform(part, number);
      const json = jsonOf(response);
      left -= json === undefined ? 0 : Buffer.byteLength(JSON.stringify(json));
      if (left < 0) throw new BadRequest('The responses are too large: send fewer requests at once.');
      const { status } = response;
      responses.set(number, {
        status,
        headers: shownHeaders(response.headers),
        ...(json === undefined ? {} : { body: json }),
      });
      bodies.push(isJsonObject(json) || Array.isArray(json) ? json : {});
    } catch (error) {
      const where = `Request ${number} (${method} ${path.slice(0, 200)})`;
      throw error instanceof ClientError ? errorOfPart(error, { where, part: number }) : error;
    }
  }
  return responses;
}
