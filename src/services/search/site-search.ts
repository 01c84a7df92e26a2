import type { CatalogQuery } from '../../catalog/query.ts';
import { panelSettings } from '../../site/panel.ts';
import { searchPanel } from '../../site/panels/navigation.ts';
import type { Site } from '../../site/site.ts';

/** Orders in which people want the newest first. */
const NEWEST_FIRST = new Set(['Date', 'effective']);

/**
 * A query by the site's settings of search (control panel `search`): types that are not searched are left out, and
 * results come in the order that is set there unless the query has its own (plone.restapi, Q15).
 */
export function bySiteSettings(site: Site, query: CatalogQuery): CatalogQuery {
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
