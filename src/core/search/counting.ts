import type { Statement } from '../../database/database.ts';
import type { QueryContext } from './catalog-index.ts';
import { conditionsAbout, constraintConditions, type Viewer } from './conditions.ts';
import { allOf, readsContent } from './expression.ts';
import { foundRows, isForWords } from './found-rows.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';

const OUT_OF_TIME = `(c.effective > statement_timestamp() or c.expires <= statement_timestamp())`;

/** Says if results cannot be counted without their rows of content. */
const isCountedInContent = (query: CatalogQuery, viewer: Viewer, context: QueryContext): boolean =>
  conditionsAbout(query, viewer, context).some(readsContent);

/**
 * The subquery that counts the results. A query without columns of content counts in the catalog alone, and often only in its indexes, and subtracts
 * the few objects outside of their dates.
 */
export function counted(query: CatalogQuery, viewer: Viewer, parameters: SqlParameters, context: QueryContext): string {
  if (isCountedInContent(query, viewer, context)) {
    const window = { ...viewer, start: 0, size: 0 };
    return `select count(*) from (${foundRows({ query, window, context, parameters, keys: [], isMany: true })}) found`;
  }
  const throughIndex = isForWords(query, conditionsAbout(query, viewer, context));
  const fits = allOf(
    constraintConditions(query, viewer, parameters, { ...context, throughIndex }).map(({ sql }) => sql),
  );
  const seen = `select count(*) from catalog k where ${viewer.rule.viewable(parameters.add(viewer.principals), { catalog: 'k' })}${fits ? ` and ${fits}` : ''}`;
  if (viewer.inactive) return seen;
  return `select (${seen}) - (select count(*) from content c join catalog k on k.oid = c.oid
    where ${OUT_OF_TIME} and (${viewer.rule.viewable(parameters.add(viewer.principals))}) is true${fits ? ` and ${fits}` : ''})`;
}

/** The statement that counts the results of a query for a caller. */
export function compileCount(query: CatalogQuery, viewer: Viewer, context: QueryContext): Statement {
  const parameters = new SqlParameters();
  return { text: `select (${counted(query, viewer, parameters, context)})::int as total`, values: parameters.values };
}
