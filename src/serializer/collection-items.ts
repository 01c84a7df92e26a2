import { isEmptyValue, readRows } from '../catalog/querystring/operations.ts';
import { BadRequest } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import type { BatchRequest } from './batch.ts';
import { listingQuery } from './listing-query.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import { type ResultsRequest, searchResults } from './search-results.ts';

/** The behavior of types whose objects list what fits their query. */
export const COLLECTION = 'plone.collection';

/** The query that a collection keeps; undefined when it is empty or no longer understood. */
async function storedQuery(context: RenderContext, resolved: ResolvedNode): Promise<ResultsRequest['query']> {
  const { query, sort_on: sortOn, sort_reversed: reversed, limit } = resolved.object.fields;
  if (isEmptyValue(query)) return undefined;
  try {
    const conditions = await listingQuery(context, resolved, readRows(query));
    return (
      conditions && {
        ...conditions,
        sort: typeof sortOn === 'string' ? [{ on: sortOn, descending: reversed === true }] : [],
        ...(typeof limit === 'number' && limit > 0 ? { limit: Math.floor(limit) } : {}),
      }
    );
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    // Imported and older queries may name what there is no more. The collection itself can still be read and mended.
    context.kernel.log.warn({ err: error, path: resolved.object.path }, 'the query of a collection is not understood');
    return undefined;
  }
}

/** `items`, `items_total` and `batching` of a collection: what its stored query finds for the caller (plone.restapi, C17). */
export async function collectionItems(
  context: RenderContext,
  resolved: ResolvedNode,
  { batch, fullObjects }: { batch: BatchRequest; fullObjects: boolean },
): Promise<JsonObject> {
  const query = await storedQuery(context, resolved);
  return searchResults(context, resolved, {
    query,
    batch,
    fullObjects,
    url: urlOf(context.base, resolved.object.path),
  });
}
