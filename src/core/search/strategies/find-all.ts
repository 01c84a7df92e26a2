import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ofAnything } from '../../../database/cache-tags.ts';
import { foundRows, isForFewWords } from '../found-rows.ts';
import { directionOf, MAX_RANKED, relevance } from '../sort-keys.ts';
import { type Strategy, shownRows } from './strategy.ts';

/** Maximum number of texts whose names are kept: queries differ in their values, and have few forms. */
const MAX_NAMES = 200;

const names = new LRUCache<string, string>({ max: MAX_NAMES });

/** The name of the prepared statement with a text, on all connections and in each process the same. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `find-words-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/**
 * Finds all results, and counts, sorts and cuts them in one statement. It wins for few results: a query that is not known to have many results begins
 * with it, and stops at more than `atMost`. Only this strategy ranks results.
 */
export const findAll: Strategy = {
  name: 'find all',
  fits: ({ from }) => from === undefined,
  statement({ query, window, context, parameters, keys, about, size: most, atMost }) {
    const expressions = keys.map(({ expression }) => expression);
    const isBounded = atMost !== undefined;
    const found = foundRows({ query, window, context, parameters, keys: expressions, isBounded }, about);
    const rank = keys.length === 0 ? relevance(query, parameters, context) : undefined;
    const order = rank ? ['rank desc nulls last'] : keys.map((key, at) => `key${at} ${directionOf(key)}`);
    const ranked = `(select found.oid, case when (select count(*) from found) <= ${MAX_RANKED} then ${rank} end as rank from found) ranked`;
    const size = `${parameters.add(most)}::bigint offset ${parameters.add(window.start)}::bigint`;
    const all = atMost === undefined ? '' : `all_found as materialized (${found}), `;
    const text = `with ${all}found as materialized (${atMost === undefined ? found : `select * from all_found limit ${atMost + 1}`}), page as (
        select oid, row_number() over () as number from (
          select oid from ${rank ? ranked : 'found'} ${atMost === undefined ? '' : `where (select count(*) from found) <= ${atMost}`}
          order by ${[...order, 'oid'].join(', ')} limit ${size}) read
      )
      ${shownRows('(select count(*)::int from found)')}`;
    // Most of the time of such a search is its planning.
    const name = isForFewWords(query) ? { name: nameOf(text) } : {};
    return { ...name, text, values: parameters.values, tags: ofAnything };
  },
};
