import { type TSchema, type TUnknown, type TUnsafe, Type } from 'typebox';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';

/** Keywords that validation ignores and the description reads. */
export const DOCUMENTED = 'x-documented';
export const REQUIRED = 'x-documented-required';

/**
 * A member of a body that the service checks by itself, so that a wrong value gets its own message. Validation lets
 * everything through; the description says what `schema` says, and that the member is required where `required`.
 */
export const documented = (schema: TSchema, { required = false } = {}): TUnknown =>
  Type.Unknown({ [DOCUMENTED]: schema, ...(required ? { [REQUIRED]: true } : {}) });

/** A query that the service parses by itself from `searchParams`. The description says what `schema` says. */
export const documentedQuery = (schema: TSchema): TUnsafe<JsonObject> =>
  Type.Unsafe<JsonObject>({ [DOCUMENTED]: schema });

/** Schemas with a name, each once in the document, under `components/schemas`. */
export type NamedSchemas = Map<string, { source: object; schema: unknown }>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords that only the check of requests reads, see `services/schemas.ts`. */
const OWN = new Set(['message', 'reject', 'trim', 'commas']);
/** What OpenAPI allows as the name of a component. */
const NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * A schema of a declaration as it stands in the document: those with an `$id` become references to `named`, members
 * that the service checks by itself (`documented`) say what they should be.
 */
export function publishSchema(schema: unknown, named: NamedSchemas): unknown {
  if (Array.isArray(schema)) return schema.map((item) => publishSchema(item, named));
  if (!isJsonObject(schema)) return schema;
  if (isJsonObject(schema[DOCUMENTED])) return publishSchema(schema[DOCUMENTED], named);
  const id = schema.$id;
  if (typeof id !== 'string' || !NAME.test(id)) return keywords(schema, named);
  const known = named.get(id);
  // Two add-ons may name different schemas alike: the second one then stands where it is used.
  if (known && known.source !== schema) return keywords(schema, named);
  if (!known) {
    const entry = { source: schema, schema: {} as unknown };
    named.set(id, entry);
    entry.schema = keywords(schema, named);
  }
  return { $ref: `#/components/schemas/${id}` };
}

/** The keywords of one schema, without those that are no part of JSON Schema. */
function keywords(schema: JsonObject, named: NamedSchemas): JsonObject {
  const published: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$id' || keyword === 'required' || keyword.startsWith('~') || OWN.has(keyword)) continue;
    if (DATA.has(keyword)) published[keyword] = value;
    else if (keyword === 'properties' && isJsonObject(value)) published[keyword] = properties(value, named);
    else published[keyword] = publishSchema(value, named);
  }
  const required = requiredOf(schema);
  if (required.length > 0) published.required = required;
  return published;
}

const properties = (members: JsonObject, named: NamedSchemas): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, publishSchema(member, named)]));

/**
 * Members that an object must have: those that validation asks for and does not fill itself, and those that the service
 * asks for by itself.
 */
export function requiredOf(schema: object): string[] {
  const { required, properties: members }: JsonObject = { ...schema };
  const properties = isJsonObject(members) ? members : {};
  const isFilled = (name: string): boolean => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJsonObject(member) && member.default !== undefined;
  };
  const declared = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string').filter((name) => !isFilled(name))
    : [];
  const own = Object.entries(properties)
    .filter(([, member]) => isJsonObject(member) && member[REQUIRED] === true)
    .map(([name]) => name);
  return [...new Set([...declared, ...own])];
}
