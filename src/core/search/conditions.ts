import { BadRequest } from '../../lib/errors.ts';
import type { QueryContext } from './catalog-index.ts';
import { allOf, type Expression } from './expression.ts';
import { type CatalogQuery, pathCondition, SqlParameters } from './query.ts';
import { IN_TIME } from './statements/fragments.ts';
import type { Viewers } from './statements/view-rule.ts';

/** The caller. */
export type Viewer = Viewers & {
  /** True to also find content before `effective` and after `expires`. */
  inactive: boolean;
};

/** The caller, and the requested part of the results. */
export type Window = Viewer & {
  start: number;
  size: number;
};

/** Maximum number of values of all constraints: a statement has at most 65,535 parameters, and each date needs two. */
const MAX_VALUES = 5000;

/**
 * The content that the caller may see, in SQL. For rare words, the index of principals is kept out of the plan (`is true`): it would return the half
 * of the site that the caller may see, only to intersect it with the few texts.
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

const negated = (condition: Expression): Expression => ({ ...condition, sql: `not (${condition.sql})` });

/**
 * Conditions that objects must fit, for any viewers, each condition by itself. Throws BadRequest for values that their index cannot
 * have.
 */
export function constraintConditions(
  query: CatalogQuery,
  { principals, rule }: Viewers,
  parameters: SqlParameters,
  context: QueryContext,
): Expression[] {
  const given = query.constraints.filter(({ constraint: { values, not } }) => values.length + not.length > 0);
  const count = given.reduce((sum, { constraint: { values, not } }) => sum + values.length + not.length, 0);
  if (count > MAX_VALUES) throw new BadRequest(`A query has ${MAX_VALUES} values at most.`);
  const conditions = [
    query.paths && pathCondition(query.paths, parameters),
    query.notPaths && negated(pathCondition(query.notPaths, parameters)),
    ...given.map(({ index, constraint }) =>
      context.catalog.find(index)?.condition?.(constraint, parameters, { ...context, principals, rule }),
    ),
  ];
  return conditions.filter((condition) => condition !== undefined);
}

/** The condition for objects that fit a query and that the caller may see. Throws BadRequest for values that their index cannot have. */
export const conditions = (
  query: CatalogQuery,
  viewer: Viewer,
  parameters: SqlParameters,
  context: QueryContext,
): string =>
  allOf([
    visible(query, viewer, parameters, context),
    ...constraintConditions(query, viewer, parameters, context).map(({ sql }) => sql),
  ]) ?? 'true';

/** Makes the conditions of a query to inspect which tables they read; they are no part of a statement. */
export const conditionsAbout = (query: CatalogQuery, viewer: Viewers, context: QueryContext): Expression[] =>
  constraintConditions(query, viewer, new SqlParameters(), context);
