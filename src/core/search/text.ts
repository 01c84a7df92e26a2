/** Letters, digits and their marks; other characters separate words. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** A run of the scripts of Chinese, Japanese and Korean, in which spaces do not separate words, or any other part of a word. */
const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** Marks on letters of scripts in which people leave out marks when they type. In other scripts, such as Devanagari, marks are vowels. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu;
/** Texts of which each character is one byte. */
export const ONLY_ASCII = /^[\0-\x7f]*$/;

/** Letters that people type as other letters, beside letters with a mark. */
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

/** Maximum number of characters of a word: PostgreSQL rejects words of more than 2046 bytes. */
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

/** Says if a word, as `wordsOf` returns it, is one or two characters of a script without spaces. */
export const isUnspaced = (word: string): boolean => word.charCodeAt(0) > 0x7f && UNSPACED.test(word);

/** Words of plain letters and digits, like most words of most texts. */
const ASCII_WORD = /[A-Za-z0-9]+/g;
/** Number of characters of a text whose words are found in one step. */
const MAX_AT_ONCE = 250_000;

/** The runs of a text, composed, in small letters and without accents. Runs of scripts without spaces stay whole. */
export function runsOf(text: string): Iterable<string> {
  return isShortAscii(text) ? asciiRuns(text) : otherRuns(text);
}

const isShortAscii = (text: string): boolean => text.length <= MAX_AT_ONCE && ONLY_ASCII.test(text);

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

/** The pairs of adjacent characters in a run without spaces, and its last character. Any part of the run is a sequence of such pairs. */
export function* pairsOf(run: string): Generator<string> {
  const characters = [...run];
  for (const [index, character] of characters.entries()) yield character + (characters[index + 1] ?? '');
}

/**
 * The words of a text, composed, in small letters and without accents: the same for indexed and searched texts, in every locale of the database. In
 * scripts without spaces between words, each pair of characters is a word.
 */
export const wordsOf = (text: string): Iterable<string> => (isShortAscii(text) ? asciiRuns(text) : otherWords(text));

function* otherWords(text: string): Generator<string> {
  for (const run of otherRuns(text)) {
    if (isUnspaced(run)) yield* pairsOf(run);
    else yield run;
  }
}

/** Number of characters of a title that count for its order. */
const MAX_TITLE_LENGTH = 120;
/** Number of digits to which numbers are padded, so that `Part 2` comes before `Part 10`. */
const DIGITS = 6;

/** Small letters without accents, as titles are compared. */
export const foldedText = (text: string): string =>
  text.slice(0, MAX_TITLE_LENGTH).toWellFormed().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** A folded text whose numbers have leading zeros. */
export const paddedNumbers = (folded: string): string =>
  folded.replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));

/** The prefixes of texts with padded numbers that begin with a folded text; the number at its end may have further digits. */
export function numberPrefixes(folded: string): string[] {
  const [, begin = '', number = ''] = /^(.*?)(\d*)$/s.exec(folded) ?? [];
  if (number === '') return [paddedNumbers(folded)];
  const zeros = Array.from({ length: Math.max(1, DIGITS - number.length + 1) }, (_, count) => '0'.repeat(count));
  return zeros.map((padding) => paddedNumbers(begin) + padding + number);
}

/** The form of a title by which lists are sorted (Plone's `sortable_title`): byte order is the order of the words. */
export const sortableTitle = (title: string): string => paddedNumbers(foldedText(title));

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

/** The text search configuration for content in a language; `simple` (no stemming) for languages without one. */
export const stemmerFor = (language: string | null): string =>
  STEMMERS.get(language?.split('-')[0]?.toLowerCase() ?? '') ?? 'simple';
