import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { parseBatch } from '../../serializer/batch.ts';
import { navigationRoot } from '../../serializer/components/chain.ts';
import { componentUrl } from '../../serializer/components.ts';
import { searchResults } from '../../serializer/search-results.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService, ok, type RequestContext } from '../service.ts';
import { asksForNothing, readSearch } from './read-search.ts';
import { resultsAddress } from './results-address.ts';
import { Results } from './results-schema.ts';
import { bySiteSettings } from './site-search.ts';

/** Results in one batch unless the client says otherwise (plone.restapi, Q01). */
const DEFAULT_SIZE = 25;

async function search(context: RequestContext) {
  const { site, base, resolved, searchParams } = context;
  const ofSite = searchParams.has('use_site_search_settings');
  const path = ofSite ? navigationRoot(site, resolved)[0].path : resolved.object.path;
  const asked = readSearch(searchParams, { catalog: site.catalog, path, base });
  if (asksForNothing(asked)) return [];
  const url = componentUrl(context, resolved, 'search');
  const results = await searchResults(context, resolved, {
    query: ofSite ? bySiteSettings(site, asked) : asked,
    batch: parseBatch(searchParams, DEFAULT_SIZE),
    fullObjects: searchParams.has('fullobjects'),
    url,
  });
  return { '@id': resultsAddress(url, searchParams), ...results };
}

/** GET `@search`: what lies at or below the object and fits the query. */
export const getSearch = defineService({
  name: '@search',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary:
    'Content at or below this object that fits the query. Each parameter with the name of an index is a constraint.',
  query: documentedQuery(
    Type.Object(
      {
        SearchableText: Type.Optional(
          Type.String({ description: 'Words that must occur; `*` behind the beginning of one.' }),
        ),
        portal_type: Type.Optional(Type.String({ description: 'Name of a type; may be repeated.' })),
        'path.query': Type.Optional(Type.String({ description: 'Where to search instead; may be repeated.' })),
        'path.depth': Type.Optional(Type.Integer({ description: 'Levels below the path; 0 for the object alone.' })),
        sort_on: Type.Optional(Type.String({ description: 'Index to sort by; may be repeated.' })),
        sort_order: Type.Optional(Type.String({ description: 'ascending, descending or reverse.' })),
        sort_limit: Type.Optional(Type.Integer({ description: 'Most results there are, however many fit.' })),
        metadata_fields: Type.Optional(
          Type.String({ description: 'A catalog column to add; may be repeated; `_all` for all.' }),
        ),
        fullobjects: Type.Optional(Type.String({ description: 'When present, results are whole objects.' })),
        use_site_search_settings: Type.Optional(
          Type.String({ description: "When present, the site's settings of search decide on types and order." }),
        ),
        b_start: Type.Optional(Type.Integer({ description: 'Index of the first result.', minimum: 0, default: 0 })),
        b_size: Type.Optional(Type.Integer({ description: 'Results in a batch.', minimum: 0, default: DEFAULT_SIZE })),
      },
      { additionalProperties: true },
    ),
  ),
  responses: {
    200: {
      description: 'The results; a bare empty list when SearchableText has no word.',
      schema: Type.Union([Results, Type.Array(Type.Never(), { maxItems: 0 })]),
    },
  },
  run: async (context) => ok(await search(context)),
});
