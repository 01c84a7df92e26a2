import { LRUCache } from 'lru-cache';
import type { Statement } from '../../database/database.ts';
import { compileCount } from './counting.ts';
import { mostOfOneStatement } from './sort-keys.ts';
import { planSearch } from './strategies/choose.ts';
import type { Search } from './strategies/strategy.ts';

/** The parts of a search that depend only on its query, its caller and the configuration of the site. */
type PreparedSearch = {
  /** The statement that counts the results. */
  count: Statement;
  /** Maximum number of results for which `few` returns rows. */
  most: number;
  /** The statement that finds, counts and sorts all results. */
  few: Statement;
};

/** Maximum number of prepared searches of one site, and of the characters of a search that is kept. */
const MAX_PREPARED = 100;
const MAX_KEY_LENGTH = 2000;

/** Prepared searches by the types of their site, which are replaced with each change of the configuration. */
const prepared = new WeakMap<Search['context']['types'], LRUCache<string, PreparedSearch>>();

function prepare({ query, window, context }: Search): PreparedSearch {
  const most = mostOfOneStatement(query, context);
  const count = compileCount(query, window, context);
  return { count, most, few: planSearch({ query, window, context, atMost: most }).statement };
}

/**
 * Prepares a search that is not known to have many results. Visitors repeat the same searches, and to make their statements takes longer than all else
 * that a search does without the database, so that the last ones are kept. Throws BadRequest for values that their index cannot have.
 */
export function prepareSearch(search: Search): PreparedSearch {
  const { query, window, context } = search;
  const { rule, ...caller } = window;
  const key = JSON.stringify([query, caller, rule.named(''), context.stemmers, context.weights]);
  if (key.length > MAX_KEY_LENGTH) return prepare(search);
  const ofSite = prepared.get(context.types) ?? new LRUCache<string, PreparedSearch>({ max: MAX_PREPARED });
  prepared.set(context.types, ofSite);
  const known = ofSite.get(key);
  if (known) return known;
  const made = prepare(search);
  ofSite.set(key, made);
  return made;
}
