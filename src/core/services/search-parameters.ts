import { type StaticDecode, Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import { BooleanParameter, IntegerParameter } from '../../lib/schema/parameters.ts';
import { parseInteger } from '../../lib/schema/parse-text.ts';
import type { QueryContext } from '../search/catalog-index.ts';
import { type CatalogQuery, type Constraint, constraint, type PathScope, type Range } from '../search/query.ts';
import { cleanPath } from '../search/querystring/listing-path.ts';
import { parseBoolean, parseDate, parseNumber, parseText } from '../search/values.ts';
import type { SearchExtras } from '../serializer/search-extras.ts';
import { Batching, OpenObject, Tokens } from './schemas.ts';

/** A parameter of a search: `created.query:date` is the option `query` of the index `created`, and its value a date. */
type SearchParameter = { index: string; option: string; values: unknown[] };

/** Conversions of values by the suffixes of their names, as Zope reads forms. Other suffixes, such as `list`, change nothing. */
const CONVERSIONS: Record<string, (name: string, value: string) => unknown[]> = {
  int: (name, value) => [requireInteger(name, value)],
  long: (name, value) => [requireInteger(name, value)],
  float: (name, value) => [parseNumber(name, value)],
  boolean: (name, value) => [parseBoolean(name, value)],
  date: (name, value) => [parseDate(name, value)],
  tokens: (_name, value) => value.split(/\s+/).filter((token) => token !== ''),
  lines: (_name, value) => value.split(/\r?\n/),
  ignore_empty: (_name, value) => (value.trim() === '' ? [] : [value]),
};

/** A whole number. Throws BadRequest for anything else. */
function requireInteger(name: string, value: string): number {
  const number = parseInteger(value);
  if (number === undefined) throw new BadRequest(`Invalid ${name}: Not an integer`);
  return number;
}

/** The index, the option and the conversion that a name of the query string means, whatever its value. */
function parameterName(name: string): { index: string; option: string; suffixes: string[] } {
  const [address = '', ...suffixes] = name.split(':');
  const dot = address.indexOf('.');
  return dot === -1
    ? { index: address, option: 'query', suffixes }
    : { index: address.slice(0, dot), option: address.slice(dot + 1), suffixes };
}

/** Parses one parameter. Throws BadRequest for a value that is not of the type in its name. */
function parseParameter(name: string, value: string): SearchParameter {
  const { index, option, suffixes } = parameterName(name);
  const suffix = suffixes.find((word) => Object.hasOwn(CONVERSIONS, word));
  const convert = suffix === undefined ? undefined : CONVERSIONS[suffix];
  return { index, option, values: convert ? convert(index, value) : [value] };
}

/** Results in one batch unless the client says otherwise (plone.restapi, Q01). */
const DEFAULT_SIZE = 25;

/** Number of values of a facet unless the client names one, and its maximum. */
export const DEFAULT_FACET_VALUES = 20;
const MAX_FACET_VALUES = 100;

/** The parameters of a search that are no names of indexes. */
const WINDOW = {
  sort_on: Type.Array(Type.String(), { description: 'Indexes to sort by.', default: [] }),
  sort_order: Type.Array(Type.String(), {
    description: 'ascending, descending or reverse: one order for all, or one for each index.',
    default: [],
  }),
  sort_limit: IntegerParameter('sort_limit', {
    description: 'Most results there are, however many fit; 0 for all of them.',
    default: 0,
  }),
  metadata_fields: Type.Optional(Type.Array(Type.String(), { description: 'Catalog columns to add; `_all` for all.' })),
  fullobjects: Type.Optional(Type.String({ description: 'When present, results are whole objects.' })),
  hl: BooleanParameter('hl', {
    description:
      'Whether results get `highlighting`: parts of their texts as escaped HTML with `<mark>` around the words.',
    default: false,
  }),
  facet_fields: Tokens({
    description:
      'Indexes by whose values all results are counted (`facets`), such as portal_type or Subject; of dates by the year.',
    default: [],
  }),
  facet_limit: IntegerParameter('facet_limit', {
    description: `Most values of each facet, those of most results first; ${MAX_FACET_VALUES} at most.`,
    default: DEFAULT_FACET_VALUES,
  }),
  spellcheck: BooleanParameter('spellcheck', {
    description:
      'Whether a search that finds nothing gets `did_you_mean`: the text with words of titles in place of unknown ones.',
    default: false,
  }),
  ...Batching('results', { size: DEFAULT_SIZE }),
};

/**
 * The query of `@search`. Each parameter with the name of an index is a constraint, in the forms of Zope (`created.query:date`). No schema can list
 * these forms, so `parseConstraints` parses them. This schema has the parameters that most clients use.
 */
export const SearchQuery = OpenObject({
  SearchableText: Type.Optional(
    Type.String({ description: 'Words that must occur; `*` behind the beginning of one.' }),
  ),
  portal_type: Type.Optional(Type.Array(Type.String(), { description: 'Names of types.' })),
  'path.query': Type.Optional(Type.Array(Type.String(), { description: 'Where to search instead.' })),
  'path.depth': Type.Optional(
    IntegerParameter('path.depth', { description: 'Levels below the path; 0 for the object alone.' }),
  ),
  use_site_search_settings: Type.Optional(
    Type.String({ description: "When present, the site's settings of search decide on types and order." }),
  ),
  ...WINDOW,
});

type SearchOptions = StaticDecode<typeof SearchQuery>;
/** The parameters for the order and the number of results. */
type SearchOrder = Pick<SearchOptions, 'sort_on' | 'sort_order' | 'sort_limit'>;

const RANGES: Record<string, Range> = {
  min: 'min',
  max: 'max',
  'min:max': 'min:max',
  minmax: 'min:max',
  'max:min': 'min:max',
};
/** Words that turn an order round (plone.restapi, Q12). */
const DESCENDING = new Set(['descending', 'reverse', 'desc']);

/** The scope of a search. */
type SearchPlace = {
  catalog: QueryContext['catalog'];
  /** Path that is searched unless the query names others. */
  path: string;
  /** Address of the site root, which paths may begin with. */
  base: string;
};

const rangeOf = (index: string, word: unknown): Range => {
  const range = typeof word === 'string' && Object.hasOwn(RANGES, word) ? RANGES[word] : undefined;
  if (range) return range;
  throw new BadRequest(`Invalid ${index}.range: use min, max or min:max.`);
};

const operatorOf = (index: string, word: unknown): 'and' | 'or' => {
  const operator = typeof word === 'string' ? word.toLowerCase() : undefined;
  if (operator === 'and' || operator === 'or') return operator;
  throw new BadRequest(`Invalid ${index}.operator: use and, or.`);
};

/** Adds one parameter to the constraint on its index. */
function extended(before: Constraint, index: string, option: string, values: unknown[]): Constraint {
  if (option === 'query') return { ...before, values: [...before.values, ...values] };
  if (option === 'not') return { ...before, not: [...before.not, ...values] };
  if (option === 'range') return { ...before, range: rangeOf(index, values.at(-1)) };
  if (option === 'operator') return { ...before, operator: operatorOf(index, values.at(-1)) };
  return before;
}

/** The constraints that the query string holds, by their indexes. */
function parseConstraints(query: URLSearchParams, catalog: SearchPlace['catalog']): Map<string, Constraint> {
  const constraints = new Map<string, Constraint>();
  for (const [name, value] of query) {
    const { index } = parameterName(name);
    if (Object.hasOwn(WINDOW, index) || !catalog.find(index)) continue;
    const { option, values } = parseParameter(name, value);
    constraints.set(index, extended(constraints.get(index) ?? constraint([]), index, option, values));
  }
  return constraints;
}

/** A path of a client: relative to the site root, or an address below it. */
const sitePath = (base: string) => (value: unknown) => {
  const path = parseText('path', value).trim();
  return cleanPath(path === base || path.startsWith(`${base}/`) ? path.slice(base.length) : path);
};

function parsePaths(query: URLSearchParams, path: Constraint, place: SearchPlace): PathScope[] {
  const given = [...query].findLast(
    ([name]) => parameterName(name).index === 'path' && parameterName(name).option === 'depth',
  );
  const depth = given && given[1].trim() !== '' ? { depth: requireInteger('path.depth', given[1]) } : {};
  const paths = path.values.length > 0 ? path.values.map(sitePath(place.base)) : [place.path];
  return paths.map((one) => ({ path: one, ...depth }));
}

/** The sort keys of results, with one order for all keys, or one order for each key. */
const sortOf = ({ sort_on: names, sort_order: orders }: SearchOrder): CatalogQuery['sort'] =>
  names.map((on, at) => ({
    on,
    descending: DESCENDING.has((orders[at] ?? orders.at(-1) ?? '').toLowerCase()),
  }));

/**
 * The query of a search (plone.restapi §6.2): every parameter that is the name of an index is a constraint; other parameters are ignored. Throws
 * BadRequest for malformed values.
 */
export function parseSearch(searchParams: URLSearchParams, options: SearchOrder, place: SearchPlace): CatalogQuery {
  const constraints = parseConstraints(searchParams, place.catalog);
  const path = constraints.get('path') ?? constraint([]);
  constraints.delete('path');
  return {
    constraints: [...constraints].map(([index, value]) => ({ index, constraint: value })),
    paths: parsePaths(searchParams, path, place),
    ...(path.not.length > 0 ? { notPaths: path.not.map(sitePath(place.base)).map((one) => ({ path: one })) } : {}),
    sort: sortOf(options),
    ...(options.sort_limit > 0 ? { limit: options.sort_limit } : {}),
  };
}

/** Returns the requested additions to the results of a search; undefined for none. */
export function extrasOf({
  hl,
  spellcheck,
  facet_fields: fields,
  facet_limit: limit,
}: Pick<SearchOptions, 'hl' | 'spellcheck' | 'facet_fields' | 'facet_limit'>): SearchExtras | undefined {
  if (!hl && !spellcheck && fields.length === 0) return undefined;
  const values = Math.min(MAX_FACET_VALUES, Math.max(1, limit));
  return { highlight: hl, correct: spellcheck, facets: fields.length === 0 ? undefined : { fields, limit: values } };
}

/** Says if the query searches for a text without any word: only `*`, parentheses or nothing (plone.restapi, Q11). */
export function asksForNothing({ constraints }: CatalogQuery): boolean {
  const text = constraints.find(({ index }) => index === 'SearchableText')?.constraint;
  if (!text || text.values.length === 0) return false;
  return text.values.every((value) => parseText('SearchableText', value).replace(/[()*\s]/g, '') === '');
}
