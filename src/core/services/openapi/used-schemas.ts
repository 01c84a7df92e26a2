import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';

/** The address of a schema in a document, before its name. */
export const REFERENCE = '#/components/schemas/';

/** The names of the components that a value refers to. */
function* namesIn(value: unknown): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  else if (isJsonObject(value))
    for (const [member, one] of Object.entries(value))
      if (member === '$ref' && typeof one === 'string' && one.startsWith(REFERENCE)) yield one.slice(REFERENCE.length);
      else yield* namesIn(one);
}

/** The schemas that `users` refer to, directly or through other schemas. `users` are parts of a document, or references. */
export function usedSchemas(schemas: JsonObject, users: readonly unknown[]): JsonObject {
  const used = new Set<string>();
  const open = users.flatMap((user) => [...namesIn(user)]);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    open.push(...namesIn(schemas[name]));
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
