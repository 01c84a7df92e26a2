import type { Merged, Preferred, Sides } from './merge-text.ts';

type Ids = readonly string[];

/** The members of a longest part of a list whose numbers rise (patience sorting). */
function risingMembers(ids: Ids, numberOf: ReadonlyMap<string, number>): Set<string> {
  const tops: number[] = [];
  const previous: number[] = [];
  const numbers = ids.map((id) => numberOf.get(id) ?? 0);
  for (const [i, number] of numbers.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tops[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? (tops[low - 1] ?? -1) : -1);
    tops[low] = i;
  }
  const members = new Set<string>();
  for (let i = tops.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) members.add(ids[i] ?? '');
  return members;
}

/** The order of one side, with the ids that it has moved or inserted itself. */
type Side = { ids: Ids; own: Set<string> };

function sideOf(ids: Ids, base: Ids): Side {
  const numbers = new Map(base.map((id, i) => [id, i]));
  const rising = risingMembers(
    ids.filter((id) => numbers.has(id)),
    numbers,
  );
  return { ids, own: new Set(ids.filter((id) => !rising.has(id))) };
}

/** Stands for the beginning of a list, as the anchor of ids without an id before them. */
const BEGINNING = Symbol('beginning');

type Anchor = string | typeof BEGINNING;

/** The ids that a side has put behind each id that no side has moved. */
function gapsOf({ ids, own }: Side, fixed: ReadonlySet<string>): Map<Anchor, string[]> {
  const gaps = new Map<Anchor, string[]>();
  let anchor: Anchor = BEGINNING;
  for (const id of ids) {
    if (fixed.has(id)) anchor = id;
    if (fixed.has(id) || !own.has(id)) continue;
    const gap = gaps.get(anchor);
    if (gap) gap.push(id);
    else gaps.set(anchor, [id]);
  }
  return gaps;
}

/** Two runs without common ids, one behind the other; their order depends on the ids, not on the sides. */
const joined = (a: Ids, b: Ids): Ids => ((a[0] ?? '') < (b[0] ?? '') ? [...a, ...b] : [...b, ...a]);

/** Merges two runs that were put in one place. Undefined when their common ids have different orders. */
function mergeRuns(a: Ids, b: Ids): Ids | undefined {
  const [inA, inB] = [new Set(a), new Set(b)];
  const common = a.filter((id) => inB.has(id));
  const commonInB = b.filter((id) => inA.has(id));
  if (common.some((id, i) => commonInB[i] !== id)) return undefined;
  const merged: string[] = [];
  let [fromA, fromB] = [0, 0];
  for (const id of common) {
    const [toA, toB] = [a.indexOf(id, fromA), b.indexOf(id, fromB)];
    merged.push(...joined(a.slice(fromA, toA), b.slice(fromB, toB)), id);
    [fromA, fromB] = [toA + 1, toB + 1];
  }
  return [...merged, ...joined(a.slice(fromA), b.slice(fromB))];
}

/** Removes from the gaps of the side that does not count the ids that the other side has put elsewhere; returns true if it removed any. */
function settlePlaces(kept: ReadonlyMap<Anchor, Ids>, changed: Map<Anchor, string[]>): boolean {
  const places = new Map([...kept].flatMap(([anchor, ids]) => ids.map((id) => [id, anchor] as const)));
  let conflicts = false;
  for (const [anchor, ids] of changed) {
    const left = ids.filter((id) => !places.has(id) || places.get(id) === anchor);
    conflicts ||= left.length < ids.length;
    changed.set(anchor, left);
  }
  return conflicts;
}

/**
 * Merges two orders of a list without repetitions; the result has each id of `members` once. An id that one side has moved is at the place of that
 * side. An id that both sides have put in different places is a conflict. With exchanged sides the result is the same, except for conflicts.
 */
export function mergeOrder(sides: Sides<Ids>, members: ReadonlySet<string>, prefer: Preferred): Merged<string[]> {
  const remaining = (ids: Ids) => [...new Set(ids)].filter((id) => members.has(id));
  const base = remaining(sides.base);
  const mine = sideOf(remaining(sides.mine), base);
  const theirs = sideOf(remaining(sides.theirs), base);
  const fixed = new Set(base.filter((id) => !mine.own.has(id) && !theirs.own.has(id)));
  const [first, second] = prefer === 'mine' ? [mine, theirs] : [theirs, mine];
  const [gaps, others] = [gapsOf(first, fixed), gapsOf(second, fixed)];
  let conflicts = settlePlaces(gaps, others);
  const inGap = (anchor: Anchor): Ids => {
    const [a, b] = [gaps.get(anchor) ?? [], others.get(anchor) ?? []];
    const merged = mergeRuns(a, b);
    conflicts ||= merged === undefined;
    return merged ?? [...new Set([...a, ...b])];
  };
  const ordered = [...inGap(BEGINNING), ...base.filter((id) => fixed.has(id)).flatMap((id) => [id, ...inGap(id)])];
  const placed = new Set(ordered);
  return { value: [...placed, ...[...members].filter((id) => !placed.has(id)).sort()], conflicts };
}

/** The members of a merged set: members of both sides, and members that one side has added. */
export function mergeMembers({ base, mine, theirs }: Sides<Ids>): Set<string> {
  const [before, here, there] = [new Set(base), new Set(mine), new Set(theirs)];
  return new Set([
    ...mine.filter((id) => there.has(id) || !before.has(id)),
    ...theirs.filter((id) => here.has(id) || !before.has(id)),
  ]);
}
