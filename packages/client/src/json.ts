/** An object of JSON. */
export type JsonObject = { [member: string]: unknown };

/** Says if a value is an object of JSON: no list, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of an object, if it is a text. */
export const textOf = (object: unknown, member: string): string | undefined => {
  const value = isObject(object) ? object[member] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/**
 * Returns a response of the server as the type that the site declares. This is the only place without a check of types; the server is tested with the
 * schemas from which the types are made.
 */
export const asDeclared = <T>(value: unknown): T => value as T;
