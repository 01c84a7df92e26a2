import { type StaticDecode, type TSchemaOptions, Type } from 'typebox';
import { isJsonObject, type JsonObject, valueOfJson } from '../../lib/json-object.ts';
import { parseBoolean, parseInteger } from '../../lib/schema/parse-text.ts';
import { isRoot } from '../content/locate.ts';
import { constraint } from '../search/query.ts';
import { conditionOf, isEmptyValue, MAX_ROWS, valuesOf } from '../search/querystring/operations.ts';
import { VIEW } from '../security/permissions.ts';
import { componentUrl } from '../serializer/components.ts';
import { listingQuery } from '../serializer/listing.ts';
import { Results } from '../serializer/result-shapes.ts';
import { searchResults } from '../serializer/search-results.ts';
import { ok } from './response.ts';
import { inEveryCase, Nullable, Words } from './schemas.ts';
import { resultsAddress } from './search.ts';
import { DEFAULT_FACET_VALUES, extrasOf } from './search-parameters.ts';
import { defineService, type RequestContext, type Service } from './service.ts';

const DEFAULT_SIZE = 25;
const MAX_SIZE = 10_000;
const MAX_NAMES = 100;

/** A whole number of a body, 0 or more; clients may send it as text. An empty text counts as absent. */
const WholeNumber = (name: string, options: TSchemaOptions) =>
  Type.Optional(
    Type.Decode(
      Type.Refine(
        Type.Union([Type.Integer(), Type.String(), Type.Null()], {
          reject: `Invalid ${name}: Not an integer`,
          ...options,
        }),
        (value) =>
          isEmptyValue(value) ||
          (typeof value === 'number' ? Number.isSafeInteger(value) : parseInteger(String(value)) !== undefined),
      ),
      (value) => (isEmptyValue(value) ? undefined : Math.max(0, Number(value))),
    ),
  );

const textsOf = (value: unknown): string[] => valuesOf(value).filter((one) => typeof one === 'string');

/** A text of a body or a list of texts; `run` gets a list. Empty texts count as absent. */
const Names = (name: string, options: TSchemaOptions) =>
  Type.Optional(
    Type.Decode(
      Type.Refine(
        Type.Union([Type.String(), Type.Array(Nullable(Type.String())), Type.Null()], {
          reject: `Invalid ${name}: a text or a list of up to ${MAX_NAMES} texts.`,
          ...options,
        }),
        (value) => textsOf(value).length <= MAX_NAMES,
      ),
      textsOf,
    ),
  );

const NO_CONDITION = 'Invalid query. Each condition is an object with "i" (index), "o" (operation) and "v" (value).';
const CONDITION = inEveryCase(NO_CONDITION);

const Conditions = Type.Decode(
  Type.Array(
    Type.Object(
      {
        i: Type.String({ description: 'The index.', reject: CONDITION }),
        o: Type.String({ description: 'The operation.', reject: CONDITION }),
        v: Type.Optional(Type.Unknown({ description: 'The value; what it may be depends on the operation.' })),
      },
      { additionalProperties: true, reject: NO_CONDITION },
    ),
    {
      description: 'Conditions, see `@querystring`.',
      minItems: 1,
      maxItems: MAX_ROWS,
      reject: {
        ...inEveryCase('No query supplied'),
        maxItems: `A query has ${MAX_ROWS} conditions at most.`,
      },
    },
  ),
  (rows) => rows.map(conditionOf),
);

