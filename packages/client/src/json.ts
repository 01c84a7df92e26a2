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
 * Takes a response of the server for the type that the site declares. The one place where a type is not checked: the schemas that the
 * types are written from are those that the server is tested with.
 */
export const asDeclared = <T>(value: unknown): T => value as T;
