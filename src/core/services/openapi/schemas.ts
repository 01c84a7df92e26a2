import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';

/** Schemas with a name, each once in the document, under `components/schemas`. */
export type NamedSchemas = Map<string, { source: object; schema: unknown }>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords that only the check of requests reads, see `core/services/schemas.ts`. */
const OWN = new Set(['message', 'reject', 'trim', 'commas']);
/** Names that OpenAPI allows for components. */
const NAME = /^[A-Za-z0-9._-]{1,100}$/;

/** Converts a schema of a declaration for the document: schemas with an `$id` become references to `named`. */
export function publishSchema(schema: unknown, named: NamedSchemas): unknown {
  if (Array.isArray(schema)) return schema.map((item) => publishSchema(item, named));
  if (!isJsonObject(schema)) return schema;
  const id = schema.$id;
  if (typeof id !== 'string' || !NAME.test(id)) return keywords(schema, named);
  const known = named.get(id);
  // Two add-ons may give different schemas the same name; the second schema then stands inline.
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
  return inDialect(published);
}

/**
 * A schema in JSON Schema 2020-12: tuples have `prefixItems`, all of them required, and lists of allowed texts have a type, which generators need.
 */
function inDialect(schema: JsonObject): JsonObject {
  const { items, additionalItems: _, ...others } = schema;
  const { enum: values, type } = schema;
  const isTexts = Array.isArray(values) && type === undefined && values.every((value) => typeof value === 'string');
  const typed = isTexts ? { type: 'string' } : {};
  if (!Array.isArray(items)) return { ...typed, ...schema };
  return { ...typed, ...others, prefixItems: items, minItems: items.length, maxItems: items.length };
}

const properties = (members: JsonObject, named: NamedSchemas): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, publishSchema(member, named)]));

/**
 * The schema of a body as the check of requests reads it: objects without a rule for further members are closed. Parts of a combined object stay
 * open, because the value has the members of all parts.
 */
export function closedSchema(schema: unknown, isPart = false): unknown {
  if (!isJsonObject(schema)) return schema;
  const closed: JsonObject = { ...schema };
  const { properties, items, anyOf, allOf } = schema;
  if (isJsonObject(properties)) {
    closed.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, closedSchema(member)]),
    );
    if (!isPart && schema.additionalProperties === undefined) {
      closed.additionalProperties = false;
      closed.patternProperties = { '^@(id|type)$': { description: 'As representations have it. It changes nothing.' } };
    }
  }
  if (items !== undefined) closed.items = closedSchema(items);
  if (Array.isArray(anyOf)) closed.anyOf = anyOf.map((variant) => closedSchema(variant, isPart));
  if (Array.isArray(allOf)) closed.allOf = allOf.map((part) => closedSchema(part, true));
  return closed;
}

/** Members that an object must have: the members that the check of a request requires and does not fill by a default. */
export function requiredOf(schema: object): string[] {
  const { required, properties: members }: JsonObject = { ...schema };
  const properties = isJsonObject(members) ? members : {};
  const isFilled = (name: string): boolean => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJsonObject(member) && member.default !== undefined;
  };
  return Array.isArray(required)
    ? required.filter((name) => typeof name === 'string').filter((name) => !isFilled(name))
    : [];
}
