import { language } from './say.ts';

/** The locale of dates and numbers: that of the browser where it is of the language of the page. */
function locale(): string {
  const tag = language.get();
  return navigator.languages.find((one) => one.split('-')[0]?.toLowerCase() === tag.split('-')[0]) ?? tag;
}

/** A time as people of the language of the page write it, in their time zone. */
export function dateTime(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const date = new Date(value);
  return Number.isNaN(date.getTime())
    ? ''
    : new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the unit that makes it short. */
export function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, value <= 0 ? 0 : Math.floor(Math.log10(value) / 3));
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: 1,
  }).format(value / 1000 ** power);
}

export const count = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** The name of a language in the language of the page. */
export function languageTitle(tag: string): string {
  try {
    return new Intl.DisplayNames(language.get(), { type: 'language' }).of(tag) ?? tag;
  } catch {
    // A tag that no browser takes, such as one with an underscore.
    return tag;
  }
}
