import { copyOf, isJsonObject, type JsonObject } from '../json-object.ts';

/**
 * Fills the defaults of absent required members, at every depth, and returns the value. Objects are changed in place. The default of an optional
 * member only documents the effect of its absence: filled in, it would make PATCH change members that the client did not name.
 */
export function fillDefaults(schema: unknown, value: unknown): unknown {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return fillItems(schema, value);
  if (!isJsonObject(value)) return value;
  if (Array.isArray(schema.allOf)) for (const part of schema.allOf) fillDefaults(part, value);
  if (isJsonObject(schema.properties)) fillMembers(schema.properties, requiredIn(schema), value);
  return value;
}

/** Names of the members that an object must have by its schema; members with a default are filled. */
export const requiredIn = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];

function fillMembers(properties: JsonObject, required: readonly string[], value: JsonObject): void {
  for (const [name, member] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) fillDefaults(member, value[name]);
    else if (required.includes(name) && isJsonObject(member) && Object.hasOwn(member, 'default'))
      value[name] = copyOf(member.default);
  }
}

function fillItems({ items }: JsonObject, value: unknown[]): unknown[] {
  if (isJsonObject(items)) for (const item of value) fillDefaults(items, item);
  return value;
}
