import { isUnspaced, ONLY_ASCII, wordsOf } from './text.ts';

/** The weights of a tsvector, by the part of the object. */
const WEIGHTS = { title: 'A', description: 'B', text: 'C' } as const;
type Part = keyof typeof WEIGHTS;
const PARTS: readonly Part[] = ['title', 'description', 'text'];

/**
 * Maximum indexed bytes of each part. A tsvector has at most one megabyte; a word takes up to twice its length in it, once as written and once as its
 * stem.
 */
const MAX_BYTES: Record<Part, number> = { title: 4_000, description: 16_000, text: 200_000 };
/** Maximum bytes of all single fields together, with the name of the field in each word. */
const MAX_FIELD_BYTES = 30_000;

/** Number of empty places between two parts, so that no phrase reaches from one part into the next. */
const GAP = 10;
/** The largest place, and the maximum number of places of a word, in a tsvector. */
const LAST_PLACE = 16_383;
const MAX_PLACES = 255;

/** The prefix of the words of one field in the index. No other word has this prefix, so a search of all texts never finds these words. */
export const fieldPrefix = (field: string): string => `=${field}=`;

export type IndexedWords = {
  /** Every word with its places and weights, as a text of type tsvector, which the database need not parse into words. */
  words: string;
  /** The words of each part, each once, from which stems are made. */
  stems: Record<Part, string>;
  /** The words of single fields, by the prefix of their words. */
  fieldStems: Record<string, string>;
};

/** The places of a word as a text, their number, and the number of the last text that has the word. */
type WordPlaces = { text: string; count: number; seenIn: number };

/** The places of words, in the order of the text. */
class Places {
  readonly #places = new Map<string, WordPlaces>();
  /** The number of texts until now. */
  #texts = 0;

  /** Adds the words of a text from a place on, up to `most` bytes. Returns the words, each once, the next place, and the remaining bytes. */
  add(text: string, most: number, { weight = '', prefix = '', place = 1 }) {
    const distinct: string[] = [];
    const seenIn = this.#texts;
    this.#texts += 1;
    let left = most;
    let next = place;
    const isAscii = ONLY_ASCII.test(text) && ONLY_ASCII.test(prefix);
    // A word needs at least a byte for each character, so the rest cannot fit.
    for (const word of wordsOf(text.slice(0, Math.max(0, left)))) {
      const key = prefix + word;
      left -= (isAscii ? key.length : Buffer.byteLength(key)) + 1;
      if (left < 0) break;
      const at = Math.min(next, LAST_PLACE) + weight;
      const known = this.#places.get(key);
      // Pairs of characters have no stem.
      if (known?.seenIn !== seenIn && !isUnspaced(word)) distinct.push(word);
      if (known === undefined) this.#places.set(key, { text: at, count: 1, seenIn });
      else {
        known.seenIn = seenIn;
        if (known.count < MAX_PLACES) {
          known.text += `,${at}`;
          known.count += 1;
        }
      }
      next += 1;
    }
    return { words: distinct.join(' '), place: next, left };
  }

  toString(): string {
    let text = '';
    for (const [word, places] of this.#places) text += `${text === '' ? '' : ' '}'${word}':${places.text}`;
    return text;
  }
}

/** The words of an object for its full-text index: of its parts, and of each of the `fields` that can be searched alone. */
export function indexedWords(parts: Record<Part, string>, fields: Record<string, string> = {}): IndexedWords {
  const places = new Places();
  const stems: Record<Part, string> = { title: '', description: '', text: '' };
  let place = 1;
  for (const part of PARTS) {
    const added = places.add(parts[part], MAX_BYTES[part], { weight: WEIGHTS[part], place });
    stems[part] = added.words;
    place = added.place + GAP;
  }
  const fieldStems: Record<string, string> = {};
  let most = MAX_FIELD_BYTES;
  for (const [field, text] of Object.entries(fields)) {
    const prefix = fieldPrefix(field);
    const { words, left } = places.add(text, most, { prefix });
    if (words !== '') fieldStems[prefix] = words;
    most = left;
  }
  return { words: String(places), stems, fieldStems };
}

/** Maximum bytes of the words of one file in a tsvector. Three files of one object, with words and stems, fit into one tsvector. */
const MAX_FILE_BYTES = 150_000;
/** Bytes of a word without its letters, and of each of its places. */
const WORD_BYTES = 4;
const PLACE_BYTES = 2;

/** The words of the text of a file: with their places as a text of type tsvector, and each once for stems. */
export function fileWords(text: string): { words: string; stems: string } {
  const places = new Map<string, number[]>();
  const stems: string[] = [];
  let left = MAX_FILE_BYTES;
  let place = 1;
  for (const word of wordsOf(text)) {
    const known = places.get(word);
    if (known && known.length >= MAX_PLACES) continue;
    left -= PLACE_BYTES + (known ? 0 : Buffer.byteLength(word) + WORD_BYTES);
    if (left < 0) break;
    const at = Math.min(place, LAST_PLACE);
    if (known) known.push(at);
    else {
      places.set(word, [at]);
      if (!isUnspaced(word)) stems.push(word);
    }
    place += 1;
  }
  return { words: [...places].map(([word, list]) => `'${word}':${list}`).join(' '), stems: stems.join(' ') };
}
