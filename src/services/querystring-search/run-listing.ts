import { constraint } from '../../catalog/query.ts';
import { isRoot } from '../../content/locate.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { componentUrl } from '../../serializer/components.ts';
import { listingQuery } from '../../serializer/listing.ts';
import { searchResults } from '../../serializer/search-results.ts';
import { resultsAddress } from '../search/results-address.ts';
import type { RequestContext } from '../service.ts';
import { readListing } from './read-listing.ts';

/** Runs the listing of a body on an object; the object itself is not among the results, the site root may be. */
export async function runListing(context: RequestContext, body: JsonObject): Promise<JsonObject> {
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
