/**
 * The number of edits between two words: inserted, removed, replaced or exchanged letters (Damerau and Levenshtein); more than `most` edits count as
 * `most + 1`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const cost = Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + same);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(swapped ? Math.min(cost, (before[column - 2] ?? 0) + 1) : cost);
    }
    before = last;
    last = next;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}

/** Maximum length of names that are compared. */
const MAX_COMPARED_LENGTH = 60;

/** The name nearest to a misspelt one, with at most one edit for each three letters; undefined when no name is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const most = Math.max(1, Math.floor(name.length / 3));
  const near = names
    .map((one) => ({ one, edits: editDistance(lower, one.toLowerCase(), most) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.one;
}
