import { ofAnything } from '../../database/cache-tags.ts';
import type { Queryable, Statement } from '../../database/database.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { QueryContext } from './catalog-index.ts';
import type { Viewer } from './conditions.ts';
import { foundRows } from './found-rows.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';
import { MAX_RANKED } from './sort-keys.ts';

/** The indexes by which results are counted, and the number of listed values of each. */
export type FacetRequest = { fields: readonly string[]; limit: number };

/** A value of an index, and the number of results with this value. */
export type FacetValue = { value: string; count: number };

const MAX_FACETS = 10;

/** The counted indexes of a request, each once. Throws BadRequest for names of other indexes. */
function countedIndexes({ fields }: FacetRequest, { catalog }: QueryContext) {
  const names = [...new Set(fields)];
  if (names.length > MAX_FACETS) throw new BadRequest(`A search has ${MAX_FACETS} facets at most.`);
  return names.map((name) => {
    const counted = catalog.find(name)?.counted;
    if (counted) return { name, counted };
    throw new BadRequest(
      `Invalid facet_fields: results cannot be counted by ${JSON.stringify(name.slice(0, 100))}. Use portal_type, review_state, Subject, Creator, Language, a date, or an index of a field that is no text.`,
    );
  });
}

/** The facets to count, and the number of the results that are counted. */
type Counting = { facets: FacetRequest; context: QueryContext; total: number };

/** The statement that counts all results of a query by the values of indexes: the most frequent value first, then by value. */
function compileFacets(query: CatalogQuery, viewer: Viewer, { facets, context, total }: Counting): Statement {
  const parameters = new SqlParameters();
  const indexes = countedIndexes(facets, context).map(({ counted }) => counted(parameters));
  const keys = indexes.map(({ expression }) => expression);
  const window = { ...viewer, start: 0, size: 0 };
  const found = foundRows({ query, window, context, parameters, keys, isMany: total > MAX_RANKED });
  const limit = `${parameters.add(facets.limit)}::int`;
  const counts = indexes.map(({ several }, at) => {
    const from = several ? `found cross join lateral unnest(found.key${at}) listed(value)` : 'found';
    const value = several ? 'listed.value' : `found.key${at}`;
    return `(select ${at} as facet, ${value}::text as value, count(*)::int as count from ${from} where ${value} is not null
      group by ${value} order by count desc, value limit ${limit})`;
  });
  return {
    text: `with found as materialized (${found})
      select * from (${counts.join(' union all ')}) counted order by facet, count desc, value`,
    values: parameters.values,
    tags: ofAnything,
  };
}

/**
 * Counts all results of a query by their values, by the names of indexes. Only content that the caller may see is counted. Runs one statement. Throws
 * BadRequest for indexes that cannot be counted.
 */
export async function countFacets(
  db: Queryable,
  query: CatalogQuery,
  viewer: Viewer,
  wanted: Counting,
): Promise<Map<string, FacetValue[]>> {
  const names = [...new Set(wanted.facets.fields)];
  const rows = await db.query<FacetValue & { facet: number }>(compileFacets(query, viewer, wanted));
  return new Map(
    names.map((name, at) => [
      name,
      rows.filter(({ facet }) => facet === at).map(({ value, count }) => ({ value, count })),
    ]),
  );
}
