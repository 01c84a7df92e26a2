/** Characters of an excerpt before its first matching word, for the beginning of the sentence. */
const LEAD = 150;

/** Scripts whose letters with an accent are also found without the accent. */
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** A text in small letters and without accents, of the same length, so that places of words in it hold in the original. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, (letter) => (ACCENTED.test(letter) ? (letter.normalize('NFD')[0] ?? letter) : letter));

/**
 * At most `length` characters of a text: the part in which most of the words occur, each counted once, or the beginning when no word occurs. Words
 * are in small letters.
 */
export function excerpt(text: string, words: readonly string[], length: number): string {
  const clean = text.replace(/\s+/g, ' ').trim();
  if (clean.length <= length) return clean;
  const lower = lettersOf(clean);
  const places = words
    .map((word) => ({ word, at: lower.indexOf(word) }))
    .filter(({ at }) => at !== -1)
    .map(({ at }) => Math.max(0, at - LEAD));
  const found = (start: number) => {
    const part = lower.slice(start, start + length);
    return words.filter((word) => part.includes(word)).length;
  };
  const [best] = [...new Set([0, ...places])]
    .map((start) => ({ start, count: found(start) }))
    .sort((a, b) => b.count - a.count || a.start - b.start);
  const start = best?.start ?? 0;
  const before = start > 0 ? '… ' : '';
  const after = start + length < clean.length ? ' …' : '';
  // The cuts may split surrogate pairs, which JSON cannot carry.
  return `${before}${clean.slice(start, start + length)}${after}`.toWellFormed();
}
