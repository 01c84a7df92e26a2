import { afterEach, describe, expect, test } from 'vitest';
import { type BlockTransform, registerBlockTransform } from '../../src/content/blocks/block-transforms.ts';
import { serveBlocks } from '../../src/content/blocks/serve-blocks.ts';
import { storeBlocks } from '../../src/content/blocks/store-blocks.ts';
import { visitBlocks } from '../../src/content/blocks/walk.ts';
import { BASE, resolve, targets } from './site.ts';

const registered: (() => void)[] = [];
const add = (transform: BlockTransform) => registered.push(registerBlockTransform(transform));
const append = (mark: string) => (block: Record<string, unknown>) => ({
  ...block,
  marks: `${block.marks ?? ''}${mark}`,
});
afterEach(() => {
  for (const remove of registered.splice(0)) remove();
});

describe('block transforms of add-ons', () => {
  test('run by order, those of equal order as registered, and only for their type and direction', () => {
    add({ blockType: null, order: 5, direction: 'write', transform: append('c') });
    add({ blockType: 'x', order: 2, direction: 'write', transform: append('a') });
    add({ blockType: 'x', order: 2, direction: 'write', transform: append('b') });
    add({ blockType: 'x', order: 0, direction: 'read', transform: append('r') });
    const blocks = { one: { '@type': 'x' }, two: { '@type': 'y' } };
    expect(storeBlocks(blocks, resolve)).toEqual({
      one: { '@type': 'x', marks: 'abc' },
      two: { '@type': 'y', marks: 'c' },
    });
    expect(serveBlocks(blocks, targets)).toEqual({ one: { '@type': 'x', marks: 'r' }, two: { '@type': 'y' } });
  });

  test('may resolve links in keys of their own, and are gone after their removal', () => {
    const transform: BlockTransform = {
      blockType: 'x',
      order: 50,
      direction: 'write',
      transform: (block, context) => ({ ...block, goal: context.resolve(String(block.goal)) }),
    };
    const remove = registerBlockTransform(transform);
    const blocks = { one: { '@type': 'x', goal: `${BASE}/page` } };
    expect(storeBlocks(blocks, resolve)).toEqual({ one: { '@type': 'x', goal: '../resolveuid/page-1' } });
    remove();
    expect(storeBlocks(blocks, resolve)).toBe(blocks);
  });

  test('see inner blocks before those that hold them', () => {
    const seen: unknown[] = [];
    const blocks = {
      a: { id: 'a', blocks: { b: { id: 'b', data: { blocks: { c: { id: 'c' }, d: 'no block' } } } } },
      e: { id: 'e' },
    };
    visitBlocks(blocks, ({ id }) => seen.push(id));
    expect(seen).toEqual(['c', 'b', 'a', 'e']);
  });
});
