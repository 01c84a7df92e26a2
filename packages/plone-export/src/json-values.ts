// Values as the exporters of Plone write them.

import { isJsonObject, isWithoutZone, memberOf, parseDate } from '@canopy-server/site-reader';

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

/** Marks a date-time without a time zone as UTC: Plone's servers run in it. Returns any other text unchanged. */
export function withZone(value: string): string {
  return value.length <= 40 && value.includes('T') && isWithoutZone(value) && parseDate(value) !== null
    ? `${value}Z`
    : value;
}
