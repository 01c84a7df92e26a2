/** Letters, digits and their marks: all others part words. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Characters of one word that count: PostgreSQL refuses words of more than 2046 bytes. */
const LONGEST = 100;

/**
 * The words of a text, composed and in small letters: the same for what is indexed and for what is searched, in every
 * locale of the database.
 */
export function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD))
    yield word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word;
}
