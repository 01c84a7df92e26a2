import type * as slugifyPackage from '@sindresorhus/slugify';
import type * as anyAsciiPackage from 'any-ascii';
import { lazyPackage } from '../process/lazy-package.ts';

const slugifier = lazyPackage<typeof slugifyPackage>('@sindresorhus/slugify');
const transliterator = lazyPackage<typeof anyAsciiPackage>('any-ascii');

/** Letters of any alphabet in ASCII. */
const anyAscii = (text: string): string => transliterator().default(text);

/** Korean and Japanese syllables in Latin letters, by their sound. */

/** Revised Romanization, by the order of the letters in Unicode's Hangul syllables (its chapter 3.12). */
const INITIALS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = '- k k ks n nj nh t l lk lm lb ls lt lp lh m p ps t t ng t t k t p h'.split(' ');
const HANGUL_BASE = 0xac00;

/** Hepburn, from U+3041 on; small letters and letters that change their neighbours are handled in `kana`. */
const KANA = (
  'a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji - tsu zu te de to do ' +
  'na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re ro wa wa i e o n vu'
).split(' ');
const HIRAGANA_BASE = 0x3041;
const KATAKANA_SHIFT = 0x60;

function hangul(character: string): string {
  const index = (character.codePointAt(0) ?? HANGUL_BASE) - HANGUL_BASE;
  const parts = [INITIALS[Math.floor(index / 588)], VOWELS[Math.floor((index % 588) / 28)], FINALS[index % 28]];
  return parts.filter((part) => part !== '-').join('');
}

function kana(run: string): string {
  let latin = '';
  let doubled = false;
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0;
    const index = (code >= HIRAGANA_BASE + KATAKANA_SHIFT ? code - KATAKANA_SHIFT : code) - HIRAGANA_BASE;
    const sound = KANA[index] ?? '';
    if (sound === '-') {
      doubled = true;
      continue;
    }
    // A small ya, yu or yo replaces the vowel before it: ki + small yo is kyo, shi + small yo is sho.
    const glide = [0x42, 0x44, 0x46].includes(index) && latin.endsWith('i');
    if (glide) latin = latin.slice(0, -1) + (/(?:sh|ch|j)i$/.test(latin) ? sound.slice(1) : sound);
    else latin += (doubled ? sound.slice(0, 1) : '') + sound;
    doubled = false;
  }
  return latin;
}

/** Scripts that slugify itself writes in Latin letters, by the customs of their languages. */
const KNOWN = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Armenian', 'Georgian', 'Thaana', 'Common', 'Inherited'];
const OTHER_LETTERS = new RegExp(
  `(?:(?!${KNOWN.map((script) => `\\p{scx=${script}}`).join('|')})[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);

/** The text in letters that slugify supports; each Chinese character is a word, as in Plone (`ri-ben-yu`). */
function romanize(text: string): string {
  return text
    .replace(/[\uac00-\ud7a3]/g, hangul)
    .replace(/[\u3041-\u3094\u30a1-\u30f4\u30fc]+/g, kana)
    .replace(/\p{Script=Han}/gu, (character) => ` ${anyAscii(character)} `)
    .replace(/ש/g, 'sh')
    .replace(OTHER_LETTERS, anyAscii);
}

/** Ids for URLs from titles and file names. */
/** Maximum length of a title that is read, in UTF-16 units; more never appears in an id. */
const INPUT_LIMIT = 1000;

/** Symbols that slugify would spell out as English words. */
const SYMBOLS: [string, string][] = [
  ['&', ' '],
  ['🦄', ' '],
  ['♥', ' '],
];

/** Latin letters without their marks: `ü` is `u`, as in Plone, where slugify alone would write `ue`. */
const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');

/** A text in which only spaces separate words. */
const WORDS_AND_SPACES = /^[A-Za-z0-9 ]*$/;

function plain(text: string, kept: string[] = []): string {
  // Most titles need no other letters, for which many tables and expressions are used.
  if (text.length <= INPUT_LIMIT && WORDS_AND_SPACES.test(text)) return text.trim().toLowerCase().replace(/ +/g, '-');
  const latin = romanize(withoutMarks(text.slice(0, INPUT_LIMIT))).replace(/['"’]/g, '');
  return slugifier().default(latin, { decamelize: false, customReplacements: SYMBOLS, preserveCharacters: kept });
}

/** Cuts a text at the last hyphen that leaves at least half of the length, as plone.i18n does, else within the word. */
function crop(text: string, max: number): string {
  if (text.length <= max) return text;
  const hyphen = text.lastIndexOf('-', max);
  return text.slice(0, hyphen >= max / 2 ? hyphen : max).replace(/-$/, '');
}

/**
 * An id from a title: lower case ASCII letters and digits in words joined by hyphens, at most `max` characters. Letters of other alphabets are
 * transliterated. Empty when nothing is left of the title (emoji); the caller then uses another name, such as the name of the type.
 */
export function slug(title: string, max = 75): string {
  return crop(plain(title), max);
}

/**
 * An id from the name of a file, whose extension is kept: `Ein Bild.PNG` is `ein-bild.png`. Folders in the name (some browsers send the whole path)
 * and leading dots are dropped, underscores stay within the name. A name with only the extension left becomes `file.<extension>`; empty when nothing
 * is left.
 */
export function fileId(filename: string, max = 75): string {
  const name = filename.slice(-INPUT_LIMIT).split(/[\\/]/).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  const extension =
    dot > 0
      ? name
          .slice(dot + 1)
          .trim()
          .toLowerCase()
      : '';
  if (!/^[a-z0-9]{1,10}$/.test(extension)) return slug(name, max);
  const stem = plain(name.slice(0, dot), ['_'])
    .replace(/^[-_]{1,1000}/, '')
    .replace(/(?<![-_])[-_]{1,1000}$/, '');
  return `${crop(stem, max - extension.length - 1) || 'file'}.${extension}`;
}
