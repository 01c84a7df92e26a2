import { BadRequest } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { siteTimeZone } from '../configuration/panels/general.ts';
import { catalogAddresses } from '../content/statements/references.ts';
import type { CatalogQuery } from '../search/query.ts';
import { isEmptyValue, parseRows, type Row } from '../search/querystring/operations.ts';
import { queryOfRows, referencesIn } from '../search/querystring/query-of-rows.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { BatchRequest } from './batch.ts';
import { navigationRoot } from './components/chain.ts';
import { type RenderContext, urlOf } from './render-context.ts';
import type { FoundPage } from './result-shapes.ts';
import { type ResultsRequest, searchResults } from './search-results.ts';

/**
 * The conditions of a listing on an object as a query; undefined when they can match nothing. Runs one statement when the conditions name objects by
 * UID or path. Throws BadRequest.
 */
export async function listingQuery(
  context: RenderContext,
  resolved: ResolvedNode,
  rows: readonly Row[],
): Promise<Pick<CatalogQuery, 'constraints' | 'paths'> | undefined> {
  // Conditions may be relative to the present time.
  context.noCache?.();
  const { uids, paths } = referencesIn(rows);
  const known = uids.length + paths.length > 0 ? await catalogAddresses(context.db, uids, paths) : [];
  const pathByUid = new Map(known.map(({ uid, path }) => [uid, path]));
  const uidByPath = new Map(known.map(({ uid, path }) => [path, uid]));
  return queryOfRows(rows, context.site.catalog, {
    now: new Date(),
    timeZone: siteTimeZone(context.site),
    user: context.caller.id,
    context: resolved.object.path,
    navigationRoot: navigationRoot(context.site, resolved)[0].path,
    pathOf: (uid) => pathByUid.get(uid),
    uidOf: (path) => uidByPath.get(path),
  });
}

/** The behavior of types whose objects list the results of a stored query. */
export const COLLECTION = 'plone.collection';

/** Content and order of a collection. */
type StoredListing = { query: unknown; sortOn: unknown; reversed: boolean; limit: unknown };

/**
 * The listing that the fields of a collection describe. Volto's editor of queries keeps everything in the one field `query`: this object with
 * conditions, order and limit wins over the other fields.
 */
function listingOf({ query, sort_on, sort_reversed, limit }: JsonObject): StoredListing {
  const plain = { query, sortOn: sort_on, reversed: sort_reversed === true, limit };
  if (!isJsonObject(query)) return plain;
  const { sort_on: sortOn, sort_order: order, sort_order_boolean: flag, limit: most } = query;
  return {
    query: query.query,
    sortOn: sortOn ?? plain.sortOn,
    reversed: order === undefined && flag === undefined ? plain.reversed : order === 'descending' || flag === true,
    limit: isEmptyValue(most) ? limit : most,
  };
}

/** Parses a limit, a number or the text of a number; undefined for no limit. */
function limitOf(value: unknown): number | undefined {
  const limit = Math.floor(Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN));
  return limit > 0 && Number.isSafeInteger(limit) ? limit : undefined;
}

/** The stored query of a collection: undefined when it is empty or no longer valid, null for other content. */
export async function storedQuery(
  context: RenderContext,
  resolved: ResolvedNode,
): Promise<ResultsRequest['query'] | null> {
  if (!context.site.types.get(resolved.object.type)?.behaviorNames.has(COLLECTION)) return null;
  const { query, sortOn, reversed, limit: stored } = listingOf(resolved.object.fields);
  const limit = limitOf(stored);
  if (isEmptyValue(query)) return undefined;
  try {
    const conditions = await listingQuery(context, resolved, parseRows(query));
    return (
      conditions && {
        ...conditions,
        sort: typeof sortOn === 'string' ? [{ on: sortOn, descending: reversed }] : [],
        ...(limit === undefined ? {} : { limit }),
      }
    );
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    // Imported and older queries may name indexes or operations that no longer exist. The collection must stay readable, so that it can be repaired.
    context.kernel.log.warn({ err: error, path: resolved.object.path }, 'the query of a collection is not understood');
    return undefined;
  }
}

/** `items`, `items_total` and `batching` of a collection: the results of its stored query for the caller (plone.restapi, C17). */
export async function collectionItems(
  context: RenderContext,
  resolved: ResolvedNode,
  { batch, fullObjects }: { batch: BatchRequest; fullObjects: boolean },
): Promise<FoundPage> {
  const query = (await storedQuery(context, resolved)) ?? undefined;
  return searchResults(context, resolved, {
    query,
    batch,
    fullObjects,
    url: urlOf(context.base, resolved.object.path),
  });
}
