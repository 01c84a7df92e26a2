import { BadRequest } from '../../lib/errors.ts';
import { totalsFor } from '../cache/kept-totals.ts';
import { languagePanel } from '../configuration/panels/languages.ts';
import { searchPanel } from '../configuration/panels/navigation.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import { parseReference } from '../content/blocks/resolve-uid.ts';
import { has, securityNode } from '../content/permissions.ts';
import { findContents } from '../content/statements/load-content.ts';
import { isAtOrBelow } from '../content/tree-path.ts';
import type { Weights } from '../search/catalog-index.ts';
import type { Viewer } from '../search/conditions.ts';
import { type CatalogQuery, constraint } from '../search/query.ts';
import { type FoundRow, searchCatalog } from '../search/search-catalog.ts';
import { stemmerFor } from '../search/text.ts';
import { mungeText } from '../search/text-query.ts';
import { searchingCaller } from '../security/caller.ts';
import { can } from '../security/can.ts';
import { ACCESS_INACTIVE } from '../security/permissions.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { atMost, type Batch, type BatchRequest, batchLinks, MAX_WHOLE_OBJECTS } from './batch.ts';
import type { AnyContent, WholeSummary } from './content-shapes.ts';
import { ObjectRenderer } from './object.ts';
import type { RenderContext } from './render-context.ts';
import type { FoundPage } from './result-shapes.ts';
import { extraMembers, type SearchExtras, type Searcher, withHighlights } from './search-extras.ts';
import { loadColumns, sourceOf } from './search-sources.ts';
import { previewUid, summary } from './summary.ts';
import { loadTargets, uidsOf, visibleTargets } from './targets.ts';

/** The UIDs that a summary takes the address of a link and a picture from. */
function linksOf({ site }: RenderContext, row: FoundRow): string[] {
  const { remoteUrl } = row.fields;
  const reference = typeof remoteUrl === 'string' ? parseReference(remoteUrl) : undefined;
  return [reference?.uid, previewUid(site, row)].filter((uid) => uid !== undefined);
}

/** Returns results as summaries. One statement loads the targets of internal links and linked pictures, if there are any. */
async function foundSummaries(context: RenderContext, rows: readonly FoundRow[]): Promise<WholeSummary[]> {
  const targets = await loadTargets(context, new Set(rows.flatMap((row) => linksOf(context, row))));
  const addColumns = await loadColumns(
    context,
    rows.map(({ oid }) => oid),
  );
  const { site, base, metadataFields } = context;
  const linked = visibleTargets(targets);
  return rows.map((row) => addColumns(summary(site, base, row, metadataFields, linked), row.oid));
}

/** Results as whole objects without their children. Objects removed in the meantime are left out (plone.restapi, Q23). */
async function foundObjects(context: RenderContext, rows: readonly FoundRow[]): Promise<AnyContent[]> {
  const found = await findContents(context.db, { oids: rows.map(({ oid }) => oid) });
  const targets = await loadTargets(
    context,
    uidsOf(
      context,
      found.map(({ object }) => object),
    ),
  );
  const items: AnyContent[] = [];
  const renderer = new ObjectRenderer(context, targets);
  for (const resolved of found) items.push(await renderer.whole(resolved, {}));
  return items;
}

/**
 * Says if the search finds content outside of its publication dates: the caller needs the permission at the place that the query searches. Roles in
 * one folder do not count for searches outside of this folder.
 */
function findsInactive(
  { site, caller }: RenderContext,
  resolved: ResolvedNode,
  { paths }: Pick<CatalogQuery, 'paths'>,
): boolean {
  const inside = paths?.every(({ path }) => isAtOrBelow(path, resolved.object.path)) ?? false;
  if (inside) return has(site, caller, resolved, ACCESS_INACTIVE);
  const root = resolved.ancestors.at(-1) ?? resolved.object;
  return can(ACCESS_INACTIVE, caller, [securityNode(site, root)], site.roleMap);
}

/** Text search configurations of a search, for the language of the object and of the site. */
const stemmersOf = ({ site }: RenderContext, { object }: ResolvedNode): string[] => [
  ...new Set([object.language, panelSettings(site, languagePanel).default_language].map(stemmerFor)),
];

