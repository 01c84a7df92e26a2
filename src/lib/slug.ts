/** Ids for URLs from titles and file names. */
import slugify from '@sindresorhus/slugify';
import { romanize } from './romanize.ts';

/** Longest part of a title that is read, in UTF-16 units; more never shows in an id. */
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

function plain(text: string, kept: string[] = []): string {
  const latin = romanize(withoutMarks(text.slice(0, INPUT_LIMIT))).replace(/['"’]/g, '');
  return slugify(latin, { decamelize: false, customReplacements: SYMBOLS, preserveCharacters: kept });
}

/** Cuts at the last hyphen that leaves at least half of the length, as plone.i18n does, else within the word. */
function crop(text: string, max: number): string {
  if (text.length <= max) return text;
  const hyphen = text.lastIndexOf('-', max);
  return text.slice(0, hyphen >= max / 2 ? hyphen : max).replace(/-$/, '');
}

/**
 * An id from a title: lower case ASCII letters and digits in words joined by hyphens, at most `max` characters.
 * Letters of other alphabets are transliterated. Empty when nothing is left of the title (emoji, Chinese
 * characters): the caller then takes another name, such as that of the type.
 */
export function slug(title: string, max = 75): string {
  return crop(plain(title), max);
}

/**
 * An id from the name of a file, whose extension is kept: `Ein Bild.PNG` is `ein-bild.png`. Folders in the name
 * (some browsers send the whole path) and leading dots are dropped, underscores stay within the name. A name of
 * which only the extension is left becomes `file.<extension>`; empty when nothing at all is left.
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
