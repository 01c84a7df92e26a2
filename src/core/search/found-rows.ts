import type { QueryContext } from './catalog-index.ts';
import { conditions, conditionsAbout, constraintConditions, type Window } from './conditions.ts';
import { allOf, type Expression, readsCatalog, readsContent } from './expression.ts';
import { joinedText, wholeWordsQuery } from './indexes/text-index.ts';
import { type CatalogQuery, isWholeSite, type SqlParameters } from './query.ts';
import { CATALOG_ROW, IN_TIME } from './statements/fragments.ts';
import { parseTextQuery, termsIn } from './text-query.ts';

/** The rows of a query that a statement needs. */
export type Finding = {
  query: CatalogQuery;
  window: Window;
  context: QueryContext;
  parameters: SqlParameters;
  /** Expressions of the keys. */
  keys: readonly Expression[];
  /** True if at most a few thousand rows are wanted. */
  isBounded?: boolean;
  /** True if the query is known to find many rows. */
  isMany?: boolean;
};

/** A plan for all rows of a query, with the case in which the database would not choose it by itself. */
type Finder = {
  name: string;
  /** `about` are the expressions in the conditions of the query. */
  fits(finding: Finding, about: readonly Expression[]): boolean;
  /** The rows as the query of a table with the oids and the keys `key0`, `key1`, … */
  rows(finding: Finding): string;
};

/** Says if the index of words alone can decide: the order of words in a phrase must be read in the texts. */
const isOfWordsAlone = (text: string): boolean =>
  termsIn(parseTextQuery(text)).every(({ words, negated }) => words.length === 1 && !negated);

/**
 * Says if words are looked up in their index first, for any number of texts: when no other condition fits only few objects, or when many objects of a
 * part of the site are known to fit (`isMany`), whose texts would otherwise be read.
 */
export function isForWords(query: CatalogQuery, about: readonly Expression[], isMany = false): boolean {
  const words = query.constraints.find(({ index }) => index === 'SearchableText');
  if (words === undefined || words.constraint.values.length === 0 || words.constraint.not.length > 0) return false;
  if (isMany && isOfWordsAlone(joinedText(words.index, words.constraint.values))) return true;
  return about.every(({ narrow }) => !narrow);
}

/** Maximum number of words of a query that has a plan of its own. */
const MAX_PLANNED_WORDS = 3;

/**
 * Says if a query is a few words on the whole site, ranked. Its words are looked up first, so that its plan depends neither on the words nor on the
 * caller, and few texts of statements serve all such queries.
 */
export function isForFewWords({ constraints, paths = [], notPaths = [], sort }: CatalogQuery): boolean {
  const [words, another] = constraints;
  if (words?.index !== 'SearchableText' || another || sort.length > 0) return false;
  if (![...paths].every(isWholeSite) || notPaths.length > 0 || words.constraint.not.length > 0) return false;
  const text = joinedText(words.index, words.constraint.values);
  return isOfWordsAlone(text) && termsIn(parseTextQuery(text)).length <= MAX_PLANNED_WORDS;
}

/** Maximum number of objects with the whole words of a query whose texts are read for beginnings of words. */
const MAX_RARE = 200;

/**
 * The rows of the catalog that fit a condition, as the query of `columns`. The index looks up a beginning in a list that grows with the site: where
 * few objects have the whole words beside it, only their texts are read. `before` are tables that the query needs.
 */
function catalogRows(
  { query, parameters, context }: Finding,
  { columns, where }: { columns: string; where: string },
): { before: string; rows: string } {
  const words = query.constraints.find(({ index }) => index === 'SearchableText');
  const whole = words && wholeWordsQuery(joinedText(words.index, words.constraint.values), parameters, context);
  if (!whole) return { before: '', rows: `select ${columns} from catalog k where ${where}` };
  const isRare = `(select count(*) from rare) <= ${MAX_RARE}`;
  return {
    before: `rare as materialized (select k.oid from catalog k where k.searchable @@ (select ${whole}) limit ${MAX_RARE + 1}), `,
    rows: `select ${columns} from rare cross join lateral (select k.* from catalog k where k.oid = rare.oid offset 0) k
          where ${isRare} and ${where}
        union all select ${columns} from catalog k where not ${isRare} and ${where}`,
  };
}

