import type { CatalogQuery } from '../../catalog/query.ts';
import { isEmptyValue, type Row, readRows, valuesOf } from '../../catalog/querystring/operations.ts';
import { readBoolean } from '../../catalog/values.ts';
import { BadRequest } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { integer } from '../search/search-parameter.ts';

/** What a listing asks for. */
export type Listing = {
  rows: Row[];
  sort: CatalogQuery['sort'];
  limit?: number;
  start: number;
  size: number;
  fullObjects: boolean;
  metadataFields: string[];
};

const DEFAULT_SIZE = 25;
const LARGEST_SIZE = 10_000;
const MAX_NAMES = 100;

/** A whole number of a body; clients send them as text, too. Empty counts as absent. Throws BadRequest. */
function wholeNumber(body: JsonObject, name: string, fallback: number): number {
  const value = body[name];
  if (isEmptyValue(value)) return fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return Math.max(0, value);
  if (typeof value === 'string') return Math.max(0, integer(name, value));
  throw new BadRequest(`Invalid ${name}: Not an integer`);
}

/** A text or a list of texts. Throws BadRequest for anything else. */
function texts(body: JsonObject, name: string): string[] {
  const values = valuesOf(body[name]);
  if (values.length > MAX_NAMES || !values.every((value) => typeof value === 'string'))
    throw new BadRequest(`Invalid ${name}: a text or a list of up to ${MAX_NAMES} texts.`);
  return values.filter((value) => typeof value === 'string');
}

/** Reads the body of `@querystring-search`. Throws BadRequest for what cannot be understood (plone.restapi, Q27). */
export function readListing(body: JsonObject): Listing {
  const limit = wholeNumber(body, 'limit', 0);
  // Only this very word turns the order round (plone.restapi §6.3).
  const descending = body.sort_order === 'descending';
  return {
    rows: readRows(body.query),
    sort: texts(body, 'sort_on').map((on) => ({ on, descending })),
    ...(limit > 0 ? { limit } : {}),
    start: wholeNumber(body, 'b_start', 0),
    size: Math.min(LARGEST_SIZE, wholeNumber(body, 'b_size', DEFAULT_SIZE)),
    fullObjects: isEmptyValue(body.fullobjects) ? false : readBoolean('fullobjects', body.fullobjects),
    metadataFields: texts(body, 'metadata_fields'),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}

/** The body that a GET carries in its query string, encoded once or twice (plone.restapi, Q25). Throws BadRequest. */
export function bodyOfQuery(query: URLSearchParams): JsonObject {
  const text = query.get('query') ?? '';
  if (text.trim() === '') throw new BadRequest('No query supplied');
  const body = parsed(text) ?? parsed(decoded(text));
  if (isJsonObject(body)) return body;
  throw new BadRequest('The query is not JSON: an object with the list "query" is wanted.');
}
