import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { Results } from '../search/results-schema.ts';
import { defineService, ok } from '../service.ts';
import { bodyOfQuery } from './read-listing.ts';
import { runListing } from './run-listing.ts';

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
export const postQuerystringSearch = defineService({
  ...common,
  method: 'POST',
  body: Listing,
  run: async (context) => ok(await runListing(context, context.body)),
});

/** GET `@querystring-search`: the same with the body as JSON in the query string, for caches. */
export const getQuerystringSearch = defineService({
  ...common,
  method: 'GET',
  query: documentedQuery(Type.Object({ query: Type.String({ description: 'The body of the POST as JSON.' }) })),
  run: async (context) => ok(await runListing(context, bodyOfQuery(context.searchParams))),
});
