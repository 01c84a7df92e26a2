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
export function stringOf(value: unknown): string {
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

const DATE_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Parses a date of an export. One with a time and without a zone is UTC, as servers write it.
 * @returns null for anything but an ISO 8601 date
 */
export function parseDate(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const match = DATE_TIME.exec(value);
  if (!match) return null;
  const iso = value.replace(' ', 'T');
  const date = new Date(isWithoutZone(value) ? `${iso}Z` : iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Says if a text is a date with a time of day and without a time zone. */
export function isWithoutZone(value: string): boolean {
  const match = DATE_TIME.exec(value);
  return match !== null && match[1] === undefined && /[T ]/.test(value);
}

/** True for the value of an empty field. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0);

/** Says if a value has more levels than `levels`: recursive functions would have no stack for it. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const entry of Object.values(value)) if (isDeeperThan(entry, levels - 1)) return true;
  return false;
}
