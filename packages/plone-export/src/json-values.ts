// Helpers for values of a JSON file, which may be anything.

/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object (no array, no null). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the value of an object's own key; undefined for anything else, also for inherited names such as
 * `constructor`.
 */
export function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns a non-empty string, else null. */
export function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns a string, else the empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the non-empty strings of a list; an empty list for anything else. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string' && entry !== '') : [];
}

/** Returns a finite number, else null. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

type Scalar = string | number | boolean | null;

/** Returns the token of Plone's `{token, title}` for a choice; undefined for any other value. */
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
 * Parses a date of an export. Python writes no time zone for a date that was stored without one; Plone's servers run in
 * UTC, so such a date is UTC.
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

/** Parses a publication date. Zope's DateTime writes a year before 1970 for a date that was never set: null. */
export function parseEffective(value: unknown): Date | null {
  const date = parseDate(value);
  return date && date.getUTCFullYear() >= 1970 ? date : null;
}

/** Parses an expiration date. Zope's DateTime writes the year 2499 for a date that was never set: null. */
export function parseExpires(value: unknown): Date | null {
  const date = parseDate(value);
  return date && date.getUTCFullYear() < 2499 ? date : null;
}

/** True if a text is an ISO 8601 date with a time of day. */
function isDateTime(value: string): boolean {
  return value.length <= 40 && value.includes('T') && parseDate(value) !== null;
}

/** Marks a date-time without a time zone as UTC; returns any other text unchanged. */
export function withZone(value: string): string {
  return isDateTime(value) && DATE_TIME.exec(value)?.[1] === undefined ? `${value}Z` : value;
}

/** True for the value of an empty field. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0);
