import { BadRequest } from '../lib/errors.ts';
import { readBatch } from './batch.ts';
import type { RepresentationOptions } from './representation.ts';

const YES = new Set(['1', 'y', 'yes', 't', 'true', 'active', 'enabled', 'on']);
const NO = new Set(['0', 'n', 'no', 'f', 'false', 'inactive', 'disabled', 'off']);

/** Children in one answer unless the client says otherwise (design: never a silent cut). */
const DEFAULT_SIZE = 100;

/** A truth value of a query string, in the words of plone.restapi (P09). Throws BadRequest for others. */
export function booleanParameter(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const value = query.get(name)?.trim().toLowerCase();
  if (value === undefined || value === '') return fallback;
  if (YES.has(value)) return true;
  if (NO.has(value)) return false;
  throw new BadRequest(`Invalid ${name}: Not a boolean. Use true or false.`);
}

/** What the query says of the children in a representation. `fullobjects` counts by its presence (plone.restapi §1.5). */
export function readItemOptions(query: URLSearchParams): RepresentationOptions {
  const batch = readBatch(query, DEFAULT_SIZE);
  return {
    ...(booleanParameter(query, 'include_items', true) ? { items: batch } : {}),
    fullObjects: query.has('fullobjects'),
  };
}
