import { Type } from 'typebox';
import { type CatalogQuery, constraint } from '../catalog/query.ts';
import { isEmptyValue, parseRows, type Row, valuesOf } from '../catalog/querystring/operations.ts';
import { parseBoolean } from '../catalog/values.ts';
import { isRoot } from '../content/locate.ts';
import { BadRequest } from '../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../lib/json-object.ts';
import { VIEW } from '../security/permissions.ts';
import { componentUrl } from '../serializer/components.ts';
import { listingQuery } from '../serializer/listing.ts';
import { searchResults } from '../serializer/search-results.ts';
import { documentedQuery } from './openapi/schemas.ts';
import { Results, resultsAddress } from './search.ts';
import { integer } from './search-parameters.ts';
import { defineService, ok, type RequestContext, type Service } from './service.ts';

/** What a listing asks for. */
type ListingRequest = {
  rows: Row[];
  sort: CatalogQuery['sort'];
  limit?: number;
  start: number;
  size: number;
  fullObjects: boolean;
  metadataFields: string[];
};

const DEFAULT_SIZE = 25;
const MAX_SIZE = 10_000;
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
function readListing(body: JsonObject): ListingRequest {
  const limit = wholeNumber(body, 'limit', 0);
  // Only this very word turns the order round (plone.restapi §6.3).
  const descending = body.sort_order === 'descending';
  return {
    rows: parseRows(body.query),
    sort: texts(body, 'sort_on').map((on) => ({ on, descending })),
    ...(limit > 0 ? { limit } : {}),
    start: wholeNumber(body, 'b_start', 0),
    size: Math.min(MAX_SIZE, wholeNumber(body, 'b_size', DEFAULT_SIZE)),
    fullObjects: isEmptyValue(body.fullobjects) ? false : parseBoolean('fullobjects', body.fullobjects),
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
function bodyOfQuery(query: URLSearchParams): JsonObject {
  const text = query.get('query') ?? '';
  if (text.trim() === '') throw new BadRequest('No query supplied');
  const body = parsed(text) ?? parsed(decoded(text));
  if (isJsonObject(body)) return body;
  throw new BadRequest('The query is not JSON: an object with the list "query" is wanted.');
}

/** Runs the listing of a body on an object; the object itself is not among the results, the site root may be. */
async function runListing(context: RequestContext, body: JsonObject): Promise<JsonObject> {
  const { resolved, searchParams } = context;
  const listing = readListing(body);
  const conditions = await listingQuery(context, resolved, listing.rows);
  const self = { index: 'UID', constraint: constraint([], { not: [resolved.object.uid] }) };
  const url = componentUrl(context, resolved, 'querystring-search');
  const results = await searchResults(
    { ...context, metadataFields: [...context.metadataFields, ...listing.metadataFields] },
    resolved,
    {
      query: conditions && {
        ...conditions,
        constraints: isRoot(resolved.object) ? conditions.constraints : [...conditions.constraints, self],
        sort: listing.sort,
        ...(listing.limit === undefined ? {} : { limit: listing.limit }),
      },
      batch: { start: listing.start, size: listing.size, query: searchParams },
      fullObjects: listing.fullObjects,
      url,
    },
  );
  return { '@id': resultsAddress(url, searchParams), ...results };
}

const Listing = Type.Object(
  {
    query: Type.Optional(
      Type.Unknown({
        description: 'List of conditions {i: index, o: operation, v: value}, see @querystring. Required.',
      }),
    ),
    sort_on: Type.Optional(Type.Unknown({ description: 'Index to sort by, or a list of them.' })),
    sort_order: Type.Optional(Type.Unknown({ description: 'ascending or descending.' })),
    limit: Type.Optional(Type.Unknown({ description: 'Most results there are, however many fit.' })),
    b_start: Type.Optional(Type.Unknown({ description: 'Index of the first result; 0 unless given.' })),
    b_size: Type.Optional(Type.Unknown({ description: 'Results in a batch; 25 unless given.' })),
    fullobjects: Type.Optional(Type.Unknown({ description: 'Whether results are whole objects.' })),
    metadata_fields: Type.Optional(Type.Unknown({ description: 'Catalog columns to add; `_all` for all.' })),
  },
  { additionalProperties: true },
);

const common = {
  name: '@querystring-search',
  context: 'content',
  permission: VIEW,
  summary: 'Content that fits the conditions of a listing; this object itself is left out.',
  responses: {
    200: { description: 'The results.', schema: Results },
    400: { description: 'There is no query, or it cannot be understood.' },
  },
} as const;

/** POST `@querystring-search`: runs the conditions of the body. */
const postQuerystringSearch = defineService({
  ...common,
  method: 'POST',
  body: Listing,
  run: async (context) => ok(await runListing(context, context.body)),
});

/** GET `@querystring-search`: the same with the body as JSON in the query string, for caches. */
const getQuerystringSearch = defineService({
  ...common,
  method: 'GET',
  query: documentedQuery(Type.Object({ query: Type.String({ description: 'The body of the POST as JSON.' }) })),
  run: async (context) => ok(await runListing(context, bodyOfQuery(context.searchParams))),
});

export const querystringSearchServices: Service[] = [getQuerystringSearch, postQuerystringSearch];
