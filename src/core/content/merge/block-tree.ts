import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { checkDepth } from '../blocks/walk.ts';

/** Blocks and their order, as content and containing blocks have them. */
export type Blocks = JsonObject & { blocks: JsonObject; blocks_layout: JsonObject };

/** Says if a value has blocks with an order. */
export const hasBlocks = (value: unknown): value is Blocks =>
  isJsonObject(value) &&
  isJsonObject(value.blocks) &&
  isJsonObject(value.blocks_layout) &&
  Array.isArray(value.blocks_layout.items);

/** A block by itself: `own` is the block without its inner blocks, `whole` with them; `listed` is true if the order of its place lists the block. */
export type FlatBlock = { id: string; place: string; listed: boolean; own: unknown; whole: unknown };

/** Blocks of all depths by their keys, and the order in each place. */
export type BlockTree = { blocks: Map<string, FlatBlock>; orders: Map<string, readonly string[]> };

/** The place of the outermost blocks. */
export const OUTERMOST = '';

/** A character that no stored text contains. */
const SEPARATOR = '\u0000';

/** The members of a block that can have blocks. */
type Member = 'blocks' | 'data';

const placeIn = (key: string, member: Member): string => `${key}${SEPARATOR}${member}`;

/** The key of the block that a place is in; undefined for the outermost place. */
const blockAround = (place: string): string | undefined =>
  place === OUTERMOST ? undefined : place.slice(0, place.lastIndexOf(SEPARATOR));

/** The part of a block under a member that has blocks. */
function containerIn(block: unknown, member: Member): Blocks | undefined {
  const container = member === 'data' && isJsonObject(block) ? block.data : block;
  return hasBlocks(container) ? container : undefined;
}

/** A container with other blocks in place of its own. */
const filledWith = (container: Blocks, blocks: JsonObject, items: readonly string[]): Blocks => ({
  ...container,
  blocks,
  blocks_layout: { ...container.blocks_layout, items },
});

/** A container without its blocks. */
export const emptied = (container: Blocks): Blocks => filledWith(container, {}, []);

/** A block with a change of the container in each of its members. */
function mapContainers(block: unknown, change: (container: Blocks, member: Member) => Blocks): unknown {
  if (!isJsonObject(block)) return block;
  const [outer, inner] = [containerIn(block, 'blocks'), containerIn(block, 'data')];
  const own = outer ? change(outer, 'blocks') : block;
  return inner ? { ...own, data: change(inner, 'data') } : own;
}

/**
 * The blocks of all depths; undefined when an id occurs twice. With `scoped`, keys begin with the place, for blocks whose ids occur in several
 * places; else the ids are the keys, so that a moved block keeps its key.
 */
export function flattenBlocks(outermost: Blocks, scoped: boolean): BlockTree | undefined {
  const tree: BlockTree = { blocks: new Map(), orders: new Map() };
  let isUnique = true;
  const add = (container: Blocks, place: string, depth: number): Blocks => {
    checkDepth(depth);
    const { blocks, blocks_layout: layout } = container;
    const keyOf = (id: string) => (scoped ? `${place}${SEPARATOR}${id}` : id);
    const items: unknown[] = Array.isArray(layout.items) ? layout.items : [];
    const listed = new Set(items);
    for (const [id, whole] of Object.entries(blocks)) {
      const key = keyOf(id);
      isUnique &&= !tree.blocks.has(key);
      const own = mapContainers(whole, (inner, member) => add(inner, placeIn(key, member), depth + 1));
      tree.blocks.set(key, { ...{ id, place, own, whole }, listed: listed.has(id) });
    }
    tree.orders.set(
      place,
      items.flatMap((id) => (typeof id === 'string' && Object.hasOwn(blocks, id) ? [keyOf(id)] : [])),
    );
    return emptied(container);
  };
  add(outermost, OUTERMOST, 0);
  return isUnique || scoped ? tree : undefined;
}

/** The keys of blocks whose place is in no block of the tree, and of blocks that were moved into themselves. */
export function lostBlocks({ blocks }: Pick<BlockTree, 'blocks'>): string[] {
  const leadsOut = new Map<string, boolean>();
  const follow = (key: string): void => {
    const way: string[] = [];
    let out: boolean | undefined;
    for (let at = key; out === undefined; ) {
      const { place = OUTERMOST } = blocks.get(at) ?? {};
      const around = blockAround(place);
      way.push(at);
      // A way that reaches a block twice is a circle.
      leadsOut.set(at, false);
      const member = place.endsWith(`${SEPARATOR}data`) ? 'data' : 'blocks';
      if (around === undefined) out = true;
      else if (!containerIn(blocks.get(around)?.own, member)) out = false;
      else out = leadsOut.get(around);
      at = around ?? at;
    }
    for (const passed of way) leadsOut.set(passed, out);
  };
  for (const key of blocks.keys()) if (!leadsOut.has(key)) follow(key);
  return [...blocks.keys()].filter((key) => leadsOut.get(key) === false);
}

/** Puts blocks that all lead to the outermost place into their places again. */
export function nestBlocks(tree: BlockTree, outermost: Blocks): Blocks {
  const byPlace = new Map<string, string[]>();
  for (const [key, { place }] of tree.blocks) {
    const there = byPlace.get(place);
    if (there) there.push(key);
    else byPlace.set(place, [key]);
  }
  const idOf = (key: string): string => tree.blocks.get(key)?.id ?? '';
  const fill = (container: Blocks, place: string): Blocks => {
    const keys = byPlace.get(place) ?? [];
    const blocks = keys.map((key) => {
      const block = tree.blocks.get(key)?.own;
      return [idOf(key), mapContainers(block, (inner, member) => fill(inner, placeIn(key, member)))] as const;
    });
    return filledWith(container, Object.fromEntries(blocks), (tree.orders.get(place) ?? []).map(idOf));
  };
  return fill(outermost, OUTERMOST);
}
