import type { Queryable } from '../../database/database.ts';
import { editDistance } from '../../lib/text/edit-distance.ts';
import type { Viewer } from './conditions.ts';
import { type PathScope, pathCondition, SqlParameters } from './query.ts';
import { IN_TIME } from './statements/fragments.ts';
import { isUnspaced, wordsOf } from './text.ts';
import { parseTextQuery, termsIn } from './text-query.ts';

/** Maximum number of words of one text that are looked up, and the minimum letters of a word. */
const MAX_WORDS = 5;
const MIN_LENGTH = 4;
const MAX_LENGTH = 30;
/** Maximum number of compared titles with similar words. */
const MAX_TITLES = 200;

/** The words of a search text that may be misspelt: whole words that must occur. */
const suspectsOf = (text: string): string[] =>
  [
    ...new Set(
      termsIn(parseTextQuery(text))
        .filter(({ words, prefix, negated }) => words.length === 1 && !prefix && !negated)
        .flatMap(({ words }) => words)
        .filter((word) => !isUnspaced(word) && word.length >= MIN_LENGTH && word.length <= MAX_LENGTH),
    ),
  ].slice(0, MAX_WORDS);

/** The pairs of adjacent letters of a word; a word with one or two mistakes still has some of them. */
const pairsOf = (word: string): string[] => [...new Set([...word.slice(1)].map((_, at) => word.slice(at, at + 2)))];

/** For each word that no visible title has: the visible titles with most of its pairs of letters. */
async function similarTitles(
  db: Queryable,
  words: readonly string[],
  { viewer, paths }: { viewer: Viewer; paths: readonly PathScope[] | undefined },
): Promise<{ word: string; title: string }[]> {
  const parameters = new SqlParameters();
  const visible = [
    viewer.rule.viewable(parameters.add(viewer.principals)),
    ...(viewer.inactive ? [] : [IN_TIME]),
    ...(paths ? [`(${pathCondition(paths, parameters).sql})`] : []),
  ].join(' and ');
  const ofWord = (word: string) => {
    const shared = pairsOf(word).map((pair) => `(strpos(k.sortable_title, ${parameters.add(pair)}::text) > 0)::int`);
    return `(select ${parameters.add(word)}::text as word, near.title
      from (
        select k.sortable_title as title, ${shared.join(' + ')} as shared
        from catalog k join content c on c.oid = k.oid where ${visible} order by shared desc, k.oid limit ${MAX_TITLES}
      ) near
      where near.shared > 0 and not exists (
        select from catalog k join content c on c.oid = k.oid
        where k.searchable @@ ${parameters.add(`'${word}'`)}::text::tsquery and (${visible}) is true
      ))`;
  };
  return db.query({ text: words.map(ofWord).join(' union all '), values: parameters.values });
}

/** The word of some titles that is nearest to another word; of equally near words the most frequent one. */
function nearest(word: string, titles: readonly string[]): string | undefined {
  const most = word.length < 6 ? 1 : 2;
  const counts = new Map<string, number>();
  for (const title of titles) for (const one of wordsOf(title)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const near = [...counts]
    .filter(([one]) => one.length >= MIN_LENGTH - 1 && !isUnspaced(one) && one !== word)
    .map(([one, count]) => ({ one, count, changes: editDistance(word, one, most) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes || b.count - a.count || (a.one < b.one ? -1 : 1));
  return near[0]?.one;
}

/**
 * A search text in which the nearest words of visible titles replace words that no visible content has; undefined without such words. Runs one
 * statement that reads all titles below the place of the search, so call it only for searches that found nothing.
 */
export async function correctedText(
  db: Queryable,
  text: string,
  place: { viewer: Viewer; paths: readonly PathScope[] | undefined },
): Promise<string | undefined> {
  const words = suspectsOf(text);
  if (words.length === 0) return undefined;
  const rows = await similarTitles(db, words, place);
  const replaced = new Map<string, string>();
  for (const word of words) {
    const found = nearest(
      word,
      rows.filter((row) => row.word === word).map(({ title }) => title),
    );
    if (found !== undefined) replaced.set(word, found);
  }
  if (replaced.size === 0) return undefined;
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (raw) => replaced.get([...wordsOf(raw)].join('')) ?? raw);
}
