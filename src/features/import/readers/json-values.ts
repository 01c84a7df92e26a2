import { isJsonObject } from '../../../lib/json-object.ts';

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
