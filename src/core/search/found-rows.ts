import type { QueryContext } from './catalog-index.ts';
import { conditions, conditionsAbout, constraintConditions, type Window } from './conditions.ts';
import { allOf, type Expression, readsCatalog, readsContent } from './expression.ts';
import { joinedText } from './indexes/text-index.ts';
import type { CatalogQuery, SqlParameters } from './query.ts';
import { IN_TIME } from './statements/fragments.ts';
import { parseTextQuery, termsIn } from './text-query.ts';

/** The rows of a query that a statement needs. */
export type Finding = {
  query: CatalogQuery;
  window: Window;
  context: QueryContext;
  parameters: SqlParameters;
  /** Expressions of the keys. */
  keys: readonly Expression[];
  /** True if at most some thousands of rows are wanted. */
  isBounded?: boolean;
  /** True if the query is known to find many. */
  isMany?: boolean;
};

/** A way to all rows of a query, with the case in which the database does not take it by itself. */
type Finder = {
  name: string;
  /** `about` is what the conditions of the query are about. */
  fits(finding: Finding, about: readonly Expression[]): boolean;
  /** The rows as the query of a table with the oids and the keys `key0`, `key1`, … */
  rows(finding: Finding): string;
};

/** The index of words alone decides what fits: the order of words in a phrase is read in the texts. */
const isOfWordsAlone = (text: string): boolean =>
  termsIn(parseTextQuery(text)).every(({ words, negated }) => words.length === 1 && !negated);

/**
 * Decides that words are looked up in their index first, however many texts have them: where nothing is asked for beside them
 * that few objects have, or where many objects of a part of the site are known to be found (`isMany`), whose texts would be read.
 */
export function isForWords(query: CatalogQuery, about: readonly Expression[], isMany = false): boolean {
  const words = query.constraints.find(({ index }) => index === 'SearchableText');
  if (words === undefined || words.constraint.values.length === 0 || words.constraint.not.length > 0) return false;
  if (isMany && isOfWordsAlone(joinedText(words.index, words.constraint.values))) return true;
  return about.every(({ narrow }) => !narrow);
}

/**
 * Words first, through their index. It wins where many texts have them, which the database would read: a word on nearly every one of
 * 100,000 pages took 35 ms instead of 2.4 s, in a section of 10,000 it took 12 ms instead of 97 to 134.
 */
const WORDS_FIRST: Finder = {
  name: 'words first',
  fits: ({ query, isMany }, about) =>
    isForWords(query, about, isMany) && !about.some((one) => readsContent(one) && readsCatalog(one)),
  rows({ query, window, context, parameters, keys }) {
    const given = constraintConditions(query, window, parameters, { ...context, throughIndex: true });
    const ofContent = given.filter(readsContent).map(({ sql }) => sql);
    const others = given.filter((one) => !readsContent(one)).map(({ sql }) => sql);
    // Columns that only the catalog has are taken at once, without a second lookup of its rows.
    const isTaken = (key: Expression) => key.of === 'catalog';
    const taken = keys.map((key, at) => (isTaken(key) ? `, ${key.sql} as key${at}` : '')).join('');
    const shown = keys.map((key, at) => `, ${isTaken(key) ? `matching.key${at}` : key.sql} as key${at}`);
    const catalog = keys.some(({ of }) => of === 'both') ? 'join catalog k on k.oid = matching.oid' : '';
    const viewable = window.rule.viewable(parameters.add(window.principals), { catalog: 'k' });
    return `with matching as materialized (
        select k.oid${taken} from catalog k
        where (${viewable}) is true and ${allOf(others) ?? 'true'}
      )
      select c.oid${shown.join('')} from matching join content c on c.oid = matching.oid ${catalog} where ${allOf([window.inactive ? undefined : IN_TIME, ...ofContent]) ?? 'true'}`;
  },
};

/** The rows of content beside those of the catalog that `catalog` joins. */
function rowsWith(catalog: string, { query, window, context, parameters, keys }: Finding): string {
  const columns = keys.map(({ sql }, at) => `, ${sql} as key${at}`).join('');
  return `select c.oid${columns} from content c ${catalog} where ${conditions(query, window, parameters, context)}`;
}

/**
 * The content first, then its rows of the catalog one by one. It wins where columns of content find few objects of the whole site, such as
 * those of a creator: the database takes the catalog for smaller than it is and would read all of it, which grows with the site.
 */
const CONTENT_FIRST: Finder = {
  name: 'content first',
  fits: ({ query: { paths, notPaths }, isBounded = false }, about) =>
    isBounded && !paths && !notPaths && about.some(({ narrow }) => narrow) && !about.some(readsCatalog),
  rows: (finding) => rowsWith('cross join lateral (select k.* from catalog k where k.oid = c.oid offset 0) k', finding),
};

/** As the database plans it, by the statistics of both tables. */
const JOINED: Finder = {
  name: 'joined',
  fits: () => true,
  rows: (finding) => rowsWith('join catalog k on k.oid = c.oid', finding),
};

/** The first that fits is taken. */
const FINDERS: readonly Finder[] = [WORDS_FIRST, CONTENT_FIRST, JOINED];

/** The way on which the rows of a query are found. */
export function finderOf(finding: Finding): Finder {
  const about = conditionsAbout(finding.query, finding.window, finding.context);
  return FINDERS.find(({ fits }) => fits(finding, about)) ?? JOINED;
}

/** All rows of a query, as the query of a table with the oids and the keys `key0`, `key1`, … */
export const foundRows = (finding: Finding): string => finderOf(finding).rows(finding);
