import type { Statement } from '../../../database/database.ts';
import type { Mark } from '../../cache/kept-totals.ts';
import type { QueryContext } from '../catalog-index.ts';
import { conditionsAbout, type Window } from '../conditions.ts';
import { counted } from '../counting.ts';
import type { Expression } from '../expression.ts';
import { type CatalogQuery, SqlParameters } from '../query.ts';
import type { Start } from '../read-kept.ts';
import { type SortKey, sortKeys } from '../sort-keys.ts';
import { fieldColumns } from '../statements/node-fields.ts';

/** A window of the results of a query. */
export type Search = {
  query: CatalogQuery;
  window: Window;
  context: QueryContext;
  /** Maximum number of results for which rows are returned. With more results no rows are returned, and the total is `atMost` plus one. */
  atMost?: number | undefined;
  /** The start of the window of a query that is known to have many results, none of which is ranked. */
  from?: Start | undefined;
};

/** A search for which a statement is being made. */
export type Reading = Search & {
  parameters: SqlParameters;
  keys: readonly SortKey[];
  /** The expressions in the conditions of the query. */
  about: readonly Expression[];
  /** True if the window is read from the end of all results, which is nearer. */
  isReversed: boolean;
  /** The row to begin at. */
  mark: Mark | undefined;
  /** Number of results to skip, and maximum number of results to read. */
  skip: number;
  size: number;
};

/** A way to read a window. */
export type Strategy = {
  name: string;
  fits(reading: Reading): boolean;
  /**
   * The statement of the window: the results in their order, each row with `total`, the number of all results for this caller; one row without an
   * `oid` when the window is empty. Objects with equal sort values are in the order of their creation, so that windows do not overlap and leave
   * nothing out. Rows of a query with many results also have `lacking`, true for an object without a value to sort by. Throws BadRequest for values
   * that their index cannot have.
   */
  statement(reading: Reading): Statement;
};

/** Maximum number of rows of a window. */
export const mostRows = ({ limit }: CatalogQuery, { start, size }: Window): number =>
  Math.min(size, Math.max(0, (limit ?? Number.MAX_SAFE_INTEGER) - start));

/** Prepares a search: its keys, and the nearest place where it may begin to be read. */
export function readingOf(search: Search): Reading {
  const { query, window, context, from: { total, mark } = {} } = search;
  const parameters = new SqlParameters();
  const keys = sortKeys(query, parameters, context);
  const most = mostRows(query, window);
  // The window may begin behind the last result, if the total is known.
  const size = total === undefined ? most : Math.max(0, Math.min(most, total - window.start));
  const fromEnd = total === undefined || size === 0 ? Number.POSITIVE_INFINITY : total - window.start - size;
  const fromStart = mark ? window.start - mark.place : window.start;
  const isReversed = fromEnd < fromStart;
  const skip = isReversed ? fromEnd : fromStart;
  const about = conditionsAbout(query, window, context);
  return { ...search, parameters, keys, about, isReversed, mark: isReversed ? undefined : mark, skip, size };
}

/** Says if the query searches words. */
export const hasWords = ({ query, context }: Search): boolean =>
  query.constraints.some(({ index }) => context.catalog.find(index)?.words);

/** The expression that a row lacks a value of the first key. */
export const lacks = ([key]: readonly SortKey[], sql = 'key0'): string => (key ? `${sql} is null` : 'false');

/** Reads one row at a time (`offset 0`). */
const ROW_OF_PAGE = `select c.oid, c.uid, c.name, c.path, c.type, c.review_state as "reviewState", c.owner, c.language, c.created, c.modified,
    c.effective, c.expires, ${fieldColumns('title', 'description')}, c.fields
  from content c where c.oid = page.oid offset 0`;

/** The rows of the table `page` of oids with their `number`, in its order; one row without an `oid` when the page is empty. */
export const shownRows = (total: string, more = ''): string => `select ${total} as total, listed.*
  from (select) one left join (select page.number${more}, shown.* from page cross join lateral (${ROW_OF_PAGE}) shown) listed on true
  order by listed.number`;

/** The statement of the rows of some results, in the order of their numbers, with the number of all results. */
export const rowsStatement = (oids: readonly number[], total: number): Statement => ({
  text: `with page as (select oid, number from unnest($1::bigint[]) with ordinality listed(oid, number)) ${shownRows('$2::int')}`,
  values: [oids, total],
});

/** The rows of a window of many results. */
type Page = {
  rows: string;
  /** The SQL before the rows in a `with`. */
  before?: string;
  /** The SQL of the total, if it comes with the rows. */
  count?: string;
  /** True if the rows come in the opposite order. */
  isReversed?: boolean;
};

/** The statement of a window of many results. It also counts the results if their total is unknown. */
export function pageStatement(
  { query, window, context, parameters, from: { total } = {} }: Reading,
  { rows, before = '', count, isReversed = false }: Page,
): Statement {
  const number = isReversed ? '-row_number() over ()' : 'row_number() over ()';
  const all =
    total === undefined ? (count ?? counted(query, window, parameters, context)) : `${parameters.add(total)}::bigint`;
  return {
    text: `with ${before}page as materialized (select oid, lacking, ${number} as number from (${rows}) read)
      ${shownRows(`(${all})::int`, ', page.lacking')}`,
    values: parameters.values,
  };
}
