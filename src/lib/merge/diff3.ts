/** The remaining work of a merge, in steps of comparison. All parts of one merge share it, and once it is used up, the following parts have none. */
export type MergeBudget = { steps: number };

/** Maximum number of steps of one merge: some tenths of a second. */
const MAX_STEPS = 10_000_000;

/** Maximum number of edits between two sequences; more edits count as one edit of everything between the first and the last. */
const MAX_EDITS = 1500;

export const mergeBudget = (): MergeBudget => ({ steps: MAX_STEPS });

/** A part of the base, from `from` to before `to`, that a side has replaced by a part of its own. */
type Hunk = { from: number; to: number; sideFrom: number; sideTo: number };

/** The common ends of two sequences: the number of equal items at the beginning, and of further equal items at the end. */
function commonEnds(a: readonly string[], b: readonly string[]): { head: number; tail: number } {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { head, tail };
}

/**
 * The fewest edits from `a` to `b` (Myers 1986), as hunks; undefined when there are too many, or when the budget runs out.
 */
function fewestEdits(a: readonly string[], b: readonly string[], budget: MergeBudget): Hunk[] | undefined {
  const most = Math.min(a.length + b.length, MAX_EDITS);
  const furthest = new Int32Array(2 * most + 3);
  const center = most + 1;
  const at = (k: number): number => furthest[center + k] ?? 0;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice(center - edits - 1, center + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
      const start = down ? at(k + 1) : at(k - 1) + 1;
      let x = start;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest[center + k] = x;
      budget.steps -= x - start + 1;
      if (x >= a.length && x - k >= b.length) return hunksOf(trace, a.length, b.length);
    }
    if (budget.steps < 0) return undefined;
  }
  return undefined;
}

/** Walks back from the ends of both sequences, and joins edits without an equal item between them. */
function hunksOf(trace: readonly Int32Array[], aEnd: number, bEnd: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [x, y] = [aEnd, bEnd];
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const furthest = trace[edits] ?? new Int32Array();
    const at = (k: number): number => furthest[k + edits + 1] ?? 0;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const before = down ? at(k + 1) : at(k - 1);
    const beforeY = before - (down ? k + 1 : k - 1);
    const [afterX, afterY] = down ? [before, beforeY + 1] : [before + 1, beforeY];
    const next = hunks.at(-1);
    if (next && next.from === afterX && next.sideFrom === afterY)
      Object.assign(next, { from: before, sideFrom: beforeY });
    else hunks.push({ from: before, to: afterX, sideFrom: beforeY, sideTo: afterY });
    [x, y] = [before, beforeY];
  }
  return hunks.reverse();
}

/** The changes of a side. More edits than MAX_EDITS become one hunk, from the first to the last. */
function hunksBetween(base: readonly string[], side: readonly string[], budget: MergeBudget): Hunk[] {
  const { head, tail } = commonEnds(base, side);
  const [a, b] = [base.slice(head, base.length - tail), side.slice(head, side.length - tail)];
  if (a.length === 0 && b.length === 0) return [];
  const whole: Hunk[] = [{ from: 0, to: a.length, sideFrom: 0, sideTo: b.length }];
  const hunks = a.length === 0 || b.length === 0 || budget.steps < 0 ? whole : (fewestEdits(a, b, budget) ?? whole);
  return hunks.map(({ from, to, sideFrom, sideTo }) => ({
    ...{ from: from + head, to: to + head },
    ...{ sideFrom: sideFrom + head, sideTo: sideTo + head },
  }));
}

/** A part of a sequence, from the first number up to but not including the second. */
type Range = readonly [from: number, to: number];

/** A part of a merge, by its places in all three sequences, and the side that changed it. */
export type MergedPart = {
  base: Range;
  mine: Range;
  theirs: Range;
  by: 'nobody' | 'mine' | 'theirs' | 'both' | 'conflict';
};

/** Hunks of one side, with the difference of places behind the passed hunks. */
class Changes {
  readonly #hunks: readonly Hunk[];
  #next = 0;
  #shift = 0;

  constructor(hunks: readonly Hunk[]) {
    this.#hunks = hunks;
  }

  get next(): Hunk | undefined {
    return this.#hunks[this.#next];
  }

  /** Converts a place in the base, behind all passed hunks, to the place in the side. */
  place(at: number): number {
    return at + this.#shift;
  }

  /** Passes the next hunk. */
  pass(): void {
    const hunk = this.next;
    if (hunk) this.#shift = hunk.sideTo - hunk.to;
    this.#next += 1;
  }
}

/**
 * Merges two changes of one sequence (diff3). Parts that both sides changed, and insertions at the edge of a change of the other side, are conflicts
 * unless both sides made the same change. With exchanged sides the result is the same.
 */
export function mergeSequences(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  budget: MergeBudget,
): MergedPart[] {
  const sides = {
    mine: new Changes(hunksBetween(base, mine, budget)),
    theirs: new Changes(hunksBetween(base, theirs, budget)),
  };
  const parts: MergedPart[] = [];
  const add = (from: number, to: number, starts: { mine: number; theirs: number }, by: MergedPart['by']) => {
    const range = (side: 'mine' | 'theirs'): Range => [starts[side], sides[side].place(to)];
    parts.push({ base: [from, to], mine: range('mine'), theirs: range('theirs'), by });
  };
  for (let at = 0; ; ) {
    const starts = { mine: sides.mine.place(at), theirs: sides.theirs.place(at) };
    const from = Math.min(sides.mine.next?.from ?? base.length, sides.theirs.next?.from ?? base.length);
    if (from > at) add(at, from, starts, 'nobody');
    if (!sides.mine.next && !sides.theirs.next) return parts;
    const begins = { mine: sides.mine.place(from), theirs: sides.theirs.place(from) };
    const changed = takeColliding(sides, from);
    at = changed.to;
    add(from, at, begins, changed.by);
    const last = parts.at(-1);
    if (last?.by === 'conflict' && sameItems(mine.slice(...last.mine), theirs.slice(...last.theirs))) last.by = 'both';
  }
}

const sameItems = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

/** Passes all hunks that begin at `from`, and hunks that collide with them; returns their end. */
function takeColliding(
  sides: { mine: Changes; theirs: Changes },
  from: number,
): { to: number; by: 'mine' | 'theirs' | 'conflict' } {
  const by = new Set<'mine' | 'theirs'>();
  let to = from;
  let insertsAtEnd = false;
  for (let found = true; found; ) {
    found = false;
    for (const side of ['mine', 'theirs'] as const) {
      const { next } = sides[side];
      const isFirst = by.size === 0 && next?.from === from;
      const touches = next?.from === to && (next.to === to || insertsAtEnd);
      if (!next || !(isFirst || next.from < to || touches)) continue;
      insertsAtEnd = (next.from === next.to && next.to >= to) || (insertsAtEnd && next.to <= to);
      to = Math.max(to, next.to);
      sides[side].pass();
      by.add(side);
      found = true;
    }
  }
  const [only] = by;
  return { to, by: by.size === 1 && only ? only : 'conflict' };
}
