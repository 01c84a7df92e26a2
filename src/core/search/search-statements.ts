import type { Statement } from '../../database/database.ts';
import { ofAnything } from '../../database/footprint.ts';
import { allOf, type QueryContext } from './catalog-index.ts';
import {
  conditions,
  constraintConditions,
  directionOf,
  isForWords,
  isOfCatalog,
  isOfContent,
  isOfFew,
  MAX_RANKED,
  relevance,
  sortKeys,
  type Window,
} from './conditions.ts';
import { type CatalogQuery, SqlParameters } from './query.ts';
import { IN_TIME, INDEX_FIELDS } from './statements/fragments.ts';

/** One row at a time: joined with the page at once, the fields of all objects might be unpacked to find those of 25. */
const ROW_OF_PAGE = `select c.oid, c.uid, c.name, c.path, c.type, c.review_state as "reviewState", c.owner, c.language, c.created, c.modified,
    c.effective, c.expires, coalesce(c.fields->>'title', '') as title, coalesce(c.fields->>'description', '') as description, c.fields
  from (select c.oid, c.uid, c.name, c.path, c.type, c.review_state, c.owner, c.language, c.created, c.modified, c.effective, c.expires,
      ${INDEX_FIELDS} as fields from content c where c.oid = page.oid offset 0) c`;

/** The rows of the table `page` of oids with their `number`, in its order; one row without an `oid` when there are none. */
export const shownRows = (total: string, more = ''): string => `select ${total} as total, listed.*
  from (select) one left join (select page.number${more}, shown.* from page cross join lateral (${ROW_OF_PAGE}) shown) listed on true
  order by listed.number`;

/** How many rows of a window there can be at most. */
export const mostRows = ({ limit }: CatalogQuery, { start, size }: Window): number =>
  Math.min(size, Math.max(0, (limit ?? Number.MAX_SAFE_INTEGER) - start));

type Finding = {
  parameters: SqlParameters;
  /** Expressions of the keys. */
  keys: readonly string[];
  context: QueryContext;
  /** Whether no more than some thousands are asked for. */
  isBounded?: boolean;
  /** Whether it is known that many are found. */
  isMany?: boolean;
};

/** What is found, as the query of a table with the oids and the keys `key0`, `key1`, … */
export function foundRows(
  query: CatalogQuery,
  window: Window,
  { parameters, keys, context, isBounded = false, isMany = false }: Finding,
): string {
  const columns = keys.map((expression, at) => `, ${expression} as key${at}`).join('');
  const whole = () =>
    `select c.oid${columns} from content c ${catalogRows} where ${conditions(query, window, parameters, context)}`;
  const plain = constraintConditions(query, window, new SqlParameters(), context);
  // The database takes the catalog for smaller than it is and would read all of it to look at the rows of a few thousand objects.
  const catalogRows =
    isBounded && isOfFew(query, plain)
      ? 'cross join lateral (select k.* from catalog k where k.oid = c.oid offset 0) k'
      : 'join catalog k on k.oid = c.oid';
  const isMixed = plain.some((condition) => isOfContent(condition) && isOfCatalog(condition));
  if (isMixed || !isForWords(query, plain, isMany)) return whole();
  // The words first, through their index: it takes a hundredth of the time that reading many texts takes.
  const given = constraintConditions(query, window, parameters, { ...context, throughIndex: true });
  const ofContent = given.filter(isOfContent);
  const inTime = window.inactive ? undefined : IN_TIME;
  // What only the catalog has is taken at once: its rows are not looked up a second time.
  const isTaken = (expression: string) => isOfCatalog(expression) && !isOfContent(expression);
  const taken = keys.map((expression, at) => (isTaken(expression) ? `, ${expression} as key${at}` : '')).join('');
  const shown = keys.map((expression, at) => `, ${isTaken(expression) ? `matching.key${at}` : expression} as key${at}`);
  const isMixedKey = keys.some((expression) => isOfCatalog(expression) && !isTaken(expression));
  const catalog = isMixedKey ? 'join catalog k on k.oid = matching.oid' : '';
  return `with matching as materialized (
        select k.oid${taken} from catalog k
        where (${window.rule.viewable(parameters.add(window.principals), { catalog: 'k' })}) is true and ${allOf(given.filter((one) => !isOfContent(one))) ?? 'true'}
      )
      select c.oid${shown.join('')} from matching join content c on c.oid = matching.oid ${catalog} where ${allOf([inTime, ...ofContent]) ?? 'true'}`;
}

/**
 * The statement of a query: one window of the results in their order, each row with `total`, the number of all results
 * for this caller; one row without an `oid` when the window is empty. Objects that are equal in all that is sorted by
 * stand in the order of their creation, so that windows neither overlap nor leave anything out. It stops at more than
 * `atMost` results: then there are no rows, and `total` is one more. Throws BadRequest for values that their index cannot have.
 */
export function compileQuery(
  query: CatalogQuery,
  window: Window,
  context: QueryContext,
  atMost: number | undefined = undefined,
): Statement {
  const parameters = new SqlParameters();
  const keys = sortKeys(query, parameters, context);
  const found = foundRows(query, window, {
    parameters,
    keys: keys.map(({ expression }) => expression),
    context,
    isBounded: atMost !== undefined,
  });
  const rank = keys.length === 0 ? relevance(query, parameters, context) : undefined;
  const order = rank ? ['rank desc nulls last'] : keys.map((key, at) => `key${at} ${directionOf(key)}`);
  const ranked = `(select found.oid, case when (select count(*) from found) <= ${MAX_RANKED} then ${rank} end as rank from found) ranked`;
  const size = `${parameters.add(mostRows(query, window))}::bigint offset ${parameters.add(window.start)}::bigint`;
  const all = atMost === undefined ? '' : `all_found as materialized (${found}), `;
  return {
    text: `with ${all}found as materialized (${atMost === undefined ? found : `select * from all_found limit ${atMost + 1}`}), page as (
        select oid, row_number() over (order by ${[...order, 'oid'].join(', ')}) as number
        from ${rank ? ranked : 'found'} ${atMost === undefined ? '' : `where (select count(*) from found) <= ${atMost}`}
        order by number limit ${size}
      )
      ${shownRows('(select count(*)::int from found)')}`,
    values: parameters.values,
    footprint: ofAnything,
  };
}
