import { BadRequest } from '../lib/errors.ts';

/** Nine digits fit the column. */
const NUMBER = /^\d{1,9}$/;

/** The number of a version as clients write it, a number or its digits; undefined for anything else. */
export function versionNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && NUMBER.test(text) ? Number(text) : undefined;
}

/** The version that the query of a GET asks for; undefined for the present state. Throws BadRequest for what is no number. */
export function requestedVersion(query: URLSearchParams): number | undefined {
  const text = query.get('version')?.trim();
  if (text === undefined || text === '' || text === 'current') return undefined;
  const number = versionNumber(text);
  if (number === undefined) throw new BadRequest('Invalid version: Not the number of a version');
  return number;
}
