import type { Mark } from '../cache/kept-totals.ts';
import { allOf, type QueryContext } from './catalog-index.ts';
import { conditions, directionOf, isOfCatalog, type SortKey, type Window } from './conditions.ts';
import type { CatalogQuery, SqlParameters } from './query.ts';

/** A window that is to be read in the order of its keys. */
export type Reading = {
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
export function isAllOver(query: CatalogQuery, context: QueryContext): boolean {
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

/** What stands at a mark or behind it in an order of one key at most; `table` has the numbers of the objects. */
function behind({ oid }: Mark, key: SortKey | undefined, parameters: SqlParameters, table: 'c' | 'k'): string {
  const marked = `${parameters.add(oid)}::bigint`;
  if (key === undefined) return `${table}.oid >= ${marked}`;
  const compare = key.descending ? '<' : '>';
  const value = `(select ${key.expression} from content c join catalog k on k.oid = c.oid where c.oid = ${marked})`;
  return `${key.expression} ${compare}= ${value} and (${key.expression} ${compare} ${value} or ${table}.oid >= ${marked})`;
}

/** A window in an order that an index of the database has: as many objects are read as are passed over. */
export function readInOrder(
  query: CatalogQuery,
  window: Window,
  { keys, mark, isReversed, skip, size, parameters, context }: Reading,
): string {
  const [key] = keys;
  // Without a key both sides of the join begin at the mark.
  const begin = mark && [behind(mark, key, parameters, 'c'), key ? undefined : behind(mark, key, parameters, 'k')];
  const where = allOf([conditions(query, window, parameters, context), ...(begin ?? [])]);
  const order = keys.map((key) => `${key.expression} ${directionOf(key, isReversed)}`);
  const byOid = `oid ${isReversed ? 'desc' : 'asc'}`;
  const part = `limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
  const from = `from content c join catalog k on k.oid = c.oid where ${where}`;
  if (key === undefined || query.paths?.[0]?.depth !== 1)
    return `select c.oid, ${key ? `${key.expression} is null` : 'false'} as lacking ${from} order by ${[...order, `c.${byOid}`].join(', ')} ${part}`;
  // The database takes any container for a small one, and would sort all children. In the order of the index alone there is no need to.
  return `select oid, key0 is null as lacking from (select c.oid, ${key.expression} as key0 ${from} order by ${order[0]}
      fetch first (${parameters.add(skip + size)}::bigint) rows with ties) read order by key0 ${directionOf(key, isReversed)}, ${byOid} ${part}`;
}

/** Objects of the whole site that are looked at, whether they are found, before those that are found had better be sorted. */
const MAX_WALKED = 5000;
/** The same where the texts of those have to be read that lie in the part. */
const MAX_WALKED_FOR_WORDS = 1000;
/** Results that are looked for on such a way. */
const MAX_SOUGHT = 100;

/** Keys by which an index has the whole site in order. */
const WALKED = ['c.modified', 'c.created', 'c.effective', 'k.sortable_title'];

/**
 * A window of a part of the site, read on the way through the whole site from a mark or from the end. Undefined where that is no way.
 * It has fewer rows than the window where the way is too long; never others.
 */
export function walk(query: CatalogQuery, window: Window, reading: Reading): string | undefined {
  const { keys, mark, isReversed, skip, size, parameters, context } = reading;
  const [key, second] = keys;
  const isWay = key === undefined || (second === undefined && WALKED.includes(key.expression));
  if (!isWay || skip + size > MAX_SOUGHT || (mark === undefined && !isReversed)) return undefined;
  const tables = { c: 'content', k: 'catalog' } as const;
  const [alias, beside] = key && isOfCatalog(key.expression) ? (['k', 'c'] as const) : (['c', 'k'] as const);
  const byOid = `${alias}.oid ${isReversed ? 'desc' : 'asc'}`;
  const order = key ? `${key.expression} ${directionOf(key, isReversed)}, ${byOid}` : byOid;
  const most = query.constraints.some(({ index }) => context.catalog.find(index)?.words)
    ? MAX_WALKED_FOR_WORDS
    : MAX_WALKED;
  return `select c.oid, ${key ? `${key.expression} is null` : 'false'} as lacking
    from (select ${alias}.* from ${tables[alias]} ${alias} ${mark ? `where ${behind(mark, key, parameters, alias)}` : ''} order by ${order} limit ${most}) ${alias}
      cross join lateral (select ${beside}.* from ${tables[beside]} ${beside} where ${beside}.oid = ${alias}.oid offset 0) ${beside}
    where ${conditions(query, window, parameters, { ...context, throughIndex: true })} order by ${order}
    limit ${parameters.add(size)}::bigint offset ${parameters.add(skip)}::bigint`;
}
