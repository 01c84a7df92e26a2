import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';

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

/** Two schemas for one status: either. Other media types and answers without a body stand as they are. */
function eitherResponse(first: unknown, second: unknown): unknown {
  if (!isJsonObject(first) || !isJsonObject(second) || '$ref' in first) return first ?? second;
  const content: JsonObject = { ...recordOf(second.content), ...recordOf(first.content) };
  const schemas = [first, second].map((response) => recordOf(recordOf(response.content)['application/json']).schema);
  if (schemas.every((schema) => schema !== undefined)) content['application/json'] = { schema: { anyOf: schemas } };
  return { ...first, ...(Object.keys(content).length > 0 ? { content } : {}) };
}

/**
 * One operation for an address that two services share: `particular` serves containers, `general` all other content.
 * OpenAPI has room for one, so it takes and answers what either of them does.
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