/**
 * Looks up words first, through their index. It wins for words in many texts, which the database would otherwise read: a word on nearly all of
 * 100,000 pages took 35 ms instead of 2.4 s, in a section of 10,000 pages 12 ms instead of 97 to 134.
 */
const WORDS_FIRST: Finder = {
  name: 'words first',
  fits: ({ query, isMany }, about) =>
    isForWords(query, about, isMany) && !about.some((one) => readsContent(one) && readsCatalog(one)),
  rows(finding) {
    const { query, window, context, parameters, keys } = finding;
    const given = constraintConditions(query, window, parameters, { ...context, throughIndex: true });
    const ofContent = given.filter(readsContent).map(({ sql }) => sql);
    const others = given.filter((one) => !readsContent(one)).map(({ sql }) => sql);
    // Columns of the catalog are selected at once, without a second lookup of its rows.
    const isTaken = (key: Expression) => key.of === 'catalog';
    const taken = keys.map((key, at) => (isTaken(key) ? `, ${key.sql} as key${at}` : '')).join('');
    const shown = keys.map((key, at) => `, ${isTaken(key) ? `matching.key${at}` : key.sql} as key${at}`);
    const catalog = keys.some(({ of }) => of === 'both') ? 'join catalog k on k.oid = matching.oid' : '';
    const viewable = window.rule.viewable(parameters.add(window.principals), { catalog: 'k' });
    const where = `(${viewable}) is true and ${allOf(others) ?? 'true'}`;
    const { before, rows } = catalogRows(finding, { columns: `k.oid${taken}`, where });
    return `with ${before}matching as materialized (${rows})
      select c.oid${shown.join('')} from matching join content c on c.oid = matching.oid ${catalog} where ${allOf([window.inactive ? undefined : IN_TIME, ...ofContent]) ?? 'true'}`;
  },
};

/** The rows of content beside those of the catalog that `catalog` joins. */
function rowsWith(catalog: string, { query, window, context, parameters, keys }: Finding): string {
  const columns = keys.map(({ sql }, at) => `, ${sql} as key${at}`).join('');
  return `select c.oid${columns} from content c ${catalog} where ${conditions(query, window, parameters, context)}`;
}

/**
 * Finds the content first, then its rows of the catalog one by one. It wins when columns of content fit few objects of the whole site, such as the
 * objects of a creator: the database underestimates the catalog and would read all of it, which grows with the site.
 */
const CONTENT_FIRST: Finder = {
  name: 'content first',
  fits: ({ query: { paths, notPaths }, isBounded = false }, about) =>
    isBounded && !paths && !notPaths && about.some(({ narrow }) => narrow) && !about.some(readsCatalog),
  rows: (finding) => rowsWith(CATALOG_ROW, finding),
};

/** The plan of the database, by the statistics of both tables. */
const JOINED: Finder = {
  name: 'joined',
  fits: () => true,
  rows: (finding) => rowsWith('join catalog k on k.oid = c.oid', finding),
};

/** The finders; the first one that fits is used. */
const FINDERS: readonly Finder[] = [WORDS_FIRST, CONTENT_FIRST, JOINED];

/** The finder for the rows of a query. `about` are the expressions in its conditions. */
export const finderOf = (
  finding: Finding,
  about: readonly Expression[] = conditionsAbout(finding.query, finding.window, finding.context),
): Finder => FINDERS.find(({ fits }) => fits(finding, about)) ?? JOINED;

/** All rows of a query, as the query of a table with the oids and the keys `key0`, `key1`, … */
export const foundRows = (finding: Finding, about?: readonly Expression[]): string =>
  finderOf(finding, about).rows(finding);
