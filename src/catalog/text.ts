import { BadRequest } from '../lib/errors.ts';

/** Letters, digits and their marks: all others part words. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** A run of the scripts of Chinese, Japanese and Korean, in which spaces do not part words, or any other part of a word. */
const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** Marks on letters of scripts in which people leave them out when they type. In others, such as Devanagari, they are vowels. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu;
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const ONLY_ASCII = /^[\0-\x7f]*$/;

/** Letters that people type as others, beside those with a mark. */
const TYPED_AS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
const TYPED = new RegExp(`[${Object.keys(TYPED_AS).join('')}]`, 'g');

/** Characters of one word that count: PostgreSQL refuses words of more than 2046 bytes. */
const MAX_WORD_LENGTH = 100;

/** A word without accents: `café` as `cafe`. */
function withoutAccents(word: string): string {
  if (ONLY_ASCII.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(ACCENTS, '$1')
    .normalize('NFC')
    .replace(TYPED, (letter) => TYPED_AS[letter] ?? letter);
}

/** A text in small letters and without accents, of the same length, for places of words in it. */
export const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, (letter) => (ACCENTED.test(letter) ? (letter.normalize('NFD')[0] ?? letter) : letter));

/** Whether a word as `wordsOf` gives it is one or two characters of a script without spaces. */
export const isUnspaced = (word: string): boolean => word.charCodeAt(0) > 0x7f && UNSPACED.test(word);

/** Words of plain letters and digits, which most texts are made of. */
const ASCII_WORD = /[A-Za-z0-9]+/g;
/** Characters of a text whose words are taken out of it at once. */
const MAX_AT_ONCE = 250_000;

/** The runs of a text, composed, in small letters and without accents. Those without spaces come whole. */
function runsOf(text: string): Iterable<string> {
  return text.length <= MAX_AT_ONCE && ONLY_ASCII.test(text) ? asciiRuns(text) : otherRuns(text);
}

const asciiRuns = (text: string): string[] =>
  (text.toLowerCase().match(ASCII_WORD) ?? []).map((word) => word.slice(0, MAX_WORD_LENGTH));

function* otherRuns(text: string): Generator<string> {
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (ONLY_ASCII.test(word)) yield word.slice(0, MAX_WORD_LENGTH);
    else
      for (const [run] of word.matchAll(RUN)) {
        if (isUnspaced(run)) yield run;
        else yield [...withoutAccents(run)].slice(0, MAX_WORD_LENGTH).join('');
      }
  }
}

/** The pairs of neighbours in a run without spaces, and its last character: any part of it is a row of some of them. */
function* pairsOf(run: string): Generator<string> {
  const characters = [...run];
  for (const [index, character] of characters.entries()) yield character + (characters[index + 1] ?? '');
}

/**
 * The words of a text, composed, in small letters and without accents: the same for what is indexed and for what is searched, in
 * every locale of the database. Of scripts without spaces between words, each pair of characters is a word.
 */
export function* wordsOf(text: string): Generator<string> {
  for (const run of runsOf(text)) {
    if (isUnspaced(run)) yield* pairsOf(run);
    else yield run;
  }
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

/**
 * Words that follow one another, as a term. At the end of a run without spaces stands whatever follows there in the text, so its last
 * character alone does not count; of a run of one character, it is the beginning of a pair.
 */
function phraseTerm(runs: readonly string[], prefix: boolean, negated: boolean): TextTerm {
  const words = runs.flatMap((run) => (isUnspaced(run) ? [...pairsOf(run)] : [run]));
  const isOpen = isUnspaced(runs.at(-1) ?? '');
  const isPair = isOpen && [...(runs.at(-1) ?? '')].length > 1;
  return { words: isPair ? words.slice(0, -1) : words, prefix: isOpen ? !isPair : prefix, negated };
}

/** Each word of a token is a term of its own; a `*` behind it takes any ending. */
function termsOf(token: string, negated: boolean): TextTerm[] {
  const parts = token.split('*');
  return parts.flatMap((part, index) => {
    const runs = [...runsOf(part)];
    return runs.map((run, at) => phraseTerm([run], at === runs.length - 1 && index < parts.length - 1, negated));
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
    const runs = [...runsOf(phrase ?? '')];
    const phrases = runs.length > 0 ? [phraseTerm(runs, false, negated)] : [];
    const terms = phrase === undefined ? termsOf(token, negated) : phrases;
    count += terms.reduce((sum, { words }) => sum + words.length, 0);
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
    else for (const word of runsOf(token)) munged.push(['and', 'or', 'not'].includes(word) ? `"${word}"` : `${word}*`);
  }
  return munged.join(' ');
}
