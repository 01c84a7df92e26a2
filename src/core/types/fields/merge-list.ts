import { mergeMembers, mergeOrder } from '../../../lib/merge/merge-order.ts';
import type { Merged, Sides } from '../../../lib/merge/merge-text.ts';
import type { FieldMerging } from '../field-kind.ts';

const texts = (value: unknown): string[] | undefined => {
  const list = value === null ? [] : value;
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
};

/**
 * Merges lists of texts without repetitions: items that a side added are in the result, items that a side removed are not, in the order of both
 * sides.
 */
export function mergeOrdered(sides: Sides, { prefer }: Pick<FieldMerging, 'prefer'>): Merged<unknown> | undefined {
  const [base, mine, theirs] = [texts(sides.base), texts(sides.mine), texts(sides.theirs)];
  if (!base || !mine || !theirs) return undefined;
  const lists = { base, mine, theirs };
  return mergeOrder(lists, mergeMembers(lists), prefer);
}

/** Merges sets of texts like lists, but their order is never a conflict. */
export function mergeSet(sides: Sides, merging: Pick<FieldMerging, 'prefer'>): Merged<unknown> | undefined {
  const merged = mergeOrdered(sides, merging);
  return merged && { ...merged, conflicts: false };
}
