import { Type } from 'typebox';
import { BadRequest, ClientError, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject } from '../../lib/json-object.ts';
import { objectWithValues, textWithValues } from './batch-references.ts';
import { type Headers, ok, type ServiceResponse } from './response.ts';
import { AnyObject } from './schemas.ts';
import { defineService, isLoggedIn, type RequestPart, type Service } from './service.ts';

/** Requests of one batch. */
const MAX_REQUESTS = 100;
/** Bytes of the JSON of a batch, and of all its responses. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Headers that a part may have; who asks, and where, is that of the whole. */
const PART_HEADERS = new Set([
  'accept-language',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'lock-token',
  'prefer',
]);

const Part = Type.Object({
  method: Type.Union(
    ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) => Type.Literal(method)),
    { message: 'must be GET, POST, PATCH, PUT or DELETE' },
  ),
  path: Type.String({
    description:
      'Path and query from the root of the site. `{0.@id}` stands for a member of the response to request 0.',
    pattern: '^[/{]',
    maxLength: 8000,
    message: 'must be a path that begins with /',
  }),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 8000 }), {
      description: `Of these: ${[...PART_HEADERS].join(', ')}.`,
    }),
  ),
  body: Type.Optional(
    AnyObject({ description: '`{"$ref": "0.UID"}` stands for a member of the response to request 0.' }),
  ),
});

/** The address in a response as a path of the site; other texts as one segment of a path. */
const inPath =
  (base: string) =>
  (value: string): string => {
    if (value === base) return '/';
    return value.startsWith(`${base}/`) ? value.slice(base.length) : value.split('/').map(encodeURIComponent).join('/');
  };

/** The error of a part: that of the request, which says which one it is. */
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

/** POST `@batch`: several requests in one transaction. */
const postBatch = defineService({
  name: '@batch',
  method: 'POST',
  context: 'content',
  permission: null,
  // A visitor would hold one transaction with a hundred searches.
  checkPermission: isLoggedIn,
  together: true,
  summary: 'Does several requests in one transaction: all of them, or none.',
  bodyLimit: MAX_BATCH_BYTES,
  body: Type.Object(
    {
      requests: Type.Array(Part, {
        description: `The requests, in their order: ${MAX_REQUESTS} at most.`,
        minItems: 1,
        maxItems: MAX_REQUESTS,
        message: {
          required: 'must be a list of requests',
          type: 'must be a list of requests',
          minItems: 'must have a request',
          maxItems: `must have ${MAX_REQUESTS} requests at most`,
        },
      }),
    },
    { examples: [{ requests: [{ method: 'GET', path: '/' }] }] },
  ),
  responses: {
    200: {
      description: 'The responses, in the order of the requests.',
      schema: Type.Object({
        responses: Type.Array(
          Type.Object({
            status: Type.Integer(),
            headers: Type.Record(Type.String(), Type.Unknown()),
            body: Type.Optional(Type.Unknown()),
          }),
        ),
      }),
    },
    401: { description: 'The caller is not logged in.' },
    412: { description: 'A condition of a request is not met: nothing was done.' },
  },
  async run({ base, body: { requests }, performPart }) {
    if (!performPart) throw new Error('A batch is done in a transaction');
    const responses: { status: number; headers: Record<string, unknown>; body?: unknown }[] = [];
    const bodies: unknown[] = [];
    let left = MAX_RESPONSE_BYTES;
    for (const [i, { method, path, headers = {}, body }] of requests.entries()) {
      const where = `Request ${i} (${method} ${path.slice(0, 200)})`;
      try {
        const part: RequestPart = {
          method,
          target: textWithValues(path, bodies, inPath(base)),
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [partHeader(name), textWithValues(value, bodies)]),
          ),
          ...(body === undefined ? {} : { body: objectWithValues(body, bodies) }),
        };
        const response = await performPart(part);
        const json = jsonOf(response);
        left -= json === undefined ? 0 : Buffer.byteLength(JSON.stringify(json));
        if (left < 0) throw new BadRequest('The responses are too large: send fewer requests at once.');
        responses.push({
          status: response.status,
          headers: shownHeaders(response.headers),
          ...(json === undefined ? {} : { body: json }),
        });
        bodies.push(isJsonObject(json) || Array.isArray(json) ? json : {});
      } catch (error) {
        throw error instanceof ClientError ? errorOfPart(error, { where, part: i }) : error;
      }
    }
    return ok({ responses });
  },
});

/** The name of a header that a part may have, in lower case. */
function partHeader(name: string): string {
  const known = name.toLowerCase();
  if (PART_HEADERS.has(known)) return known;
  throw new BadRequest(`The header ${name.slice(0, 100)} is not possible here: only ${[...PART_HEADERS].join(', ')}.`);
}

export const batchServices: Service[] = [postBatch];