export type ResultsRequest = {
  /** The query; undefined for no results. */
  query: CatalogQuery | undefined;
  batch: BatchRequest;
  /** Whole objects instead of summaries. */
  fullObjects: boolean;
  /** Address that the links to other batches begin with, without a query. */
  url: string;
  /** Additions to the results; no additions unless given. */
  extras?: SearchExtras | undefined;
};

/** The weights of the site; undefined for the default weights of the database. */
function weightsOf({ site }: RenderContext): Weights | undefined {
  const set = panelSettings(site, searchPanel);
  const weights = [set.weight_files, set.weight_text, set.weight_description, set.weight_title] as const;
  const [files, text, description, title] = weights;
  if (files === 10 && text === 20 && description === 40 && title === 100) return undefined;
  return [files / 100, text / 100, description / 100, title / 100];
}

/** The caller of a search and the searched place, which decides if content outside of its dates is found. */
export const viewerOf = (
  context: RenderContext,
  resolved: ResolvedNode,
  query: Pick<CatalogQuery, 'paths'>,
): Viewer => ({
  ...viewersOf(
    context.site,
    searchingCaller(
      context.caller,
      query.paths?.map(({ path }) => path),
    ),
  ),
  inactive: findsInactive(context, resolved, query),
});

/** The caller of a search, its place, and the data that conditions depend on. */
const searcherOf = (context: RenderContext, resolved: ResolvedNode, query: CatalogQuery): Searcher => ({
  viewer: viewerOf(context, resolved, query),
  queryContext: {
    types: context.site.types,
    catalog: context.site.catalog,
    stemmers: stemmersOf(context, resolved),
    weights: weightsOf(context),
  },
});

/** Returns one batch of the results of a query around an object, with their total. Runs one statement where there are few results. */
export function findResults(
  context: RenderContext,
  resolved: ResolvedNode,
  query: CatalogQuery,
  { start, size }: Pick<BatchRequest, 'start' | 'size'>,
): Promise<Batch<FoundRow>> {
  const { viewer, queryContext } = searcherOf(context, resolved, query);
  const totals = totalsFor(context.kernel.slots, context.db);
  return searchCatalog(context.db, query, { ...viewer, start, size }, queryContext, totals);
}

/**
 * `items`, `items_total` and `batching` of a search around an object: one statement, and one more for the targets of links. A search whose only
 * condition is a type that is no content goes to the search source of this type.
 */
export async function searchResults(
  context: RenderContext,
  resolved: ResolvedNode,
  request: ResultsRequest,
): Promise<FoundPage> {
  const { query, batch: asked, fullObjects, url, extras } = request;
  const source = query && sourceOf(context, query);
  if (source && extras)
    throw new BadRequest(
      'Only content has highlights, facets and corrections: leave out hl, facet_fields and spellcheck.',
    );
  if (source) return source.find(context, resolved, request);
  const batch = fullObjects ? atMost(asked, MAX_WHOLE_OBJECTS) : asked;
  const { items, total } = query ? await findResults(context, resolved, query, batch) : { items: [], total: 0 };
  const shown: FoundPage['items'] = fullObjects
    ? await foundObjects(context, items)
    : await foundSummaries(context, items);
  const told = query && extras && { query, searcher: searcherOf(context, resolved, query), extras };
  return {
    items: told?.extras.highlight ? await withHighlights(context, told, items, shown) : shown,
    items_total: total,
    ...batchLinks(url, batch, total),
    ...(told && (await extraMembers(context, told, total))),
  };
}

/** Finds the numbers of the objects whose texts have all of these words and that the caller may view: at most `limit`, with the total. */
export async function findByWords(
  { db, site, caller }: Pick<RenderContext, 'db' | 'site' | 'caller'>,
  words: string,
  limit: number,
): Promise<{ oids: number[]; total: number }> {
  const { items, total } = await searchCatalog(
    db,
    { constraints: [{ index: 'SearchableText', constraint: constraint([mungeText(words)]) }], sort: [] },
    { ...viewersOf(site, caller), inactive: true, start: 0, size: limit },
    {
      types: site.types,
      catalog: site.catalog,
      stemmers: [stemmerFor(panelSettings(site, languagePanel).default_language)],
    },
  );
  return { oids: items.map(({ oid }) => oid), total };
}
