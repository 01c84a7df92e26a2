import type { Queryable } from '../../database/database.ts';
import type { Viewer } from './conditions.ts';
import { type PathScope, pathCondition, SqlParameters } from './query.ts';
import { IN_TIME } from './statements/fragments.ts';
import { foldedText, numberPrefixes, paddedNumbers } from './text.ts';

/** A visible object whose title has the typed words. */
type SuggestedTitle = { path: string; type: string; title: string };

/** Suggestions for a typed text: titles, and words of titles that continue it. */
export type Suggestions = { titles: SuggestedTitle[]; words: string[] };

export type SuggestionRequest = {
  text: string;
  size: number;
  paths: readonly PathScope[];
  hiddenTypes: readonly string[];
};

/** Maximum number of objects from which the best are chosen: many words may have the same beginning. */
const MAX_CANDIDATES = 200;
/** Maximum number of characters and words of a typed text. */
const MAX_TYPED = 100;
const MAX_WORDS = 8;
/** Minimum letters of a first word; characters of scripts without spaces carry more meaning, so one is enough. */
const MIN_LETTERS = 2;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The words of a typed text in the form in which titles are compared; undefined when the text is too short for suggestions. */
function typedWords(text: string): { whole: string[]; beginning: string } | undefined {
  const words = (foldedText(text.slice(0, MAX_TYPED)).match(WORD) ?? []).slice(0, MAX_WORDS);
  const beginning = words.pop();
  if (beginning === undefined) return undefined;
  const isEnough = words.length > 0 || [...beginning].length >= MIN_LETTERS || IDEOGRAPH.test(beginning);
  return isEnough ? { whole: words, beginning } : undefined;
}

/** The lexemes of a word as PostgreSQL parses them in a title, where a number behind a hyphen is negative. */
const lexemesOf = (word: string, ending: string): string[] =>
  (/^\d/.test(word) ? [word, `-${word}`] : [word]).map((one) => `'${one}'${ending}`);

/** A whole word in the catalog's form of titles. */
const wholeWord = (word: string): string => `(${lexemesOf(paddedNumbers(word), '').join(' | ')})`;

/** The beginning of a word in the catalog's form of titles. */
const beginningOf = (word: string): string =>
  `(${numberPrefixes(word)
    .flatMap((prefix) => lexemesOf(prefix, ':*'))
    .join(' | ')})`;

/** Words of titles that begin with the typed text, the most frequent first, each once and in small letters. */
function endings(titles: readonly SuggestedTitle[], beginning: string, size: number): string[] {
  const counts = new Map<string, { word: string; count: number }>();
  for (const { title } of titles) {
    for (const [raw] of title.matchAll(WORD)) {
      const folded = foldedText(raw);
      if (!folded.startsWith(beginning)) continue;
      const known = counts.get(folded);
      if (known) known.count += 1;
      else counts.set(folded, { word: raw.toLowerCase(), count: 1 });
    }
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, size)
    .map(({ word }) => word);
}

/** Sorts titles that begin with the typed text first, then shorter titles. */
const bestFirst = (typed: string) => (a: SuggestedTitle, b: SuggestedTitle) =>
  Number(foldedText(b.title).startsWith(typed)) - Number(foldedText(a.title).startsWith(typed)) ||
  a.title.length - b.title.length ||
  (a.path < b.path ? -1 : 1);

/**
 * Finds titles and words that a typing user may mean: the title has all typed words; the last one may be the beginning of a word. Only content that
 * the viewer may see is read. Runs one statement; no statement for less than two letters.
 */
export async function findSuggestions(
  db: Queryable,
  { text, size, paths, hiddenTypes }: SuggestionRequest,
  { principals, rule, inactive }: Viewer,
): Promise<Suggestions> {
  const typed = typedWords(text);
  if (!typed) return { titles: [], words: [] };
  const parameters = new SqlParameters();
  const lexemes = [...typed.whole.map(wholeWord), beginningOf(typed.beginning)].join(' & ');
  const conditions = [
    `to_tsvector('simple', k.sortable_title) @@ ${parameters.add(lexemes)}::text::tsquery`,
    `(${rule.viewable(parameters.add(principals))}) is true`,
    `c.type <> all(${parameters.add(hiddenTypes)}::text[])`,
    `(${pathCondition(paths, parameters).sql})`,
    ...(inactive ? [] : [IN_TIME]),
  ];
  const titles = await db.query<SuggestedTitle>({
    text: `select c.path, c.type, coalesce(c.fields->>'title', '') as title from catalog k join content c on c.oid = k.oid
      where ${conditions.join(' and ')} limit ${MAX_CANDIDATES}`,
    values: parameters.values,
  });
  const start = foldedText(text.slice(0, MAX_TYPED));
  return {
    titles: [...titles].sort(bestFirst(start)).slice(0, size),
    words: endings(titles, typed.beginning, size),
  };
}
