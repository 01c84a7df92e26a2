import type { Queryable } from '../../database/database.ts';
import { languagePanel } from '../configuration/panels/languages.ts';
import { panelSettings } from '../configuration/panels/panel.ts';
import { viewersOf } from '../configuration/panels/publishing.ts';
import type { Site } from '../configuration/site/site.ts';
import { type CatalogQuery, constraint } from '../search/query.ts';
import { searchCatalog } from '../search/search-catalog.ts';
import { stemmerFor } from '../search/text.ts';
import { mungeText } from '../search/text-query.ts';
import { type Caller, searchingCaller } from '../security/caller.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { findContents } from './statements/load-content.ts';

/** A query for content. All of its conditions must hold. */
export type ContentQuery = {
  /** Values by the names of indexes, such as `portal_type` or an index of a feature. For a list, one of its values must fit. */
  where?: Readonly<Record<string, unknown>>;
  /** Words of the texts; the last one may be the beginning of a word. */
  words?: string;
  /** Paths, each with the object and everything below it. */
  paths?: readonly string[];
  /** Sorts by the first key, then the second, …; without keys by relevance, or else in the order of creation. */
  sort?: CatalogQuery['sort'];
  /** True to also find content outside of its dates of publication. */
  inactive?: boolean;
  /** Objects to pass over. */
  start?: number;
  /** Number of objects to return, 1000 at most, because they are whole objects. */
  limit: number;
};

/** The found objects with their containers, and the total for the caller. */
export type QueriedContent = { items: ResolvedNode[]; total: number };

/** Maximum number of objects that one query returns. */
const MAX_QUERIED = 1000;

/**
 * Finds content that the caller may view by a query. Runs three statements. Throws BadRequest for a value that its index cannot have, and Error for
 * an index that the site does not have.
 * @example const { items } = await queryContent(context, { where: { portal_type: ['Page'] }, paths: ['/news'], limit: 10 });
 */
export async function queryContent(
  { db, site, caller }: { db: Queryable; site: Site; caller: Caller },
  { where = {}, words, paths, sort = [], inactive = false, start = 0, limit }: ContentQuery,
): Promise<QueriedContent> {
  if (limit > MAX_QUERIED) throw new Error(`A query returns ${MAX_QUERIED} objects at most, not ${limit}.`);
  const texts = words === undefined ? {} : { SearchableText: mungeText(words) };
  const constraints = Object.entries({ ...where, ...texts }).map(([index, value]) => {
    if (!site.catalog.find(index)) throw new Error(`The site has no index "${index}".`);
    return { index, constraint: constraint(Array.isArray(value) ? value : [value]) };
  });
  const scope = paths?.map((path) => ({ path }));
  const viewer = viewersOf(site, searchingCaller(caller, paths));
  const { items, total } = await searchCatalog(
    db,
    { constraints, ...(scope && { paths: scope }), sort },
    { ...viewer, inactive, start, size: limit },
    {
      types: site.types,
      catalog: site.catalog,
      stemmers: [stemmerFor(panelSettings(site, languagePanel).default_language)],
    },
  );
  return { items: await findContents(db, { oids: items.map(({ oid }) => oid) }), total };
}