/** The body of a listing (plone.restapi §6.3). */
const Listing = Type.Object(
  {
    query: Conditions,
    sort_on: Names('sort_on', { description: 'Index to sort by, or a list of them.' }),
    sort_order: Type.Optional(
      Nullable(Type.String(), { description: 'Only the very word `descending` turns the order round.' }),
    ),
    limit: WholeNumber('limit', { description: 'Most results there are, however many fit; 0 for all of them.' }),
    b_start: WholeNumber('b_start', { description: 'Index of the first result; 0 unless given.' }),
    b_size: WholeNumber('b_size', { description: `Results in a batch; ${DEFAULT_SIZE} unless given.` }),
    fullobjects: Type.Optional(
      Type.Decode(
        Type.Refine(
          Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()], {
            description: 'Whether results are whole objects.',
            reject: 'Invalid fullobjects: Not a boolean. Use true or false.',
          }),
          (value) => isEmptyValue(value) || parseBoolean(String(value)) !== undefined,
        ),
        (value) => parseBoolean(String(value)) === true,
      ),
    ),
    hl: Type.Optional(Type.Boolean({ description: 'Whether results get `highlighting`, as in `@search`.' })),
    facet_fields: Names('facet_fields', {
      description: 'Indexes by whose values results are counted, as in `@search`.',
    }),
    facet_limit: WholeNumber('facet_limit', { description: 'Most values of each facet.' }),
    spellcheck: Type.Optional(
      Type.Boolean({ description: 'True for `did_you_mean` in the response, as in `@search`.' }),
    ),
    metadata_fields: Names('metadata_fields', { description: 'Catalog columns to add; `_all` for all.' }),
  },
  {
    additionalProperties: true,
    description: 'Further members, such as those of the block with the listing, are left out.',
  },
);

/** Runs a listing on an object; the object itself is not among the results, the site root may be. */
async function runListing(context: RequestContext<object, object, StaticDecode<typeof Listing>>): Promise<Results> {
  const { resolved, searchParams, body } = context;
  const conditions = await listingQuery(context, resolved, body.query);
  const self = { index: 'UID', constraint: constraint([], { not: [resolved.object.uid] }) };
  const url = componentUrl(context, resolved, 'querystring-search');
  const descending = body.sort_order === 'descending';
  const results = await searchResults(
    { ...context, metadataFields: [...context.metadataFields, ...(body.metadata_fields ?? [])] },
    resolved,
    {
      query: conditions && {
        ...conditions,
        constraints: isRoot(resolved.object) ? conditions.constraints : [...conditions.constraints, self],
        sort: (body.sort_on ?? []).map((on) => ({ on, descending })),
        ...(body.limit ? { limit: body.limit } : {}),
      },
      batch: {
        start: body.b_start ?? 0,
        size: Math.min(MAX_SIZE, body.b_size ?? DEFAULT_SIZE),
        query: searchParams,
      },
      fullObjects: body.fullobjects ?? false,
      url,
      extras: extrasOf({
        hl: body.hl ?? false,
        spellcheck: body.spellcheck ?? false,
        facet_fields: body.facet_fields ?? [],
        facet_limit: body.facet_limit ?? DEFAULT_FACET_VALUES,
      }),
    },
  );
  return { '@id': resultsAddress(url, searchParams), ...results };
}

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
  run: async (context) => ok(await runListing(context)),
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}

/** The body that a GET carries in its query string, encoded once or twice (plone.restapi, Q25). */
function bodyIn(text: string): JsonObject | undefined {
  const body = valueOfJson(text) ?? valueOfJson(decoded(text));
  return isJsonObject(body) ? body : undefined;
}

/** GET `@querystring-search`: runs the conditions in the query string, a JSON text, for caches. */
const getQuerystringSearch = defineService({
  ...common,
  method: 'GET',
  query: Type.Object({
    query: Type.Decode(
      Type.Refine(
        Words({
          description: 'The body of the POST as JSON.',
          reject: {
            required: 'No query supplied',
            other: 'The query is not JSON: an object with the list "query" is wanted.',
          },
        }),
        (text) => bodyIn(text) !== undefined,
      ),
      (text) => bodyIn(text) ?? {},
    ),
  }),
  run: (context) => postQuerystringSearch.run({ ...context, body: context.query.query }),
});

export const querystringSearchServices: Service[] = [getQuerystringSearch, postQuerystringSearch];
