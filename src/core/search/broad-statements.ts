import type { Statement } from '../../database/database.ts';
import { allOf, type QueryContext } from './catalog-index.ts';
import {
  constraintConditions,
  directionOf,
  isForWords,
  isOfCatalog,
  isOfContent,
  type SortKey,
  sortKeys,
  type Viewer,
  type Window,
} from './conditions.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';
import type { Start } from './read-kept.ts';
import { foundRows, mostRows, shownRows } from './search-statements.ts';
import { IN_TIME } from './statements/fragments.ts';
import { isAllOver, type Reading, readInOrder, walk } from './ways-in-order.ts';

/** Results that are passed over before the database had better sort all of them. */
const MAX_PASSED = 1000;
/** The same where the texts of those have to be read that words are searched in. */
const MAX_READ = 250;

const LATE = `(c.effective > now() or c.expires <= now())`;

/** Whether results cannot be counted without their rows of content. */
const isCountedInContent = (query: CatalogQuery, viewer: Viewer, context: QueryContext): boolean =>
  constraintConditions(query, viewer, new SqlParameters(), context).some(isOfContent);

/** What is found, counted: where no column of content is asked for, in the catalog alone, and often in its indexes alone. */
function counted(query: CatalogQuery, viewer: Viewer, parameters: SqlParameters, context: QueryContext): string {
  if (isCountedInContent(query, viewer, context))
    return `select count(*) from (${foundRows(query, { ...viewer, start: 0, size: 0 }, { parameters, keys: [], context, isMany: true })}) found`;
  const throughIndex = isForWords(query, constraintConditions(query, viewer, new SqlParameters(), context));
  const fits = allOf(constraintConditions(query, viewer, parameters, { ...context, throughIndex }));
  const seen = `select count(*) from catalog k where ${viewer.rule.viewable(parameters.add(viewer.principals), { catalog: 'k' })}${fits ? ` and ${fits}` : ''}`;
  if (viewer.inactive) return seen;
  return `select (${seen}) - (select count(*) from content c join catalog k on k.oid = c.oid
    where ${LATE} and (${viewer.rule.viewable(parameters.add(viewer.principals))}) is true${fits ? ` and ${fits}` : ''})`;
}

/** The statement that counts the results of a query for a caller. */
export function compileCount(query: CatalogQuery, viewer: Viewer, context: QueryContext): Statement {
  const parameters = new SqlParameters();
  return { text: `select (${counted(query, viewer, parameters, context)})::int as total`, values: parameters.values };
}

/** Whether a row has no value of the first key. */
const lacks = (keys: readonly SortKey[]): string => (keys.length === 0 ? 'false' : 'key0 is null');

/** A window of what is sorted whole. Who may view is looked up in this order, for as many as are passed over. */
function sortThenLook(query: CatalogQuery, window: Window, reading: Reading): string | undefined {
  const { keys, skip, size, parameters, context } = reading;
  const conditionsWith = (values: SqlParameters) => constraintConditions(query, window, values, context);
  if (conditionsWith(new SqlParameters()).some(isOfCatalog) || keys.some(({ expression }) => isOfCatalog(expression)))
    return undefined;
  const given = conditionsWith(parameters);
  const order = (alias: string) =>
    [...keys.map((key, at) => `${alias}key${at} ${directionOf(key)}`), 'c.oid'].join(', ');
  const columns = keys.map(({ expression }, at) => `, ${expression} as key${at}`).join('');
  return `select c.oid, ${lacks(keys)} as lacking from (select c.oid, c.effective, c.expires${columns} from content c
      where ${allOf([window.inactive ? undefined : IN_TIME, ...given]) ?? 'true'} order by ${order('')} offset 0) c
    join catalog k on k.oid = c.oid where (${window.rule.viewable(parameters.add(window.principals))}) is true
    order by ${order('c.')} limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
}

/** What is found, sorted whole. When it is to be counted as well (`isCounted`), that is done with the same rows. */
function sortAll(query: CatalogQuery, window: Window, isCounted: boolean, reading: Reading): Page {
  const { keys, skip, size, parameters, context } = reading;
  const expressions = keys.map(({ expression }) => expression);
  const found = foundRows(query, window, { parameters, keys: expressions, context, isMany: true });
  const order = [...keys.map((key, at) => `key${at} ${directionOf(key)}`), 'oid'].join(', ');
  // Found as a whole first: in the order of an index the database might pass over all that is not found.
  return {
    rows: `select oid, ${lacks(keys)} as lacking from ${isCounted ? 'found' : `(${found} offset 0) found`} order by ${order}
      limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`,
    ...(isCounted && { before: `found as materialized (${found}), `, count: 'select count(*) from found' }),
  };
}

/** The statement of the rows of a window, those before it in a `with`, and the count of all results if it comes with them. */
type Page = { rows: string; before?: string; count?: string };

/**
 * A window of a query with many results, none of which is ranked. Without `total` they are counted by the same statement. Rows
 * beside `lacking`, whether an object has no value to sort by, are as in `compileQuery`.
 */
export function compileBroad(
  query: CatalogQuery,
  window: Window,
  context: QueryContext,
  { total, mark, isWhole = false }: Start = {},
): Statement {
  const parameters = new SqlParameters();
  const keys = sortKeys(query, parameters, context);
  const most = mostRows(query, window);
  // Where all results are known to be so few, the window may begin behind them.
  const size = total === undefined ? most : Math.max(0, Math.min(most, total - window.start));
  const fromEnd = total === undefined || size === 0 ? Number.POSITIVE_INFINITY : total - window.start - size;
  const fromStart = mark ? window.start - mark.place : window.start;
  const isReversed = fromEnd < fromStart;
  const skip = isReversed ? fromEnd : fromStart;
  const reading = { keys, mark: isReversed ? undefined : mark, isReversed, skip, size, parameters, context };
  const hasWords = query.constraints.some(({ index }) => context.catalog.find(index)?.words);
  const inOrder =
    isAllOver(query, context) && skip + size <= (hasWords ? MAX_READ : total === undefined ? MAX_PASSED : total / 4);
  const whole = { ...reading, skip: window.start };
  const walked = () => (isWhole ? undefined : walk(query, window, reading));
  const way = inOrder ? readInOrder(query, window, reading) : walked();
  const looked = way ?? sortThenLook(query, window, whole);
  const isCounted = total === undefined && isCountedInContent(query, window, context);
  const { rows, before = '', count }: Page = looked ? { rows: looked } : sortAll(query, window, isCounted, whole);
  const number = way && isReversed ? '-row_number() over ()' : 'row_number() over ()';
  const all =
    total === undefined ? (count ?? counted(query, window, parameters, context)) : `${parameters.add(total)}::bigint`;
  return {
    text: `with ${before}page as materialized (select oid, lacking, ${number} as number from (${rows}) read)
      ${shownRows(`(${all})::int`, ', page.lacking')}`,
    values: parameters.values,
  };
}
