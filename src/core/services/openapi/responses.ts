import { Type } from 'typebox';
import type { JsonObject } from '../../../lib/json-object.ts';
import type { ResponseDescription } from '../response.ts';
import type { Service } from '../service.ts';
import { aloneReason, isWrite } from '../shared-writes.ts';
import { headerObject } from './parameters.ts';
import { type NamedSchemas, publishSchema } from './schemas.ts';

const Detail = Type.Object({
  type: Type.String(),
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.Optional(Type.String()), message: Type.String() }), {
      description: 'Each value that did not fit, after a failed validation.',
    }),
  ),
});

/** The body of every error, see `core/http/error-response.ts`. */
const ErrorBody = Type.Object(
  {
    type: Type.String({ description: 'Name of the error, such as `NotFound`. Programs decide by it.' }),
    message: Type.String({
      description: 'What is wrong, for people. Of a failed validation: the list `errors` as JSON in a string.',
    }),
    error: Type.Optional(
      Type.Union([Type.String({ description: 'For 404: `Not found: ` and the path.' }), Detail], {
        description: 'The same in the shapes that older clients read. Not in 500.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.Optional(Type.String({ description: 'Absent for a rule about several fields.' })),
          message: Type.String(),
          error: Type.Literal('ValidationError'),
        }),
        { description: 'Each value that did not fit, after a failed validation.' },
      ),
    ),
    context: Type.Optional(
      Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
        description: 'On a Plone site: the nearest content at or above the address that the caller may view.',
      }),
    ),
    request_id: Type.Optional(Type.String({ description: 'Only in 500: the id under which the log has the cause.' })),
  },
  { $id: 'Error' },
);

/** An error that many services share: its name under `components/responses`, and its description. */
type SharedError = { name: string } & ResponseDescription;

/** The errors that come from the handling of all requests, not from one service, by their status. */
export const SHARED_ERRORS: Readonly<Record<number, SharedError>> = {
  400: { name: 'BadRequest', description: 'The address, the query or the body is malformed or breaks a rule.' },
  401: {
    name: 'Unauthorized',
    description: 'Nobody is logged in, or the credentials count no more, and this is not public.',
    headers: { 'WWW-Authenticate': { description: 'How to log in.' } },
  },
  403: { name: 'Forbidden', description: 'The caller is known and may not do this.' },
  404: { name: 'NotFound', description: 'There is nothing at this address.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'What is at this address does not take this method.',
    headers: { Allow: { description: 'The methods that it takes.' } },
  },
  408: { name: 'RequestTimeout', description: 'The body came too slowly. Send it again.' },
  409: { name: 'Conflict', description: 'Another request changed the same thing at the same time. Try again.' },
  413: { name: 'PayloadTooLarge', description: 'The body has more bytes or values than this service takes.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  422: { name: 'IdempotencyKeyReused', description: 'The `Idempotency-Key` was used for another request.' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many wrong passwords, or too much work at once.',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 0 }) } },
  },
  500: { name: 'InternalServerError', description: 'A fault of the server. The log has its cause under `request_id`.' },
  503: {
    name: 'ServiceUnavailable',
    description:
      'There is too much to do at the moment, or something that the server needs cannot be reached. Try again.',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 0 }) } },
  },
  507: { name: 'InsufficientStorage', description: 'There is no room left to store this. Nothing of it was stored.' },
};

const JSON_TYPE = 'application/json';
const TEXT = /^text\/|\+xml\b|\bxml\b/;

/** Text or bytes. OpenAPI 3.1 describes raw bytes by their media type alone. */
const rawContent = (type: string): JsonObject => ({ [type]: TEXT.test(type) ? { schema: { type: 'string' } } : {} });

/** The body of a response: nothing, an error, JSON, or text and bytes of another media type. */
function contentOf(
  status: number,
  { schema, contentType, otherType }: ResponseDescription,
  named: NamedSchemas,
): JsonObject | undefined {
  if (status >= 400) return { [JSON_TYPE]: { schema: publishSchema(schema ?? ErrorBody, named) } };
  if (schema) {
    const json = { [contentType ?? JSON_TYPE]: { schema: publishSchema(schema, named) } };
    return otherType === undefined ? json : { ...json, ...rawContent(otherType) };
  }
  if (contentType) return rawContent(contentType);
  return status === 204 || status >= 300 ? undefined : { [JSON_TYPE]: { schema: {} } };
}

/** A response with its headers and its body. */
function responseObject(status: number, response: ResponseDescription, named: NamedSchemas): JsonObject {
  const content = contentOf(status, response, named);
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => [name, headerObject(header, named)]);
  return {
    description: response.description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(content ? { content } : {}),
  };
}

/** Says if no caller needs to authenticate: neither the service nor the use of the API needs a permission. */
export const asksNobody = ({ permission, checkPermission, withoutApiPermission, inPerson }: Service): boolean =>
  permission === null && !checkPermission && withoutApiPermission === true && inPerson !== true;

/** The errors that a service can return because of its input and its address. */
function sharedErrors(service: Service, template: string): number[] {
  const { method, query, body, context } = service;
  const atPath = /^\/\{path\}(?:\/|$)/.test(template);
  return [
    ...(body || query ? [400] : []),
    ...(asksNobody(service) ? [] : [401, 403, 429]),
    ...(template.includes('{') ? [404] : []),
    ...(context === 'folderish' && atPath ? [405] : []),
    ...(method !== 'GET' && service.permission !== null ? [409] : []),
    ...(body ? [408, 413, 415] : []),
    ...(isWrite(service) && aloneReason(service) === undefined ? [400, 409, 422] : []),
    500,
    503,
    ...(method === 'GET' ? [] : [507]),
  ];
}

const moved = (method: string): [string, JsonObject] => [
  method === 'GET' ? '302' : '307',
  {
    description: 'The content has another address now.',
    headers: { Location: { description: 'The same request at the new address.', schema: { type: 'string' } } },
  },
];

/** All responses of a service at one of its addresses: its own responses, then the shared errors. */
export function responsesOf(service: Service, template: string, named: NamedSchemas): JsonObject {
  const own = Object.entries(service.responses).map(([status, response]) => [
    status,
    responseObject(Number(status), response, named),
  ]);
  const shared = sharedErrors(service, template).map((status) => [
    String(status),
    { $ref: `#/components/responses/${SHARED_ERRORS[status]?.name}` },
  ]);
  // The service's own descriptions are more specific, so they replace the shared ones.
  return Object.fromEntries([...(template.startsWith('/{path}') ? [moved(service.method)] : []), ...shared, ...own]);
}

/** The errors of all services, for `components/responses`. */
export const sharedResponses = (named: NamedSchemas): JsonObject =>
  Object.fromEntries(
    Object.entries(SHARED_ERRORS).map(([status, { name, ...response }]) => [
      name,
      responseObject(Number(status), response, named),
    ]),
  );
