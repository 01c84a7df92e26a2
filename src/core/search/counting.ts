import type { Queryable, Statement } from '../../database/database.ts';
import { MAX_MEMBERS, type ResultsSource } from '../cache/kept-results.ts';
import type { QueryContext } from './catalog-index.ts';
import { conditions, conditionsAbout, constraintConditions, type Viewer } from './conditions.ts';
import { allOf, isOwn, readsContent } from './expression.ts';
import { foundRows, isForWords } from './found-rows.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';

const OUT_OF_TIME = `(c.effective > statement_timestamp() or c.expires <= statement_timestamp())`;

/** The SQL behind a `from` for all results, and for those of them that are left out because they are outside of their dates. */
type Results = { found: string; hidden?: string };

/**
 * The results of a query. A query without columns of content is answered by the catalog alone, and often only by its indexes, without the few objects
 * outside of their dates.
 */
function resultsOf(query: CatalogQuery, viewer: Viewer, parameters: SqlParameters, context: QueryContext): Results {
  const about = conditionsAbout(query, viewer, context);
  if (about.some(readsContent)) {
    const window = { ...viewer, start: 0, size: 0 };
    return { found: `(${foundRows({ query, window, context, parameters, keys: [], isMany: true }, about)}) k` };
  }
  const throughIndex = isForWords(query, about);
  const fits = allOf(
    constraintConditions(query, viewer, parameters, { ...context, throughIndex }).map(({ sql }) => sql),
  );
  const found = `catalog k where ${viewer.rule.viewable(parameters.add(viewer.principals), { catalog: 'k' })}${fits ? ` and ${fits}` : ''}`;
  if (viewer.inactive) return { found };
  return {
    found,
    hidden: `content c join catalog k on k.oid = c.oid
    where ${OUT_OF_TIME} and (${viewer.rule.viewable(parameters.add(viewer.principals))}) is true${fits ? ` and ${fits}` : ''}`,
  };
}

/** The subquery that counts the results. */
export function counted(query: CatalogQuery, viewer: Viewer, parameters: SqlParameters, context: QueryContext): string {
  const { found, hidden } = resultsOf(query, viewer, parameters, context);
  const seen = `select count(*) from ${found}`;
  return hidden === undefined ? seen : `select (${seen}) - (select count(*) from ${hidden})`;
}

/** The statement that counts the results of a query for a caller. */
export function compileCount(query: CatalogQuery, viewer: Viewer, context: QueryContext): Statement {
  const parameters = new SqlParameters();
  return { text: `select (${counted(query, viewer, parameters, context)})::int as total`, values: parameters.values };
}

/** The numbers in a text that the database has joined, which takes less than a row for each. */
export const joinedNumbers = (text: string | null): number[] => (text === null ? [] : text.split(',').map(Number));

/** The statement that returns the numbers of all results, and of those that are hidden by their dates, each as one text. */
function compileResults(query: CatalogQuery, viewer: Viewer, context: QueryContext): Statement {
  const parameters = new SqlParameters();
  const { found, hidden } = resultsOf(query, viewer, parameters, context);
  const all = (rows: string) =>
    `(select string_agg(oid::text, ',') from (select k.oid from ${rows} limit ${MAX_MEMBERS + 1}) read)`;
  return {
    text: `select ${all(found)} as found, ${hidden === undefined ? 'null' : all(hidden)} as hidden`,
    values: parameters.values,
  };
}

/**
 * The statement that returns those of some objects that are results, with the value of their group, an expression of a text. The database looks up
 * each object by its number. `more` is SQL behind the tables.
 */
export function compileAmong(
  oids: readonly number[],
  { query, viewer, context }: Counted,
  value: string,
  { parameters = new SqlParameters(), more = '' }: { parameters?: SqlParameters; more?: string } = {},
): Statement {
  const from = `unnest(${parameters.add(oids)}::bigint[]) asked(oid)
      cross join lateral (select c.* from content c where c.oid = asked.oid offset 0) c
      cross join lateral (select k.* from catalog k where k.oid = asked.oid offset 0) k`;
  return {
    text: `select c.oid, ${value} as value from ${from} ${more} where ${conditions(query, viewer, parameters, context)}`,
    values: parameters.values,
  };
}

/** A query, its caller, and the context of its conditions. */
export type Counted = { query: CatalogQuery; viewer: Viewer; context: QueryContext };

/** Says if each object fits the query by its own rows alone, so that results change only with the objects that are results before or afterwards. */
export const isOfOwnRows = ({ query, viewer, context }: Counted): boolean =>
  conditionsAbout(query, viewer, context).every(isOwn);

/** The means to read the results of a query, all in one group. */
export const resultsSource = (db: Queryable, counted: Counted): ResultsSource => ({
  async read() {
    const { query, viewer, context } = counted;
    const [row] = await db.query<{ found: string | null; hidden: string | null }>(
      compileResults(query, viewer, context),
    );
    const found = joinedNumbers(row?.found ?? null);
    const hidden = new Set(joinedNumbers(row?.hidden ?? null));
    if (found.length > MAX_MEMBERS || hidden.size > MAX_MEMBERS) return undefined;
    return [['', hidden.size === 0 ? found : found.filter((oid) => !hidden.has(oid))]];
  },
  among: (oids) => db.query(compileAmong(oids, counted, `''`)),
});
