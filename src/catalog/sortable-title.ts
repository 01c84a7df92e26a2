/** Characters of a title that count for its place. */
const LONGEST = 120;
/** Digits to which numbers are padded, so that `Part 2` stands before `Part 10`. */
const DIGITS = 6;

/** Small letters without accents, as titles are compared. */
export const foldedText = (text: string): string =>
  text.slice(0, LONGEST).toWellFormed().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The form of a title by which lists are sorted (Plone's `sortable_title`): byte order is the order of the words. */
export const sortableTitle = (title: string): string =>
  foldedText(title).replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));
