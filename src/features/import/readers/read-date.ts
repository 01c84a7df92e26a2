const DATE_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * A date of an export. Python leaves the zone out where a date was stored without one; Plone's servers
 * run in UTC, so such a date is UTC.
 * @returns null for anything but an ISO 8601 date
 */
export function readDate(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const match = DATE_TIME.exec(value);
  if (!match) return null;
  const iso = value.replace(' ', 'T');
  const isWithoutZone = match[1] === undefined && iso.includes('T');
  const date = new Date(isWithoutZone ? `${iso}Z` : iso);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Zope's DateTime writes "from the beginning of time" for a publication date that was never set. */
export function readEffective(value: unknown): Date | null {
  const date = readDate(value);
  return date && date.getUTCFullYear() >= 1970 ? date : null;
}

/** Zope's DateTime writes the year 2499 for an expiration date that was never set. */
export function readExpires(value: unknown): Date | null {
  const date = readDate(value);
  return date && date.getUTCFullYear() < 2499 ? date : null;
}

/** Whether a text is an ISO 8601 date with a time of day. */
export function isDateTime(value: string): boolean {
  return value.length <= 40 && value.includes('T') && readDate(value) !== null;
}

/** Marks a date-time without a zone as UTC; any other text stays as it is. */
export function withZone(value: string): string {
  return isDateTime(value) && DATE_TIME.exec(value)?.[1] === undefined ? `${value}Z` : value;
}
