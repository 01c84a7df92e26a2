import fc from 'fast-check';

/** A block of the tests: a text, attributes, or a container. */
export type TestBlock = Record<string, unknown>;
/** Content with blocks, or a block with some. */
export type TestBlocks = { blocks: Record<string, TestBlock>; blocks_layout: { items: string[] } };

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six'];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

/** A block with a paragraph, as Volto stores it. */
export const slate = (value: string): TestBlock => ({
  '@type': 'slate',
  plaintext: value,
  value: [{ type: 'p', children: [{ text: value }] }],
});

const leaf = fc.oneof(
  text.map(slate),
  fc.record({
    '@type': fc.constant('image'),
    url: fc.constantFrom('/a', '/b'),
    align: fc.constantFrom('left', 'right'),
  }),
);

let made = 0;
const newId = (): string => {
  made += 1;
  return `b${made.toString(36)}`;
};

/** Blocks with ids in the order of a list. */
const blocksOf = (blocks: readonly TestBlock[]): TestBlocks => {
  const entries = blocks.map((block) => [newId(), block] as const);
  return { blocks: Object.fromEntries(entries), blocks_layout: { items: entries.map(([id]) => id) } };
};

const leaves = fc.array(leaf, { maxLength: 3 }).map(blocksOf);
const grid = leaves.map((inner) => ({ '@type': 'gridBlock', ...inner }));
const accordion = leaves.map((inner) => ({ '@type': 'accordion', data: inner }));

/** Pages with texts, pictures, grids and accordions. */
export const page = fc.array(fc.oneof({ weight: 3, arbitrary: leaf }, grid, accordion), { maxLength: 6 }).map(blocksOf);

/** An edit of a page: numbers choose the block and the place. */
export type Edit =
  | { kind: 'add' | 'move'; at: number; to: number; place: number; block: TestBlock }
  | { kind: 'remove' | 'text' | 'attribute'; at: number; value: string };

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('add' as const, 'move' as const),
    at: fc.nat(20),
    to: fc.nat(20),
    place: fc.nat(20),
    block: leaf,
  }),
  fc.record({
    kind: fc.constantFrom('remove' as const, 'text' as const, 'attribute' as const),
    at: fc.nat(20),
    value: fc.constantFrom(...WORDS),
  }),
);

const isContainer = (value: unknown): value is TestBlocks =>
  typeof value === 'object' && value !== null && 'blocks' in value && 'blocks_layout' in value;

/** All places that blocks are in, the outermost first. */
function places(container: TestBlocks): TestBlocks[] {
  const inner = Object.values(container.blocks).flatMap((block) => [block, block.data].filter(isContainer));
  return [container, ...inner.flatMap(places)];
}

/** The ids of all blocks at all depths. */
export const idsOf = (container: TestBlocks): string[] =>
  places(container).flatMap(({ blocks }) => Object.keys(blocks));

/** The ids of all blocks, as the orders have them. */
export const orderedIds = (container: TestBlocks): string[] =>
  places(container).flatMap(({ blocks_layout: { items } }) => items);

/** Each block at all depths, without the blocks in it. */
export const blocksById = (container: TestBlocks): Map<string, TestBlock> =>
  new Map(places(container).flatMap(({ blocks }) => Object.entries(blocks)));

const take = (place: TestBlocks, id: string): TestBlock => {
  const block = place.blocks[id] ?? {};
  delete place.blocks[id];
  place.blocks_layout.items = place.blocks_layout.items.filter((other) => other !== id);
  return block;
};

const put = (place: TestBlocks, id: string, block: TestBlock, to: number): void => {
  place.blocks[id] = block;
  place.blocks_layout.items.splice(to % (place.blocks_layout.items.length + 1), 0, id);
};

/** One edit of a page, in place. */
function apply(container: TestBlocks, one: Edit): void {
  const all = places(container).flatMap((place) => Object.keys(place.blocks).map((id) => ({ place, id })));
  const chosen = all[one.at % Math.max(all.length, 1)];
  if (one.kind === 'add') {
    const targets = places(container);
    put(targets[one.place % targets.length] ?? container, newId(), structuredClone(one.block), one.to);
  }
  if (!chosen) return;
  if (one.kind === 'remove') take(chosen.place, chosen.id);
  if (one.kind === 'move') {
    const block = take(chosen.place, chosen.id);
    const targets = places(container);
    put(targets[one.place % targets.length] ?? container, chosen.id, block, one.to);
  }
  const block = chosen.place.blocks[chosen.id];
  if (!block) return;
  if (one.kind === 'attribute') block.styles = { color: one.value };
  if (one.kind === 'text' && block['@type'] === 'slate') {
    const words = String(block.plaintext).split(' ');
    words[one.at % words.length] = one.value;
    Object.assign(block, slate(words.join(' ')));
  }
}

/** A page after some edits. */
export function edited(container: TestBlocks, edits: readonly Edit[]): TestBlocks {
  const copy = structuredClone(container);
  for (const one of edits) apply(copy, one);
  return copy;
}

/** A page, and two others that editors made of it at the same time. */
export const threeSides = fc
  .tuple(page, fc.array(edit, { maxLength: 5 }), fc.array(edit, { maxLength: 5 }))
  .map(([base, first, second]) => ({ base, mine: edited(base, first), theirs: edited(base, second) }));
