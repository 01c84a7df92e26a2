import { wordsOf } from './words.ts';

/** The weights of a tsvector, by the part of the object. */
const WEIGHTS = { title: 'A', description: 'B', text: 'C' } as const;
type Part = keyof typeof WEIGHTS;
const PARTS: readonly Part[] = ['title', 'description', 'text'];

/**
 * Bytes of each part that are indexed. A tsvector holds one megabyte at most; a word takes up to twice its length in it,
 * and stands there as it is and by its stem.
 */
const MOST_BYTES: Record<Part, number> = { title: 4_000, description: 16_000, text: 200_000 };

/** Empty places between two parts: no phrase reaches from one into the next. */
const GAP = 10;
/** Largest place and most places of one word that a tsvector has. */
const LAST_PLACE = 16_383;
const MOST_PLACES = 255;

export type IndexedWords = {
  /** Every word with its places and weights, as a text of type tsvector: it need not be taken apart again. */
  words: string;
  /** The words of each part, each once: what stems are made of. */
  stems: Record<Part, string>;
};

/** The words of an object for its full-text index. */
export function indexedWords(parts: Record<Part, string>): IndexedWords {
  const places = new Map<string, string[]>();
  const stems: Record<Part, string> = { title: '', description: '', text: '' };
  let place = 1;
  for (const part of PARTS) {
    const distinct = new Set<string>();
    let left = MOST_BYTES[part];
    // No word needs less than a byte for each character, so what is behind cannot fit.
    for (const word of wordsOf(parts[part].slice(0, left))) {
      left -= Buffer.byteLength(word) + 1;
      if (left < 0) break;
      const known = places.get(word) ?? [];
      if (known.length < MOST_PLACES) known.push(`${Math.min(place, LAST_PLACE)}${WEIGHTS[part]}`);
      places.set(word, known);
      distinct.add(word);
      place += 1;
    }
    stems[part] = [...distinct].join(' ');
    place += GAP;
  }
  return { words: [...places].map(([word, list]) => `'${word}':${list}`).join(' '), stems };
}
