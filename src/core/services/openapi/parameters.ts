import { Type } from 'typebox';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { HeaderDescription } from '../response.ts';
import type { Service } from '../service.ts';
import { aloneReason, isWrite } from '../shared-writes.ts';
import { type NamedSchemas, publishSchema, requiredOf } from './schemas.ts';

const CONTENT_PATH =
  'Path of the content below the site root, such as `news/today`. Its slashes may be encoded (`news%2Ftoday`), so that it is one segment.';

/** The open parts of an address: the path of the content, and the parts that the service declares. */
export function pathParameters({ params }: Service, template: string, named: NamedSchemas): JsonObject[] {
  const declared = new Map(
    (isJsonObject(params) ? declaredIn(params, 'path', named) : []).map((one) => [one.name, one]),
  );
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const content = template.startsWith('/{path}') && name === 'path';
    const described = content
      ? { description: CONTENT_PATH, schema: { type: 'string' }, example: 'news/today' }
      : (declared.get(name) ?? { schema: { type: 'string' } });
    return { ...described, name, in: 'path', required: true };
  });
}

/** The query of a service: each property of its schema; if further parameters are allowed, one parameter stands for them all. */
export function queryParameters(service: Service, named: NamedSchemas): JsonObject[] {
  const dryRun = isWrite(service) && aloneReason(service) === undefined ? [DRY_RUN] : [];
  return [...declaredParameters(service, named), ...dryRun];
}

/** The parameter of every write that supports a dry run. */
const DRY_RUN: JsonObject = {
  name: 'dry_run',
  in: 'query',
  description:
    'Does nothing, and returns what would have been, with `dry_run: true` and the list `changes` (200 instead of 204).',
  schema: { type: 'boolean', default: false },
};

function declaredParameters({ query }: Service, named: NamedSchemas): JsonObject[] {
  if (!isJsonObject(query)) return [];
  const parts = [query, ...(Array.isArray(query.allOf) ? query.allOf.filter(isJsonObject) : [])];
  const parameters = new Map(parts.flatMap((part) => declaredIn(part, 'query', named)).map((one) => [one.name, one]));
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

/** The properties of a schema as parameters. Lists are repeated in a query: `name=a&name=b`. */
function declaredIn(schema: JsonObject, where: 'path' | 'query', named: NamedSchemas): JsonObject[] {
  const { properties } = schema;
  const required = requiredOf(schema);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => {
    const published = publishSchema(property, named);
    const { description, ...rest } = isJsonObject(published) ? published : {};
    return {
      name,
      in: where,
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(rest.type === 'array' && where === 'query' ? { style: 'form', explode: true } : {}),
      schema: rest,
    };
  });
}

/** One header, as parameters and responses describe it. */
export const headerObject = ({ description, schema }: HeaderDescription, named: NamedSchemas): JsonObject => ({
  description,
  schema: schema ? publishSchema(schema, named) : { type: 'string' },
});

/** The headers of every write that can be a keyed write. */
const WRITE_HEADERS: Readonly<Record<string, HeaderDescription>> = {
  'Idempotency-Key': {
    description:
      'A new text for each write, such as a UUID. Sent again with the same one, the write is not done twice.',
    schema: Type.String({ maxLength: 257 }),
  },
};

/** The request headers that a service reads. */
export function headerParameters(service: Service, named: NamedSchemas): JsonObject[] {
  const common = isWrite(service) && aloneReason(service) === undefined ? WRITE_HEADERS : {};
  return Object.entries({ ...service.headers, ...common }).map(([name, header]) => ({
    ...{ name, in: 'header' },
    ...headerObject(header, named),
  }));
}
