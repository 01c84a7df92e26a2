/** Characters that PostgreSQL cannot hold in a text. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** The text with U+FFFD for every character that cannot be stored: U+0000 and halves of surrogate pairs. */
const cleanText = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll('\u0000', '\uFFFD');

/**
 * A JSON value (dates may be in it) with all its texts and keys such that they can be stored. The value itself
 * when they all can be.
 */
export function cleanTexts<T>(value: T): T;
export function cleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => cleanTexts(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const entry: [string, unknown] = [cleanText(key), cleanTexts(inner)];
    changed ||= entry[0] !== key || entry[1] !== inner;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Whether a text can be an identifier in an index: not empty, not long, and storable. */
export const isIdentifier = (text: string): boolean => text !== '' && text.length <= 255 && isStorable(text);
