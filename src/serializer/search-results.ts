import type { CatalogQuery } from '../catalog/query.ts';
import { searchCatalog } from '../catalog/search-catalog.ts';
import { stemmerFor } from '../catalog/text.ts';
import { has, securityNode } from '../content/permissions.ts';
import { isAtOrBelow } from '../content/tree-path.ts';
import type { JsonObject } from '../lib/json-object.ts';
import { can } from '../security/can.ts';
import { ACCESS_INACTIVE } from '../security/permissions.ts';
import { panelSettings } from '../site/panel.ts';
import { languagePanel } from '../site/panels/languages.ts';
import type { ResolvedNode } from '../storage/content-row.ts';
import { type BatchRequest, batchLinks } from './batch.ts';
import { foundObjects, foundSummaries } from './found-items.ts';
import type { RenderContext } from './render-context.ts';

/** Whole objects in one answer: each is read with its blocks. */
const MAX_OBJECTS = 1000;

/**
 * Whether content before and after its dates is found: with the permission where the query looks. Roles that the caller
 * has in one folder only say nothing of what lies elsewhere.
 */
function findsInactive({ site, caller }: RenderContext, resolved: ResolvedNode, { paths }: CatalogQuery): boolean {
  const inside = paths?.every(({ path }) => isAtOrBelow(path, resolved.object.path)) ?? false;
  if (inside) return has(site, caller, resolved, ACCESS_INACTIVE);
  const root = resolved.ancestors.at(-1) ?? resolved.object;
  return can(ACCESS_INACTIVE, caller, [securityNode(site, root)], site.roleMap);
}

/** Text search configurations of a search: those of the language around it and of the site. */
const stemmersOf = ({ site }: RenderContext, { object }: ResolvedNode): string[] => [
  ...new Set([object.language, panelSettings(site, languagePanel).default_language].map(stemmerFor)),
];

export type ResultsRequest = {
  /** What is looked for; undefined finds nothing. */
  query: CatalogQuery | undefined;
  batch: BatchRequest;
  /** Whole objects instead of summaries. */
  fullObjects: boolean;
  /** Address that the links to other batches begin with, without a query. */
  url: string;
};

/** `items`, `items_total` and `batching` of a search around an object: one statement, and one for where links lead. */
export async function searchResults(
  context: RenderContext,
  resolved: ResolvedNode,
  { query, batch, fullObjects, url }: ResultsRequest,
): Promise<JsonObject> {
  const size = fullObjects ? Math.min(batch.size, MAX_OBJECTS) : batch.size;
  const { items, total } = query
    ? await searchCatalog(
        context.db,
        query,
        {
          principals: context.caller.principals,
          inactive: findsInactive(context, resolved, query),
          start: batch.start,
          size,
        },
        { types: context.site.types, catalog: context.site.catalog, stemmers: stemmersOf(context, resolved) },
      )
    : { items: [], total: 0 };
  return {
    items: fullObjects ? await foundObjects(context, items) : await foundSummaries(context, items),
    items_total: total,
    ...batchLinks(url, { ...batch, size }, total),
  };
}
