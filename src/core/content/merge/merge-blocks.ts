import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../lib/json-object.ts';
import { mergeOrder } from '../../../lib/merge/merge-order.ts';
import type { Sides } from '../../../lib/merge/merge-text.ts';
import {
  type Blocks,
  type BlockTree,
  emptied,
  type FlatBlock,
  flattenBlocks,
  lostBlocks,
  nestBlocks,
  OUTERMOST,
} from './block-tree.ts';
import { allThree, changedByOne, conflictAt, type Merging, mergeJson, mergeObjects } from './merge-json.ts';
import { textOfNodes } from './merge-leaves.ts';

/** Merged blocks, and the ids of the blocks that both sides changed differently; undefined stands for the order of blocks. */
export type MergedBlocks = { value: Blocks; conflicts: Set<string | undefined> };

/** Merges a block without its inner blocks. The plain text of a slate block is made anew from its merged nodes. */
function mergeOwn(merging: Merging, sides: Sides): unknown {
  const plain = changedByOne(sides);
  if (plain) return plain[0];
  const objects = allThree(sides, isJsonObject);
  if (objects?.mine['@type'] !== 'slate' || objects.theirs['@type'] !== 'slate') return mergeJson(merging, sides, []);
  const { plaintext: _former, ...base } = objects.base;
  const { plaintext: mineText, ...mine } = objects.mine;
  const { plaintext: theirText, ...theirs } = objects.theirs;
  const block = mergeObjects(merging, { base, mine, theirs }, []);
  if (mineText === undefined && theirText === undefined) return block;
  const isMine = isDeepStrictEqual(block.value, mine.value);
  const isTheirs = isDeepStrictEqual(block.value, theirs.value);
  const follows = isMine === isTheirs && mineText !== theirText;
  return { ...block, plaintext: follows ? textOfNodes(block.value) : isMine ? mineText : theirText };
}

/** Merges a block that both sides have: its content, its place, and whether the order lists it. */
function mergeBoth(
  merging: Merging,
  { base, mine, theirs }: { base: FlatBlock | undefined; mine: FlatBlock; theirs: FlatBlock },
): FlatBlock {
  const own = mergeOwn(merging, { base: base?.own, mine: mine.own, theirs: theirs.own });
  const places: Sides<string | undefined> = { base: base?.place, mine: mine.place, theirs: theirs.place };
  const [place = OUTERMOST] = changedByOne(places) ?? [conflictAt(merging, [], places)];
  const [listed = true] = changedByOne({ base: base?.listed, mine: mine.listed, theirs: theirs.listed }) ?? [];
  return { ...mine, own, place, listed };
}

/** Says if a block has inner blocks. */
const holdsOthers = ({ own, whole }: FlatBlock): boolean => !isDeepStrictEqual(own, whole);

/** Merges the blocks one by one. A block that one side removed is removed if the other side has not changed it. */
function mergeEach(
  merging: Merging,
  trees: Sides<BlockTree>,
): { blocks: Map<string, FlatBlock>; conflicts: Set<string>; torn: boolean } {
  const blocks = new Map<string, FlatBlock>();
  const conflicts = new Set<string>();
  let torn = false;
  for (const key of new Set([...trees.mine.blocks.keys(), ...trees.theirs.blocks.keys()])) {
    const [base, mine, theirs] = [trees.base.blocks.get(key), trees.mine.blocks.get(key), trees.theirs.blocks.get(key)];
    if (mine && theirs) {
      const inner: Merging = { ...merging, conflicts: [] };
      blocks.set(key, mergeBoth(inner, { base, mine, theirs }));
      if (inner.conflicts.length > 0) conflicts.add(key);
      continue;
    }
    const only = mine ?? theirs;
    if (!only || (base && isDeepStrictEqual(base.whole, only.whole))) continue;
    if (!base || only === trees[merging.prefer].blocks.get(key)) blocks.set(key, only);
    if (base) conflicts.add(key);
    torn ||= base !== undefined && holdsOthers(only);
  }
  return { blocks, conflicts, torn };
}

/** Merges the orders of all places; returns true if an order is a conflict. */
function mergeOrders(
  merging: Merging,
  trees: Sides<BlockTree>,
  blocks: ReadonlyMap<string, FlatBlock>,
): { orders: Map<string, readonly string[]>; conflicts: boolean } {
  const members = new Map<string, Set<string>>();
  for (const [key, { place, listed }] of blocks) {
    const there = members.get(place) ?? new Set();
    if (listed) there.add(key);
    members.set(place, there);
  }
  const orders = new Map<string, readonly string[]>();
  let conflicts = false;
  for (const [place, keys] of members) {
    const orderIn = (tree: BlockTree) => tree.orders.get(place) ?? [];
    const sides = { base: orderIn(trees.base), mine: orderIn(trees.mine), theirs: orderIn(trees.theirs) };
    const order = mergeOrder(sides, keys, merging.prefer);
    orders.set(place, order.value);
    conflicts ||= order.conflicts;
  }
  return { orders, conflicts };
}

/** The blocks of all three sides, with the same kind of keys. */
function treesOf({ base, mine, theirs }: Sides<Blocks>): Sides<BlockTree> | undefined {
  for (const scoped of [false, true]) {
    const trees = [base, mine, theirs].map((side) => flattenBlocks(side, scoped));
    const [first, second, third] = trees;
    if (first && second && third) return { base: first, mine: second, theirs: third };
  }
  return undefined;
}

/**
 * Merges blocks of all depths with their orders: blocks by id in any place, their values by members, and texts by words. No block is lost or doubled.
 * Conflicts are blocks that both sides changed in the same part, that one side changed and the other removed, or that both sides moved. At a conflict
 * the result has the value of the preferred side; if such blocks contain blocks, all blocks of that side.
 */
export function mergeBlocks(merging: Merging, sides: Sides<Blocks>): MergedBlocks {
  const plain = changedByOne(sides);
  if (plain) return { value: plain[0], conflicts: new Set() };
  const trees = treesOf(sides);
  if (!trees) return { value: sides[merging.prefer], conflicts: new Set([undefined]) };
  const { blocks, conflicts, torn } = mergeEach(merging, trees);
  const lost = lostBlocks({ blocks });
  const idOf = (key: string) =>
    blocks.get(key)?.id ?? trees.mine.blocks.get(key)?.id ?? trees.theirs.blocks.get(key)?.id;
  const ids = new Set([...conflicts, ...lost].map(idOf));
  if (torn || lost.length > 0) return { value: sides[merging.prefer], conflicts: ids };
  const outer: Merging = { ...merging, conflicts: [] };
  const rest = { base: emptied(sides.base), mine: emptied(sides.mine), theirs: emptied(sides.theirs) };
  const outermost = mergeObjects(outer, rest, []);
  const { orders, conflicts: inOrder } = mergeOrders(merging, trees, blocks);
  if (inOrder || outer.conflicts.length > 0) ids.add(undefined);
  const container = {
    ...outermost,
    blocks: {},
    blocks_layout: isJsonObject(outermost.blocks_layout) ? outermost.blocks_layout : {},
  };
  return { value: nestBlocks({ blocks, orders }, container), conflicts: ids };
}
