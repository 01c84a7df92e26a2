/** An object of JSON, in bodies and responses. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object (no array, no null). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of a value of JSON that others share, such as a default. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Most defaults of lists are empty; a general copy takes longer than the check of a query.
  return Array.isArray(value) && value.length === 0 ? [] : structuredClone(value);
}

/** The value of a JSON text; undefined for a text that is no JSON. */
export function valueOfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The object with every value changed, keys in their order. It is the same object when no value changes, so that data without references is not
 * copied.
 */
export function mapValues(object: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  const keys = Object.keys(object);
  // Made with the first change, because most objects of a response have no changes, and these walks are a large part of making it.
  let changes: Map<string, unknown> | undefined;
  for (const key of keys) {
    const value = object[key];
    const next = change(value, key);
    if (next !== value) {
      changes ??= new Map();
      changes.set(key, next);
    }
  }
  if (changes === undefined) return object;
  const made = changes;
  // fromEntries defines keys, assignment would set the prototype for a client's `__proto__`.
  return Object.fromEntries(keys.map((key) => [key, made.has(key) ? made.get(key) : object[key]]));
}

/** The list with every item changed; the same list when no item changes. */
export function mapItems(list: unknown[], change: (item: unknown) => unknown): unknown[] {
  let items: unknown[] | undefined;
  // Without the iterator of entries, which makes an array for each item.
  for (let i = 0; i < list.length; i += 1) {
    const next = change(list[i]);
    if (next === list[i]) continue;
    items ??= [...list];
    items[i] = next;
  }
  return items ?? list;
}

/** The object with the value of one own key changed; the same object without that key or without a change. */
export function mapKey(object: JsonObject, key: string, change: (value: unknown) => unknown): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const value = object[key];
  const next = change(value);
  return next === value ? object : { ...object, [key]: next };
}

/** The object without the keys that `drop` names; the same object if it has no such key. */
export function omit(object: JsonObject, drop: (key: string) => boolean): JsonObject {
  const entries = Object.entries(object);
  const kept = entries.filter(([key]) => !drop(key));
  return kept.length === entries.length ? object : Object.fromEntries(kept);
}

/** The token in a term that a client sent: `"en"`, `{token: "en", title: "English"}`; undefined for other values. */
export function tokenOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string')
    return value.token;
  return undefined;
}

/** A value that is a text; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
