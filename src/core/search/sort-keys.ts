import type { CatalogIndex, QueryContext } from './catalog-index.ts';
import type { Expression } from './expression.ts';
import { joinedText, textQuery } from './indexes/text-index.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';

/** Maximum number of sort keys of one query; further keys are ignored. */
const MAX_KEYS = 8;

/** Maximum number of results that are ranked: with more results the words are too common for a ranking, and each text must be read. */
export const MAX_RANKED = 5000;

/** One key of an order. */
export type SortKey = {
  expression: Expression;
  descending: boolean;
  /** The place of objects without a value in the order; empty if all objects have a value. */
  nulls: '' | ' nulls first' | ' nulls last';
};

function keyOf(expression: Expression, descending: boolean, lacking: CatalogIndex['lacking']): SortKey {
  if (lacking === 'never') return { expression, descending, nulls: '' };
  const isFirst = lacking === 'least' && !descending;
  return { expression, descending, nulls: isFirst ? ' nulls first' : ' nulls last' };
}

/** The keys to sort by. Names of unknown and unsortable indexes are dropped. */
export function sortKeys({ sort }: CatalogQuery, parameters: SqlParameters, { catalog }: QueryContext): SortKey[] {
  return sort
    .filter(({ on }) => catalog.find(on)?.sort !== undefined)
    .slice(0, MAX_KEYS)
    .flatMap(({ on, descending }) => {
      const index = catalog.find(on);
      const expression = index?.sort?.(parameters);
      return expression === undefined ? [] : [keyOf(expression, descending, index?.lacking)];
    });
}

/** The direction of a key, or the opposite one, in SQL. */
export function directionOf({ descending, nulls }: SortKey, isReversed = false): string {
  const way = descending === isReversed ? 'asc' : 'desc';
  if (nulls === '' || !isReversed) return way + nulls;
  return way + (nulls === ' nulls first' ? ' nulls last' : ' nulls first');
}

/** The relevance of a result for the searched text. */
export function relevance(
  { constraints }: CatalogQuery,
  parameters: SqlParameters,
  context: QueryContext,
): string | undefined {
  const text = constraints.find(({ index }) => index === 'SearchableText');
  const query = text && textQuery(joinedText(text.index, text.constraint.values), '', parameters, context);
  // The database rejects an unused parameter, because it has no type.
  if (!query) return undefined;
  const weights = context.weights ? `${parameters.add(context.weights)}::float4[], ` : '';
  // The subquery makes the searched words once for all results.
  return `(select ts_rank(${weights}k.searchable, (select ${query})) from catalog k where k.oid = found.oid)`;
}

/** Maximum number of results of an unranked query that are all found again with each batch. */
const MAX_LOOKED_FOR = 500;

/** Maximum number of results for one statement that finds them all; larger for queries sorted by relevance. */
export function mostOfOneStatement(query: CatalogQuery, context: QueryContext): number {
  const parameters = new SqlParameters();
  const isRanked =
    sortKeys(query, parameters, context).length === 0 && relevance(query, parameters, context) !== undefined;
  return isRanked ? MAX_RANKED : MAX_LOOKED_FOR;
}
