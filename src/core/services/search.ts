import { type StaticDecode, Type } from 'typebox';
import { searchPanel } from '../configuration/panels/navigation.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import type { Site } from '../configuration/site/site.ts';
import type { CatalogQuery } from '../search/query.ts';
import { VIEW } from '../security/permissions.ts';
import { batchOf } from '../serializer/batch.ts';
import { navigationRoot } from '../serializer/components/chain.ts';
import { componentUrl } from '../serializer/components.ts';
import { Results } from '../serializer/result-shapes.ts';
import { searchResults } from '../serializer/search-results.ts';
import { ok } from './response.ts';
import { asksForNothing, extrasOf, parseSearch, SearchQuery } from './search-parameters.ts';
import { defineService, type RequestContext, type Service } from './service.ts';

/** Parameters that choose a part of a list, or its order: the address of the list is without them (plone.restapi, Q03). */
const WINDOW = ['b_start', 'b_size', 'sort_on', 'sort_order', 'sort_limit'];

/** The address of a list of results, without the parameters that choose a part or an order. */
export function resultsAddress(url: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of WINDOW) {
    rest.delete(name);
    rest.delete(`${name}:list`);
    rest.delete(`${name}:int`);
  }
  const text = rest.toString();
  return text === '' ? url : `${url}?${text}`;
}

/** Sort keys for which the newest results come first. */
const NEWEST_FIRST = new Set(['Date', 'effective']);

/**
 * A query by the site's settings of search (control panel `search`): types that are not searched are left out, and results have the order of the
 * settings unless the query has its own (plone.restapi, Q15).
 */
function bySiteSettings(site: Site, query: CatalogQuery): CatalogQuery {
  const hidden = panelSettings(site, searchPanel).types_not_searched;
  const order = panelSettings(site, searchPanel).sort_on;
  return {
    ...query,
    constraints:
      hidden.length === 0
        ? query.constraints
        : [...query.constraints, { index: 'portal_type', constraint: { values: [], operator: 'or', not: hidden } }],
    sort:
      query.sort.length > 0 || order === 'relevance'
        ? query.sort
        : [{ on: order, descending: NEWEST_FIRST.has(order) }],
  };
}

async function search(
  context: RequestContext<object, StaticDecode<typeof SearchQuery>, object>,
): Promise<Results | never[]> {
  const { site, base, resolved, query, searchParams } = context;
  const ofSite = query.use_site_search_settings !== undefined;
  const path = ofSite ? navigationRoot(site, resolved)[0].path : resolved.object.path;
  const asked = parseSearch(searchParams, query, { catalog: site.catalog, path, base });
  if (asksForNothing(asked)) return [];
  const url = componentUrl(context, resolved, 'search');
  const request = {
    query: ofSite ? bySiteSettings(site, asked) : asked,
    batch: batchOf(query, searchParams),
    fullObjects: query.fullobjects !== undefined,
    url,
    extras: extrasOf(query),
  };
  const results = await searchResults(context, resolved, request);
  return { '@id': resultsAddress(url, searchParams), ...results };
}

/** GET `@search`: content at or below the object that fits the query. */
const getSearch = defineService({
  name: '@search',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary:
    'Content at or below this object that fits the query. Each parameter with the name of an index is a constraint.',
  query: SearchQuery,
  responses: {
    200: {
      description: 'The results; a bare empty list when SearchableText has no word.',
      schema: Type.Union([Results, Type.Array(Type.Never(), { maxItems: 0 })]),
    },
  },
  run: async (context) => ok(await search(context)),
});

export const searchServices: Service[] = [getSearch];
