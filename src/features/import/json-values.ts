import { isJsonObject } from '../../lib/json-object.ts';

/** Looks at values that came out of a JSON file and may be anything. */

/** The value of an object's own key; undefined for anything else, also for inherited names such as `constructor`. */
export function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A non-empty string, else null. */
export function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A string, else the empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The non-empty strings of a list; empty for anything else. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string' && entry !== '') : [];
}

/** A finite number, else null. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

type Scalar = string | number | boolean | null;

/** Plone's `{token, title}` of a choice: the token. Undefined when the value is no such object. */
export function tokenOf(value: unknown): Scalar | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 2 || !Object.hasOwn(value, 'title')) return undefined;
  const token = memberOf(value, 'token');
  return isScalar(token) ? token : undefined;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const DATE_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * A date of an export. Python leaves the zone out where a date was stored without one; Plone's servers
 * run in UTC, so such a date is UTC.
 * @returns null for anything but an ISO 8601 date
 */
export function parseDate(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const match = DATE_TIME.exec(value);
  if (!match) return null;
  const iso = value.replace(' ', 'T');
  const isWithoutZone = match[1] === undefined && iso.includes('T');
  const date = new Date(isWithoutZone ? `${iso}Z` : iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Zope's DateTime writes "from the beginning of time" for a publication date that was never set. */
export function parseEffective(value: unknown): Date | null {
  const date = parseDate(value);
  return date && date.getUTCFullYear() >= 1970 ? date : null;
}

/** Zope's DateTime writes the year 2499 for an expiration date that was never set. */
export function parseExpires(value: unknown): Date | null {
  const date = parseDate(value);
  return date && date.getUTCFullYear() < 2499 ? date : null;
}

/** Whether a text is an ISO 8601 date with a time of day. */
export function isDateTime(value: string): boolean {
  return value.length <= 40 && value.includes('T') && parseDate(value) !== null;
}

/** Marks a date-time without a zone as UTC; any other text stays as it is. */
export function withZone(value: string): string {
  return isDateTime(value) && DATE_TIME.exec(value)?.[1] === undefined ? `${value}Z` : value;
}

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
