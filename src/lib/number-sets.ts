/** Different whole numbers from 0 to 2^32 - 1, ascending. It is never changed, so that several owners can share it. */
export type NumberSet = Uint32Array;

/** The greatest number of a set. */
const MAX_NUMBER = 2 ** 32 - 1;

/** The set of some numbers in any order; undefined when one of them cannot be in a set. */
export function numberSetOf(numbers: Iterable<number>): NumberSet | undefined {
  const list = [...new Set(numbers)];
  if (!list.every((number) => Number.isInteger(number) && number >= 0 && number <= MAX_NUMBER)) return undefined;
  return Uint32Array.from(list).sort();
}

/** The place of a number in a set, or the place that it would have. */
function placeOf(set: NumberSet, number: number): number {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((set[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Says if a number is in a set. */
export const isIn = (set: NumberSet, number: number): boolean => set[placeOf(set, number)] === number;

/**
 * A set after each of the `asked` numbers, ascending, was looked at again: those of them that are in `found` are in it, the others are not. Returns
 * the set itself when that changes nothing.
 */
export function corrected(set: NumberSet, asked: readonly number[], found: ReadonlySet<number>): NumberSet {
  const wrong = asked.filter((number) => isIn(set, number) !== found.has(number));
  if (wrong.length === 0) return set;
  const added = wrong.filter((number) => found.has(number)).length;
  const result = new Uint32Array(set.length + 2 * added - wrong.length);
  let [from, to] = [0, 0];
  for (const number of wrong) {
    const place = placeOf(set, number);
    result.set(set.subarray(from, place), to);
    to += place - from;
    from = place;
    if (found.has(number)) {
      result[to] = number;
      to += 1;
    } else from += 1;
  }
  result.set(set.subarray(from), to);
  return result;
}
