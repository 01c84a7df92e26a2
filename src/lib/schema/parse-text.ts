const YES = new Set(['1', 'y', 'yes', 't', 'true', 'active', 'enabled', 'on']);
const NO = new Set(['0', 'n', 'no', 'f', 'false', 'inactive', 'disabled', 'off']);

/** The truth value that a text names, in the words of plone.restapi (P09); undefined for other texts. */
export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/** The whole number that a text names, of at most 15 digits; undefined for other texts. */
export function parseInteger(text: string): number | undefined {
  const digits = text.trim();
  return /^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** The number that a text names in decimal notation; undefined for other texts. */
export function parseNumber(text: string): number | undefined {
  const digits = text.trim();
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(digits) ? Number(digits) : undefined;
}
