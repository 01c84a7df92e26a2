import { readBoolean, readDate, readNumber } from '../../catalog/values.ts';
import { BadRequest } from '../../lib/errors.ts';

/** A parameter of a search: `created.query:date` is the option `query` of the index `created`, and its value a date. */
export type SearchParameter = { index: string; option: string; values: unknown[] };

/** What the suffixes of a name make of its value, as Zope reads forms. Others, such as `list`, change nothing. */
const CONVERSIONS: Record<string, (name: string, value: string) => unknown[]> = {
  int: (name, value) => [integer(name, value)],
  long: (name, value) => [integer(name, value)],
  float: (name, value) => [readNumber(name, value)],
  boolean: (name, value) => [readBoolean(name, value)],
  date: (name, value) => [readDate(name, value)],
  tokens: (_name, value) => value.split(/\s+/).filter((token) => token !== ''),
  lines: (_name, value) => value.split(/\r?\n/),
  ignore_empty: (_name, value) => (value.trim() === '' ? [] : [value]),
};

/** A whole number. Throws BadRequest for anything else. */
export function integer(name: string, value: string): number {
  if (!/^\s*[+-]?\d{1,15}\s*$/.test(value)) throw new BadRequest(`Invalid ${name}: Not an integer`);
  return Number(value);
}

/** The index and the option that a name of the query string means, and its conversion. Values are not looked at. */
export function parameterName(name: string): { index: string; option: string; suffixes: string[] } {
  const [address = '', ...suffixes] = name.split(':');
  const dot = address.indexOf('.');
  return dot === -1
    ? { index: address, option: 'query', suffixes }
    : { index: address.slice(0, dot), option: address.slice(dot + 1), suffixes };
}

/** Reads one parameter. Throws BadRequest for a value that is not of the type that its name says. */
export function readParameter(name: string, value: string): SearchParameter {
  const { index, option, suffixes } = parameterName(name);
  const suffix = suffixes.find((word) => Object.hasOwn(CONVERSIONS, word));
  const convert = suffix === undefined ? undefined : CONVERSIONS[suffix];
  return { index, option, values: convert ? convert(index, value) : [value] };
}
