import { type MergeBudget, mergeBudget, mergeSequences } from './diff3.ts';
import { cutWords } from './merge-text.ts';

/** A piece of both texts, of the first text, or of the second. */
export type Piece = { change: 'kept' | 'removed' | 'added'; text: string };

/** The pieces of two texts, word by word, in their order: kept and removed pieces make `before`, kept and added pieces `after`. */
export function wordDifferences(before: string, after: string, budget: MergeBudget = mergeBudget()): Piece[] {
  const [old, present] = [cutWords(before), cutWords(after)];
  const pieces: Piece[] = [];
  const add = (change: Piece['change'], words: readonly string[]) => {
    if (words.length > 0) pieces.push({ change, text: words.join('') });
  };
  for (const { base, mine, by } of mergeSequences(old, present, old, budget)) {
    if (by === 'nobody') add('kept', old.slice(...base));
    else {
      add('removed', old.slice(...base));
      add('added', present.slice(...mine));
    }
  }
  return pieces;
}
