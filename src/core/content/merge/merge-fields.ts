import { isDeepStrictEqual } from 'node:util';
import type { Preferred, Sides } from '../../../lib/merge/merge-text.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import { type Blocks, hasBlocks } from './block-tree.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { allThree, beginMerge, changedByOne, type Merging } from './merge-json.ts';

type Values = Record<string, unknown>;

/** A part of content that both sides changed: a field, or a block of it. */
export type ConflictingPart = { field: string; block?: string };

/** The values of `theirs` that a merge changes, and the parts that both sides changed differently. */
export type MergedFields = { values: Values; conflicts: ConflictingPart[] };

/** Fields that are merged as one. */
const BLOCKS = ['blocks', 'blocks_layout'];

const blocksOf = ({ blocks, blocks_layout }: Values): unknown => ({ blocks, blocks_layout });

/** Merges `blocks` with `blocks_layout`; undefined for values that have no such form. */
function mergeBlockFields(merging: Merging, { base, mine, theirs }: Sides<Values>): MergedFields | undefined {
  const empty = { blocks: {}, blocks_layout: { items: [] } };
  const before = blocksOf(base);
  const sides = allThree<Blocks>(
    { base: hasBlocks(before) ? before : empty, mine: blocksOf({ ...base, ...mine }), theirs: blocksOf(theirs) },
    hasBlocks,
  );
  if (!sides) return undefined;
  const { value, conflicts } = mergeBlocks(merging, sides);
  return {
    values: { blocks: value.blocks, blocks_layout: value.blocks_layout },
    conflicts: [...conflicts].map((block) =>
      block === undefined ? { field: 'blocks_layout' } : { field: 'blocks', block },
    ),
  };
}

/**
 * Merges stored values. `mine` are the values of one side, `theirs` the present values; `mine` does not change the fields that it lacks. Returns the
 * values that differ from `theirs`, by the kind of each field.
 */
export function mergeFields(
  kinds: FieldKinds,
  type: ContentType,
  { base, mine, theirs }: Sides<Values>,
  prefer: Preferred,
): MergedFields {
  const merging = beginMerge(prefer);
  const merged: MergedFields = { values: {}, conflicts: [] };
  const names = Object.keys(mine).filter((name) => !isDeepStrictEqual(mine[name] ?? null, base[name] ?? null));
  const blocks = names.some((name) => BLOCKS.includes(name))
    ? mergeBlockFields(merging, { base, mine, theirs })
    : undefined;
  Object.assign(merged.values, blocks?.values);
  merged.conflicts.push(...(blocks?.conflicts ?? []));
  for (const name of names) {
    if (blocks && BLOCKS.includes(name)) continue;
    const sides = { base: base[name] ?? null, mine: mine[name] ?? null, theirs: theirs[name] ?? null };
    const field = type.fieldByName.get(name);
    const [value] = changedByOne(sides) ?? [];
    const inside = value === undefined && field ? kinds.of(field).merge?.(sides, { ...merging, field }) : undefined;
    merged.values[name] = value === undefined ? (inside?.value ?? sides[prefer]) : value;
    if (value === undefined && inside?.conflicts !== false) merged.conflicts.push({ field: name });
  }
  const changed = Object.entries(merged.values).filter(
    ([name, value]) => !isDeepStrictEqual(value ?? null, theirs[name] ?? null),
  );
  return { ...merged, values: Object.fromEntries(changed) };
}
