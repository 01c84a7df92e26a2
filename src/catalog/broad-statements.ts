import type { Statement } from '../storage/database.ts';
import { CATALOG_ALONE, IN_TIME, VIEWABLE } from '../storage/statements/fragments.ts';
import { allOf, type QueryContext } from './catalog-index.ts';
import {
  conditions,
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
import type { Mark } from './kept-totals.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';
import type { Start } from './read-kept.ts';
import { foundRows, mostRows, shownRows } from './search-statements.ts';

/** Results that are passed over before the database had better sort all of them. */
const MAX_PASSED = 1000;
/** The same where the texts of those have to be read that words are searched in. */
const MAX_READ = 250;

const LATE = `(c.effective > now() or c.expires <= now())`;

/** What is found, counted: where no column of content is asked for, in the catalog alone, and often in its indexes alone. */
function counted(query: CatalogQuery, viewer: Viewer, parameters: SqlParameters, context: QueryContext): string {
  const given = constraintConditions(query, viewer, new SqlParameters(), context);
  if (given.some(isOfContent))
    return `select count(*) from (${foundRows(query, { ...viewer, start: 0, size: 0 }, { parameters, keys: [], context })}) found`;
  const fits = allOf(
    constraintConditions(query, viewer, parameters, { ...context, throughIndex: isForWords(query, given) }),
  );
  const seen = `select count(*) from ${CATALOG_ALONE} where ${VIEWABLE(parameters.add(viewer.principals), 'alone')}${fits ? ` and ${fits}` : ''}`;
  if (viewer.inactive) return seen;
  return `select (${seen}) - (select count(*) from content c join catalog k on k.oid = c.oid
    where ${LATE} and (${VIEWABLE(parameters.add(viewer.principals))}) is true${fits ? ` and ${fits}` : ''})`;
}

/** The statement that counts the results of a query for a caller. */
export function compileCount(query: CatalogQuery, viewer: Viewer, context: QueryContext): Statement {
  const parameters = new SqlParameters();
  return { text: `select (${counted(query, viewer, parameters, context)})::int as total`, values: parameters.values };
}

/** What stands at a mark or behind it in an order of one key at most; `table` has the numbers of the objects. */
function fromMark({ oid }: Mark, key: SortKey | undefined, parameters: SqlParameters, table = 'c'): string {
  const marked = `${parameters.add(oid)}::bigint`;
  // Both sides of the join begin there.
  if (key === undefined) return `c.oid >= ${marked} and k.oid >= ${marked}`;
  const compare = key.descending ? '<' : '>';
  const value = `(select ${key.expression} from content c join catalog k on k.oid = c.oid where c.oid = ${marked})`;
  return `${key.expression} ${compare}= ${value} and (${key.expression} ${compare} ${value} or ${table}.oid >= ${marked})`;
}

/** A window in an order that an index of the database has: as many objects are read as are passed over. */
function readInOrder(
  query: CatalogQuery,
  window: Window,
  { keys, mark, isReversed, skip, size, parameters, context }: Reading,
): string {
  const where = allOf([conditions(query, window, parameters, context), mark && fromMark(mark, keys[0], parameters)]);
  const order = keys.map((key) => `${key.expression} ${directionOf(key, isReversed)}`);
  const byOid = `oid ${isReversed ? 'desc' : 'asc'}`;
  const part = `limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
  const [key] = keys;
  const from = `from content c join catalog k on k.oid = c.oid where ${where}`;
  if (key === undefined || query.paths?.[0]?.depth !== 1)
    return `select c.oid, ${key ? `${key.expression} is null` : 'false'} as lacking ${from} order by ${[...order, `c.${byOid}`].join(', ')} ${part}`;
  // The database takes any container for a small one, and would sort all children. In the order of the index alone there is no need to.
  return `select oid, key0 is null as lacking from (select c.oid, ${key.expression} as key0 ${from} order by ${order[0]}
      fetch first (${parameters.add(skip + size)}::bigint) rows with ties) read order by key0 ${directionOf(key, isReversed)}, ${byOid} ${part}`;
}

/** Objects of the whole site that are looked at, whether they are found, before those that are found had better be sorted. */
const MAX_WALKED = 5000;
/** Results that are looked for on such a way. */
const MAX_SOUGHT = 100;

/** Keys by which an index has the whole site in order. */
const WALKED = ['c.modified', 'c.created', 'c.effective', 'k.sortable_title'];

/**
 * A window of a part of the site, read on the way through the whole site from a mark or from the end. Undefined where that is no way.
 * It has fewer rows than the window where the way is too long; never others.
 */
function walk(query: CatalogQuery, window: Window, reading: Reading): string | undefined {
  const { keys, mark, isReversed, skip, size, parameters, context } = reading;
  const [key] = keys;
  const isWay = key !== undefined && keys.length === 1 && WALKED.includes(key.expression);
  if (!isWay || skip + size > MAX_SOUGHT || (mark === undefined && !isReversed)) return undefined;
  const tables = { c: 'content', k: 'catalog' } as const;
  const [alias, beside] = isOfCatalog(key.expression) ? (['k', 'c'] as const) : (['c', 'k'] as const);
  const order = `${key.expression} ${directionOf(key, isReversed)}, ${alias}.oid ${isReversed ? 'desc' : 'asc'}`;
  const begin = mark ? `where ${fromMark(mark, key, parameters, alias)}` : '';
  return `select c.oid, ${key.expression} is null as lacking
    from (select ${alias}.* from ${tables[alias]} ${alias} ${begin} order by ${order} limit ${MAX_WALKED}) ${alias}
      cross join lateral (select ${beside}.* from ${tables[beside]} ${beside} where ${beside}.oid = ${alias}.oid offset 0) ${beside}
    where ${conditions(query, window, parameters, context)} order by ${order}
    limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
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
    join catalog k on k.oid = c.oid where (${VIEWABLE(parameters.add(window.principals))}) is true
    order by ${order('c.')} limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
}

/** A window of what is found and sorted whole. */
function sortAll(query: CatalogQuery, window: Window, { keys, skip, size, parameters, context }: Reading): string {
  const found = foundRows(query, window, { parameters, keys: keys.map(({ expression }) => expression), context });
  const order = [...keys.map((key, at) => `key${at} ${directionOf(key)}`), 'oid'].join(', ');
  // Found as a whole first: in the order of an index the database might pass over all that is not found.
  return `select oid, ${lacks(keys)} as lacking from (${found} offset 0) found order by ${order}
    limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
}

type Reading = {
  keys: readonly SortKey[];
  mark: Mark | undefined;
  isReversed: boolean;
  /** Results that are passed over, and the most that are read. */
  skip: number;
  size: number;
  parameters: SqlParameters;
  context: QueryContext;
};

/** Whether what is read in the order of an index is mostly what is found: a query that finds a good part of the site does so. */
function isAllOver(query: CatalogQuery, context: QueryContext): boolean {
  const { constraints, paths, notPaths, sort } = query;
  const [first, second] = paths ?? [];
  // The children of a container have an index of their order.
  if (first?.depth === 1 && !second && !notPaths && constraints.length === 0)
    return sort[0]?.on === 'getObjPositionInParent';
  const isWhole =
    (paths?.some(({ path, depth }) => path === '/' && depth === undefined) ?? true) && notPaths === undefined;
  const common = ['SearchableText', 'portal_type', 'review_state', 'Language', 'exclude_from_nav'];
  return isWhole && constraints.every(({ index }) => common.includes(index) || !context.catalog.find(index));
}

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
  const reading = { keys, mark: isReversed ? undefined : mark, isReversed, size, parameters, context };
  const hasWords = query.constraints.some(({ index }) => context.catalog.find(index)?.words);
  const inOrder =
    isAllOver(query, context) && skip + size <= (hasWords ? MAX_READ : total === undefined ? MAX_PASSED : total / 4);
  const whole = { ...reading, skip: window.start };
  const walked = () => (isWhole || hasWords ? undefined : walk(query, window, { ...reading, skip }));
  const way = inOrder ? readInOrder(query, window, { ...reading, skip }) : walked();
  const page = way ?? sortThenLook(query, window, whole) ?? sortAll(query, window, whole);
  const number = way && isReversed ? '-row_number() over ()' : 'row_number() over ()';
  const count = total === undefined ? counted(query, window, parameters, context) : `${parameters.add(total)}::bigint`;
  return {
    text: `with page as materialized (select oid, lacking, ${number} as number from (${page}) read)
      ${shownRows(`(${count})::int`, ', page.lacking')}`,
    values: parameters.values,
  };
}
