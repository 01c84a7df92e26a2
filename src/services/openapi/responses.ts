import type { JsonObject } from '../../lib/json-object.ts';
import type { ResponseDescription, Service } from '../service.ts';
import { ErrorBody, SHARED_ERRORS } from './error-responses.ts';
import { headerObject } from './parameters.ts';
import { type NamedSchemas, publishSchema } from './publish-schema.ts';

const JSON_TYPE = 'application/json';
const TEXT = /^text\/|\+xml\b|\bxml\b/;

/** The body of an answer: nothing, an error, JSON, or text and bytes of another media type. */
function contentOf(
  status: number,
  { schema, contentType }: ResponseDescription,
  named: NamedSchemas,
): JsonObject | undefined {
  if (status >= 400) return { [JSON_TYPE]: { schema: publishSchema(schema ?? ErrorBody, named) } };
  if (schema) return { [contentType ?? JSON_TYPE]: { schema: publishSchema(schema, named) } };
  // OpenAPI 3.1 describes raw bytes by their media type alone.
  if (contentType) return { [contentType]: TEXT.test(contentType) ? { schema: { type: 'string' } } : {} };
  return status === 204 || status >= 300 ? undefined : { [JSON_TYPE]: { schema: {} } };
}

/** An answer with its headers and its body. */
function responseObject(status: number, response: ResponseDescription, named: NamedSchemas): JsonObject {
  const content = contentOf(status, response, named);
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => [name, headerObject(header, named)]);
  return {
    description: response.description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(content ? { content } : {}),
  };
}

/** Whether nobody is asked who they are: neither the service nor the right to use the API needs it. */
export const asksNobody = ({ permission, checkPermission, withoutApiPermission }: Service): boolean =>
  permission === null && !checkPermission && withoutApiPermission === true;

/** The errors that a service can answer because of what it takes and where it is. */
function sharedErrors(service: Service, template: string): number[] {
  const { method, query, body, context } = service;
  const atPath = /^\/\{path\}(?:\/|$)/.test(template);
  return [
    ...(body || query ? [400] : []),
    ...(asksNobody(service) ? [] : [401, 403, 429]),
    ...(template.includes('{') ? [404] : []),
    ...(context === 'folderish' && atPath ? [405] : []),
    ...(method !== 'GET' && service.permission !== null ? [409] : []),
    ...(body ? [413, 415] : []),
    500,
  ];
}

const moved = (method: string): [string, JsonObject] => [
  method === 'GET' ? '302' : '307',
  {
    description: 'The content has another address now.',
    headers: { Location: { description: 'The same request at the new address.', schema: { type: 'string' } } },
  },
];

/** All answers of a service at one of its addresses: its own, then the errors that it shares. */
export function responsesOf(service: Service, template: string, named: NamedSchemas): JsonObject {
  const own = Object.entries(service.responses).map(([status, response]) => [
    status,
    responseObject(Number(status), response, named),
  ]);
  const shared = sharedErrors(service, template).map((status) => [
    String(status),
    { $ref: `#/components/responses/${SHARED_ERRORS[status]?.name}` },
  ]);
  // What the service says itself is more particular.
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
