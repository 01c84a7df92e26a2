import { BadRequest } from '../lib/errors.ts';
import type { RenderContext } from './render-context.ts';

/** Words for the truth values of query strings (plone.restapi, P09). */
const TRUE_WORDS = new Set(['1', 'y', 'yes', 't', 'true', 'active', 'enabled', 'on']);
const FALSE_WORDS = new Set(['0', 'n', 'no', 'f', 'false', 'inactive', 'disabled', 'off']);

/** A whole number of a query string. Empty counts as absent. Throws BadRequest for anything else. */
export function integerParameter(query: URLSearchParams, name: string, fallback: number): number {
  const value = query.get(name)?.trim();
  if (value === undefined || value === '') return fallback;
  if (!/^[+-]?\d{1,15}$/.test(value)) throw new BadRequest(`Invalid ${name}: Not an integer`);
  return Number(value);
}

/** A truth value of a query string. Empty counts as absent. Throws BadRequest for other words than the known ones. */
export function booleanParameter(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const value = query.get(name)?.trim().toLowerCase();
  if (value === undefined || value === '') return fallback;
  if (TRUE_WORDS.has(value)) return true;
  if (FALSE_WORDS.has(value)) return false;
  throw new BadRequest(`Invalid ${name}: Not a boolean. Use true or false.`);
}

/** Values of a list parameter: repeated, under Zope's name `name:list`, and separated by commas where `commas`. */
function listParameter(query: URLSearchParams, name: string, commas = false): string[] {
  const values = [...query.getAll(name), ...query.getAll(`${name}:list`)];
  return (commas ? values.flatMap((value) => value.split(',')) : values)
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** Parses the options of representations: `expand` with its options, and `metadata_fields`. Unknown names are ignored. */
export function parseRenderOptions(
  query: URLSearchParams,
): Pick<RenderContext, 'expand' | 'expandOptions' | 'metadataFields'> {
  const expandOptions = new Map<string, string[]>();
  for (const [name, value] of query) {
    if (!name.startsWith('expand.')) continue;
    const key = name.replace(/:\w+$/, '');
    expandOptions.set(key, [...(expandOptions.get(key) ?? []), value]);
  }
  return {
    expand: new Set(listParameter(query, 'expand', true)),
    expandOptions,
    metadataFields: listParameter(query, 'metadata_fields'),
  };
}
