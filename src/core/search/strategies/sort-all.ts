import { constraintConditions } from '../conditions.ts';
import { allOf, readsCatalog, readsContent } from '../expression.ts';
import { foundRows } from '../found-rows.ts';
import { directionOf } from '../sort-keys.ts';
import { IN_TIME } from '../statements/fragments.ts';
import { lacks, pageStatement, type Strategy } from './strategy.ts';

/**
 * Sorts all matching content, then looks up its viewers in this order, only for skipped rows and the window. It wins when conditions and keys read
 * only content: of 100,000 documents the first batch of a section of 10,000 took 1,594 to 10,239 pages of 8 kB, while sorting the found rows took
 * 31,790 to 40,433.
 */
export const sortThenLook: Strategy = {
  name: 'sort, then look',
  fits: ({ about, keys }) => !about.some(readsCatalog) && !keys.some(({ expression }) => readsCatalog(expression)),
  statement(reading) {
    const { query, window, context, keys, size, parameters } = reading;
    const given = constraintConditions(query, window, parameters, context).map(({ sql }) => sql);
    const order = (alias: string) =>
      [...keys.map((key, at) => `${alias}key${at} ${directionOf(key)}`), 'c.oid'].join(', ');
    const columns = keys.map(({ expression }, at) => `, ${expression.sql} as key${at}`).join('');
    const rows = `select c.oid, ${lacks(keys)} as lacking from (select c.oid, c.effective, c.expires${columns} from content c
      where ${allOf([window.inactive ? undefined : IN_TIME, ...given]) ?? 'true'} order by ${order('')} offset 0) c
    join catalog k on k.oid = c.oid where (${window.rule.viewable(parameters.add(window.principals))}) is true
    order by ${order('c.')} limit ${parameters.add(size)}::bigint offset ${parameters.add(window.start)}::bigint`;
    return pageStatement(reading, { rows });
  },
};

/** Sorts all found rows, and counts these rows if counting needs content. It fits any query. */
export const sortAll: Strategy = {
  name: 'sort all',
  fits: () => true,
  statement(reading) {
    const { query, window, context, keys, size, parameters, about, from } = reading;
    const expressions = keys.map(({ expression }) => expression);
    const found = foundRows({ query, window, context, parameters, keys: expressions, isMany: true }, about);
    const order = [...keys.map((key, at) => `key${at} ${directionOf(key)}`), 'oid'].join(', ');
    const isCounted = from?.total === undefined && about.some(readsContent);
    // All rows are found first: in the order of an index, the database might read all other rows on the way.
    return pageStatement(reading, {
      rows: `select oid, ${lacks(keys)} as lacking from ${isCounted ? 'found' : `(${found} offset 0) found`} order by ${order}
      limit ${parameters.add(size)}::bigint offset ${parameters.add(window.start)}::bigint`,
      ...(isCounted && { before: `found as materialized (${found}), `, count: 'select count(*) from found' }),
    });
  },
};
