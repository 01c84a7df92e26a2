import { BadRequest } from '../../lib/errors.ts';
import { allOf, type CatalogIndex, type QueryContext } from './catalog-index.ts';
import { joinedText, textQuery } from './indexes/text-index.ts';
import { type CatalogQuery, pathCondition, SqlParameters } from './query.ts';
import { IN_TIME } from './statements/fragments.ts';
import type { Viewers } from './statements/view-rule.ts';
import { parseTextQuery, termsIn } from './text-query.ts';

/** The caller. */
export type Viewer = Viewers & {
  /** Whether content before `effective` and after `expires` is found. */
  inactive: boolean;
};

/** The caller, and the requested part of the results. */
export type Window = Viewer & {
  start: number;
  size: number;
};

/** Values of all constraints together: a statement has 65,535 parameters at most, and dates need two each. */
const MAX_VALUES = 5000;

/** Sort keys of one query; further ones change nothing. */
const MAX_KEYS = 8;

/** Results up to which relevance is computed: beyond that the words say too little, and each text has to be read. */
export const MAX_RANKED = 5000;

/**
 * What the caller may see, in SQL. Beside words that few texts have, the index of who may view is kept out of the plan
 * (`is true`): it would give the half of the site that the caller may see, only to be cut with those few.
 */
function visible(
  { constraints }: CatalogQuery,
  { principals, rule, inactive }: Viewer,
  parameters: SqlParameters,
  { catalog }: QueryContext,
): string {
  const searched = constraints.some(({ index }) => catalog.find(index)?.words);
  const allowed = `(${rule.viewable(parameters.add(principals))})${searched ? ' is true' : ''}`;
  return inactive ? allowed : `${allowed} and ${IN_TIME}`;
}

/** What objects must fit, whoever asks, each condition by itself. Throws BadRequest for values that their index cannot have. */
export function constraintConditions(
  query: CatalogQuery,
  { principals, rule }: Viewers,
  parameters: SqlParameters,
  context: QueryContext,
): string[] {
  const given = query.constraints.filter(({ constraint: { values, not } }) => values.length + not.length > 0);
  const count = given.reduce((sum, { constraint: { values, not } }) => sum + values.length + not.length, 0);
  if (count > MAX_VALUES) throw new BadRequest(`A query has ${MAX_VALUES} values at most.`);
  const conditions = [
    query.paths && pathCondition(query.paths, parameters),
    query.notPaths && `not (${pathCondition(query.notPaths, parameters)})`,
    ...given.map(({ index, constraint }) =>
      context.catalog.find(index)?.condition?.(constraint, parameters, { ...context, principals, rule }),
    ),
  ];
  return conditions.filter((condition) => condition !== undefined);
}

/** What objects must fit to be found by a query, and by whom. Throws BadRequest for values that their index cannot have. */
export const conditions = (
  query: CatalogQuery,
  viewer: Viewer,
  parameters: SqlParameters,
  context: QueryContext,
): string =>
  allOf([visible(query, viewer, parameters, context), ...constraintConditions(query, viewer, parameters, context)]) ??
  'true';

/** One key of an order. */
export type SortKey = {
  expression: string;
  descending: boolean;
  /** Where objects without a value come, as they are sorted and the other way round; empty where all have one. */
  nulls: '' | ' nulls first' | ' nulls last';
};

function keyOf(expression: string, descending: boolean, lacking: CatalogIndex['lacking']): SortKey {
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

/** What relevance is measured by: the text that is searched for. */
export function relevance(
  { constraints }: CatalogQuery,
  parameters: SqlParameters,
  context: QueryContext,
): string | undefined {
  const text = constraints.find(({ index }) => index === 'SearchableText');
  const query = text && textQuery(joinedText(text.index, text.constraint.values), '', parameters, context);
  // A parameter that nothing refers to has no type, which the database does not take.
  if (!query) return undefined;
  const weights = context.weights ? `${parameters.add(context.weights)}::float4[], ` : '';
  return `(select ts_rank(${weights}k.searchable, ${query}) from catalog k where k.oid = found.oid)`;
}

/** Results up to which those of a query that is not ranked are all looked for with each batch. */
const MAX_LOOKED_FOR = 500;

/** Results up to which a query is answered by one statement that finds them all: more where their relevance orders them. */
export function mostOfOneStatement(query: CatalogQuery, context: QueryContext): number {
  const parameters = new SqlParameters();
  const isRanked =
    sortKeys(query, parameters, context).length === 0 && relevance(query, parameters, context) !== undefined;
  return isRanked ? MAX_RANKED : MAX_LOOKED_FOR;
}

/** Columns of content but those whose values many objects share. */
const NARROW = /\bc\.(?!type\b|review_state\b|language\b|effective\b|expires\b)/;

/** Whether a condition is about columns of content. */
export const isOfContent = (condition: string): boolean => /\bc\./.test(condition);

/** Whether a condition is about columns of the catalog. */
export const isOfCatalog = (condition: string): boolean => /\bk\./.test(condition);

/** Whether the index of words alone tells what fits: the order of words in a phrase is read in the texts. */
const isOfWordsAlone = (text: string): boolean =>
  termsIn(parseTextQuery(text)).every(({ words, negated }) => words.length === 1 && !negated);

/**
 * Whether words are looked up in their index first, whatever the database thinks of them: where nothing is asked for beside them
 * that few objects have, or where many objects of a part of the site are known to be found (`isMany`), whose texts would be read.
 */
export function isForWords(query: CatalogQuery, given: readonly string[], isMany = false): boolean {
  const words = query.constraints.find(({ index }) => index === 'SearchableText');
  if (words === undefined || words.constraint.values.length === 0 || words.constraint.not.length > 0) return false;
  if (isMany && isOfWordsAlone(joinedText(words.index, words.constraint.values))) return true;
  return given.every((condition) => !NARROW.test(condition));
}

/** Whether a query of the whole site is for columns of content alone, one of which few objects share, such as their creators. */
export const isOfFew = ({ paths, notPaths }: CatalogQuery, given: readonly string[]): boolean =>
  !paths && !notPaths && given.some((condition) => NARROW.test(condition)) && !given.some(isOfCatalog);
