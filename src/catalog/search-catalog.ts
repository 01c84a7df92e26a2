import { BadRequest } from '../lib/errors.ts';
import type { Queryable, Statement } from '../storage/database.ts';
import { IN_TIME, INDEX_FIELDS, VIEWABLE } from '../storage/statements/fragments.ts';
import { allOf, type QueryContext } from './catalog-index.ts';
import { joinedText, textQuery } from './indexes/text-index.ts';
import type { MetadataSource } from './metadata.ts';
import { type CatalogQuery, pathCondition, SqlParameters } from './query.ts';

/** The caller. */
export type Viewer = {
  /** Tokens of the caller, see `Caller`. */
  principals: readonly string[];
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
const MAX_RANKED = 5000;

const ROW = `c.oid, c.uid, c.name, c.path, c.type, c.review_state as "reviewState", c.owner, c.language, c.created, c.modified, c.effective,
  c.expires, coalesce(c.fields->>'title', '') as title, coalesce(c.fields->>'description', '') as description, ${INDEX_FIELDS} as fields`;

/** One row at a time: joined with the page at once, the fields of all objects might be unpacked to find those of 25. */
const ROW_OF_PAGE = `select ${ROW} from content c where c.oid = page.oid offset 0`;

/**
 * What the caller may see, in SQL. Beside words that few texts have, the index of who may view is kept out of the plan
 * (`is true`): it would give the half of the site that the caller may see, only to be cut with those few.
 */
function visible(
  { constraints }: CatalogQuery,
  { principals, inactive }: Viewer,
  parameters: SqlParameters,
  { catalog }: QueryContext,
): string {
  const searched = constraints.some(({ index }) => catalog.find(index)?.words);
  const allowed = `(${VIEWABLE(parameters.add(principals))})${searched ? ' is true' : ''}`;
  return inactive ? allowed : `${allowed} and ${IN_TIME}`;
}

/** What objects must fit to be found by a query, and by whom. Throws BadRequest for values that their index cannot have. */
export function conditions(
  query: CatalogQuery,
  window: Viewer,
  parameters: SqlParameters,
  context: QueryContext,
): string {
  const given = query.constraints.filter(({ constraint: { values, not } }) => values.length + not.length > 0);
  const count = given.reduce((sum, { constraint: { values, not } }) => sum + values.length + not.length, 0);
  if (count > MAX_VALUES) throw new BadRequest(`A query has ${MAX_VALUES} values at most.`);
  const constrained = given.map(({ index, constraint }) =>
    context.catalog.find(index)?.condition?.(constraint, parameters, { ...context, principals: window.principals }),
  );
  return (
    allOf([
      visible(query, window, parameters, context),
      query.paths && pathCondition(query.paths, parameters),
      query.notPaths && `not (${pathCondition(query.notPaths, parameters)})`,
      ...constrained,
    ]) ?? 'true'
  );
}

/** The expressions to sort by, with their directions. Names of unknown and unsortable indexes are dropped. */
function sortKeys({ sort }: CatalogQuery, parameters: SqlParameters, { catalog }: QueryContext) {
  return sort
    .filter(({ on }) => catalog.find(on)?.sort !== undefined)
    .slice(0, MAX_KEYS)
    .flatMap(({ on, descending }) => {
      const expression = catalog.find(on)?.sort?.(parameters);
      const direction = descending ? 'desc nulls last' : 'asc nulls last';
      return expression === undefined ? [] : [{ expression, direction }];
    });
}

/** What relevance is measured by: the text that is searched for. */
function relevance(
  { constraints }: CatalogQuery,
  parameters: SqlParameters,
  context: QueryContext,
): string | undefined {
  const text = constraints.find(({ index }) => index === 'SearchableText');
  const query = text && textQuery(joinedText(text.index, text.constraint.values), '', parameters, context);
  const weights = context.weights ? `${parameters.add(context.weights)}::float4[], ` : '';
  return (
    query &&
    `case when (select count(*) from found) <= ${MAX_RANKED}
      then (select ts_rank(${weights}k.searchable, ${query}) from catalog k where k.oid = found.oid) end`
  );
}

/**
 * The statement of a query: one window of the results in their order, each row with `total`, the number of all results
 * for this caller; one row without an `oid` when the window is empty. Objects that are equal in all that is sorted by
 * stand in the order of their creation, so that windows neither overlap nor leave anything out. Throws BadRequest for
 * values that their index cannot have.
 */
export function compileQuery(query: CatalogQuery, window: Window, context: QueryContext): Statement {
  const parameters = new SqlParameters();
  const where = conditions(query, window, parameters, context);
  const keys = sortKeys(query, parameters, context);
  const rank = keys.length === 0 ? relevance(query, parameters, context) : undefined;
  const columns = keys.map(({ expression }, at) => `, ${expression} as key${at}`).join('');
  const order = rank ? ['rank desc nulls last'] : keys.map(({ direction }, at) => `key${at} ${direction}`);
  const most = Math.min(window.size, Math.max(0, (query.limit ?? Number.MAX_SAFE_INTEGER) - window.start));
  const total = query.limit === undefined ? 'count(*)' : `least(count(*), ${parameters.add(query.limit)}::bigint)`;
  return {
    text: `with found as materialized (
        select c.oid${columns} from content c join catalog k on k.oid = c.oid where ${where}
      ), page as (
        select oid, row_number() over (order by ${[...order, 'oid'].join(', ')}) as number
        from ${rank ? `(select found.oid, ${rank} as rank from found) ranked` : 'found'}
        order by number limit ${parameters.add(most)}::bigint offset ${parameters.add(window.start)}::bigint
      )
      select (select ${total}::int from found) as total, listed.*
      from (select) one left join (select page.number, shown.* from page cross join lateral (${ROW_OF_PAGE}) shown) listed on true
      order by listed.number`,
    values: parameters.values,
  };
}

/** A result: what summaries are made of. */
export type FoundRow = MetadataSource & { oid: number };

/** One window of the results, and how many there are for the caller. */
export type Found = { items: FoundRow[]; total: number };

/** Runs a query with one SQL statement. Throws BadRequest for values that their index cannot have. */
export async function searchCatalog(
  db: Queryable,
  query: CatalogQuery,
  window: Window,
  context: QueryContext,
): Promise<Found> {
  const rows = await db.query<FoundRow & { total: number; oid: number | null }>(compileQuery(query, window, context));
  return { total: rows[0]?.total ?? 0, items: rows.filter((row) => row.oid !== null) };
}
