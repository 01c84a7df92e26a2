import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import type { HeaderDescription, Service } from '../service.ts';
import { type NamedSchemas, publishSchema } from './publish-schema.ts';

const CONTENT_PATH =
  'Path of the content below the site root, such as `news/today`. Slashes between its segments are not encoded.';

/** The parts of an address that vary. */
export function pathParameters(template: string): JsonObject[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const content = template.startsWith('/{path}') && name === 'path';
    return {
      name,
      in: 'path',
      required: true,
      ...(content ? { description: CONTENT_PATH } : {}),
      schema: { type: 'string' },
    };
  });
}

/** The query of a service: each property of its schema; where others are allowed, one parameter stands for them all. */
export function queryParameters({ query }: Service, named: NamedSchemas): JsonObject[] {
  if (!isJsonObject(query)) return [];
  const parts = [query, ...(Array.isArray(query.allOf) ? query.allOf.filter(isJsonObject) : [])];
  const parameters = new Map(parts.flatMap((part) => declaredIn(part, named)).map((one) => [one.name, one]));
  const open = parts.some(
    ({ additionalProperties: others, patternProperties }) =>
      patternProperties || (others !== undefined && others !== false),
  );
  return [...parameters.values(), ...(open ? [OTHERS] : [])];
}

const OTHERS: JsonObject = {
  name: 'others',
  in: 'query',
  description: 'Any further parameter, under its own name.',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
};

function declaredIn({ properties, required }: JsonObject, named: NamedSchemas): JsonObject[] {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const published = publishSchema(property, named);
    const { description, ...schema } = isJsonObject(published) ? published : {};
    return {
      name,
      in: 'query',
      ...(needed.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      // Lists are repeated: `name=a&name=b`.
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
      schema,
    };
  });
}

/** One header, as parameters and answers describe it. */
export const headerObject = ({ description, schema }: HeaderDescription, named: NamedSchemas): JsonObject => ({
  description,
  schema: schema ? publishSchema(schema, named) : { type: 'string' },
});

/** The request headers that a service reads. */
export const headerParameters = ({ headers = {} }: Service, named: NamedSchemas): JsonObject[] =>
  Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...headerObject(header, named) }));
