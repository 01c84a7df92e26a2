/** Members of JSON of any form. */

import { isJsonObject, type JsonObject } from './json-object.ts';

/** The object under a key; an empty object for other values. */
export const objectAt = (value: unknown, key: string): JsonObject => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
};

/** The objects of the list under a key. */
export const listAt = (value: unknown, key: string): JsonObject[] => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
};

/** The text under a key; empty for other values. */
export const textAt = (value: unknown, key: string): string => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
};
