import { BadRequest } from '../lib/errors.ts';

/** Letters, digits and their marks: all others part words. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Characters of one word that count: PostgreSQL refuses words of more than 2046 bytes. */
const MAX_WORD_LENGTH = 100;

/**
 * The words of a text, composed and in small letters: the same for what is indexed and for what is searched, in every
 * locale of the database.
 */
export function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD))
    yield word.length > MAX_WORD_LENGTH ? [...word].slice(0, MAX_WORD_LENGTH).join('') : word;
}

/** Characters of a title that count for its place. */
const MAX_TITLE_LENGTH = 120;
/** Digits to which numbers are padded, so that `Part 2` stands before `Part 10`. */
const DIGITS = 6;

/** Small letters without accents, as titles are compared. */
export const foldedText = (text: string): string =>
  text.slice(0, MAX_TITLE_LENGTH).toWellFormed().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The form of a title by which lists are sorted (Plone's `sortable_title`): byte order is the order of the words. */
export const sortableTitle = (title: string): string =>
  foldedText(title).replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));

/** PostgreSQL's text search configurations by the language that they stem. */
const STEMMERS: ReadonlyMap<string, string> = new Map([
  ['ar', 'arabic'],
  ['hy', 'armenian'],
  ['eu', 'basque'],
  ['ca', 'catalan'],
  ['da', 'danish'],
  ['nl', 'dutch'],
  ['en', 'english'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['de', 'german'],
  ['el', 'greek'],
  ['hi', 'hindi'],
  ['hu', 'hungarian'],
  ['id', 'indonesian'],
  ['ga', 'irish'],
  ['it', 'italian'],
  ['lt', 'lithuanian'],
  ['ne', 'nepali'],
  ['no', 'norwegian'],
  ['nb', 'norwegian'],
  ['nn', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sr', 'serbian'],
  ['es', 'spanish'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
  ['yi', 'yiddish'],
]);

/** The text search configuration for content in a language; `simple` (no stemming) for those that have none. */
export const stemmerFor = (language: string | null): string =>
  STEMMERS.get(language?.split('-')[0]?.toLowerCase() ?? '') ?? 'simple';

/** Words that must follow one another, or one word; the last may be the beginning of a word only. */
export type TextTerm = { words: string[]; prefix: boolean; negated: boolean };

/** Alternatives, each of terms that must all occur. */
export type TextQuery = TextTerm[][];

const MAX_TEXT_LENGTH = 2000;
const MAX_TERMS = 50;
const TOKEN = /"([^"]*)"|[^\s"]+/g;

/** Each word of a token is a term of its own; a `*` behind it takes any ending. */
function termsOf(token: string, negated: boolean): TextTerm[] {
  const parts = token.split('*');
  return parts.flatMap((part, index) => {
    const words = [...wordsOf(part)];
    return words.map((word, at) => ({
      words: [word],
      prefix: at === words.length - 1 && index < parts.length - 1,
      negated,
    }));
  });
}

/**
 * Reads the text of a search: words that must all occur, `*` behind the beginning of a word, "phrases", and the
 * operators AND, OR and NOT in any case (plone.restapi §6.2). Parentheses are spaces. Nothing that can be typed is an
 * error but what is too long: then it throws BadRequest.
 */
export function parseTextQuery(text: string): TextQuery {
  if (text.length > MAX_TEXT_LENGTH) throw new BadRequest(`A search text has ${MAX_TEXT_LENGTH} characters at most.`);
  const alternatives: TextQuery = [[]];
  let negated = false;
  let count = 0;
  for (const [token, phrase] of text.replace(/[()]/g, ' ').matchAll(TOKEN)) {
    const operator = phrase === undefined ? token.toLowerCase() : '';
    if (operator === 'or') alternatives.push([]);
    if (operator === 'not') negated = true;
    if (operator === 'or' || operator === 'not' || operator === 'and') continue;
    const words = [...wordsOf(phrase ?? '')];
    const terms =
      phrase === undefined ? termsOf(token, negated) : words.length > 0 ? [{ words, prefix: false, negated }] : [];
    count += phrase === undefined ? terms.length : words.length;
    if (count > MAX_TERMS) throw new BadRequest(`A search text has ${MAX_TERMS} words at most.`);
    alternatives.at(-1)?.push(...terms);
    if (terms.length > 0) negated = false;
  }
  return alternatives.filter((terms) => terms.length > 0);
}

/**
 * The search text of a listing (`SearchableText` rows of @querystring-search) as one for `parseTextQuery`: every word is
 * the beginning of one, quoted phrases stay, and the words of operators are words (plone.restapi §6.3).
 */
export function mungeText(text: string): string {
  const munged: string[] = [];
  for (const [token, phrase] of text.slice(0, MAX_TEXT_LENGTH + 1).matchAll(TOKEN)) {
    if (phrase !== undefined) munged.push(`"${phrase}"`);
    else for (const word of wordsOf(token)) munged.push(['and', 'or', 'not'].includes(word) ? `"${word}"` : `${word}*`);
  }
  return munged.join(' ');
}
