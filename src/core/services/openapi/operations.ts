import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Service } from '../service.ts';
import { headerParameters, pathParameters, queryParameters } from './parameters.ts';
import { asksNobody, responsesOf } from './responses.ts';
import { closedSchema, type NamedSchemas, publishSchema, requiredOf } from './schemas.ts';

const MEBIBYTE = 1024 * 1024;

/** The group of a service: its folder. */
export const tagOf = ({ tag, name }: Service): string =>
  tag ?? (name.replace(/^@+/, '').replaceAll('_', '-') || 'content');

/**
 * The credentials of an operation: none if the service needs none, optional if Anonymous may call it (private content below needs credentials), else
 * required. A service without a permission that declares a response 401 requires credentials by itself.
 */
function securityOf(service: Service, open: boolean): JsonObject[] {
  if (asksNobody(service)) return [];
  const required = service.permission === null ? service.responses[401] !== undefined : !open;
  return [...(required ? [] : [{}]), { basic: [] }, { bearer: [] }];
}

/** Bytes as OpenAPI describes them. */
const BYTES = { type: 'string', format: 'binary' };

/** The parts of a form: files beside the fields of the content, which are texts. */
const FORM = { type: 'object', properties: { file: BYTES }, additionalProperties: { type: 'string' } };

function requestBody(service: Service, named: NamedSchemas): JsonObject | undefined {
  const { body, bodyLimit = MEBIBYTE, streams, fromForm, form } = service;
  if (streams !== undefined)
    return { description: 'Bytes of the file.', required: false, content: { [streams]: { schema: BYTES } } };
  if (!body) return undefined;
  const limit = `A JSON object, at most ${Math.round((bodyLimit / MEBIBYTE) * 100) / 100} MiB`;
  return {
    description: fromForm || form ? `${limit}, or a form with files.` : `${limit}.`,
    required: requiredOf(body).length > 0,
    content: {
      'application/json': { schema: publishSchema(closedSchema(body), named) },
      ...(fromForm || form ? { 'multipart/form-data': { schema: FORM } } : {}),
    },
  };
}

/** A service at one of its addresses, as OpenAPI describes it. `open` says whether Anonymous has its permission. */
export function operationOf(
  service: Service,
  { template, operationId, open }: { template: string; operationId: string; open: boolean },
  named: NamedSchemas,
): JsonObject {
  const { permission, context } = service;
  const notes = [
    ...(context === 'folderish' ? ['Only on containers.'] : []),
    ...(permission === null ? [] : [`Needs the permission "${permission}".`]),
  ];
  const parameters = [
    ...pathParameters(service, template, named),
    ...queryParameters(service, named),
    ...headerParameters(service, named),
  ];
  const body = requestBody(service, named);
  return {
    operationId,
    tags: [tagOf(service)],
    summary: service.summary,
    ...(notes.length > 0 ? { description: notes.join(' ') } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(service, template, named),
    security: securityOf(service, open),
  };
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const recordOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The schema of a body that one of two services reads. */
function eitherBody(first: unknown, second: unknown): JsonObject {
  const bodies = [first, second].filter(isJsonObject);
  const schemas = bodies.map(({ content }) => recordOf(recordOf(content)['application/json']).schema);
  if (bodies.length < 2) return bodies[0] ? { requestBody: { ...bodies[0], required: false } } : {};
  const required = bodies.every((body) => body.required === true);
  return {
    requestBody: { ...bodies[0], required, content: { 'application/json': { schema: { anyOf: schemas } } } },
  };
}

/** Joins two responses of one status: the schema becomes either of the two. Responses of other media types and without a body stay unchanged. */
function eitherResponse(first: unknown, second: unknown): unknown {
  if (!isJsonObject(first) || !isJsonObject(second) || '$ref' in first) return first ?? second;
  const content: JsonObject = { ...recordOf(second.content), ...recordOf(first.content) };
  const schemas = [first, second].map((response) => recordOf(recordOf(response.content)['application/json']).schema);
  if (schemas.every((schema) => schema !== undefined)) content['application/json'] = { schema: { anyOf: schemas } };
  return { ...first, ...(Object.keys(content).length > 0 ? { content } : {}) };
}

/**
 * One operation for an address that two services share: `particular` serves containers, `general` all other content. OpenAPI allows one operation, so
 * it takes and returns the data of either service.
 */
export function mergeOperations(particular: JsonObject, general: JsonObject): JsonObject {
  const parameters = new Map(
    [...listOf(particular.parameters), ...listOf(general.parameters)].map((one) => [`${one.in} ${one.name}`, one]),
  );
  const statuses = Object.keys({ ...recordOf(particular.responses), ...recordOf(general.responses) });
  return {
    ...general,
    description: [`On containers: ${particular.summary}`, general.description].filter(Boolean).join(' '),
    ...(parameters.size > 0 ? { parameters: [...parameters.values()] } : {}),
    ...eitherBody(particular.requestBody, general.requestBody),
    responses: Object.fromEntries(
      statuses.map((status) => [
        status,
        eitherResponse(recordOf(general.responses)[status], recordOf(particular.responses)[status]),
      ]),
    ),
  };
}
