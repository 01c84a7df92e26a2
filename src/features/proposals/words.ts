import { isJsonObject, type JsonObject } from '#lib/json-object';
import type { MergeBudget } from '#lib/merge/diff3';
import { type Piece, wordDifferences } from '#lib/merge/word-differences';

/** Texts of one value that are compared word by word, and the depth at which they are looked for. */
const MAX_TEXTS = 50;
const MAX_DEPTH = 12;

/** A text in a value, and its pieces. `at` is empty where the value itself is the text, else the way to it, such as `value.0.text`. */
type TextDifference = { at: string; pieces: Piece[] };

/** The texts that differ in two values, which have them at the same places. */
function textDifferences(before: unknown, after: unknown, budget: MergeBudget): TextDifference[] {
  const found: TextDifference[] = [];
  const walk = (old: unknown, present: unknown, way: readonly string[]): void => {
    if (found.length >= MAX_TEXTS || way.length > MAX_DEPTH || old === present) return;
    if (typeof old === 'string' && typeof present === 'string') {
      found.push({ at: way.join('.'), pieces: wordDifferences(old, present, budget) });
    } else if (Array.isArray(old) && Array.isArray(present)) {
      for (const [i, item] of old.entries()) walk(item, present[i], [...way, String(i)]);
    } else if (isJsonObject(old) && isJsonObject(present)) {
      for (const [name, value] of Object.entries(old))
        if (Object.hasOwn(present, name)) walk(value, present[name], [...way, name]);
    }
  };
  walk(before, after, []);
  return found;
}

/** A difference with `words`, the texts in it word by word, where it has any. */
export function withWords(difference: JsonObject, budget: MergeBudget): JsonObject {
  const words = textDifferences(difference.before, difference.after, budget);
  return words.length === 0 ? difference : { ...difference, words };
}
