import { isJsonObject, mapItems, mapValues } from '#lib/json-object';

/** True if PostgreSQL can store the text. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** Replaces every character that cannot be stored by U+FFFD: U+0000 and halves of surrogate pairs. */
const cleanText = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll('\u0000', '\uFFFD');

/**
 * Cleans all texts and keys of a JSON value, which may contain dates, so that they can be stored. Returns the value
 * itself when nothing has to change.
 */
export function cleanTexts<T>(value: T): T;
export function cleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return mapItems(value, (item) => cleanTexts(item));
  if (!isJsonObject(value) || value instanceof Date) return value;
  const cleaned = mapValues(value, (inner) => cleanTexts(inner));
  if (Object.keys(cleaned).every(isStorable)) return cleaned;
  return Object.fromEntries(Object.entries(cleaned).map(([key, inner]) => [cleanText(key), inner]));
}

/** True if a text can be an identifier in an index: it is not empty, has at most 255 characters, and can be stored. */
export const isIdentifier = (text: string): boolean => text !== '' && text.length <= 255 && isStorable(text);
