import { describe, expect, test } from 'vitest';
import { coreBlocks } from '../../src/core/content/blocks/core-blocks.ts';
import { linkedUids, serveBlocks, storeBlocks } from '../../src/core/content/blocks/transforms.ts';
import { visitBlocks } from '../../src/core/content/blocks/walk.ts';
import { BlockRegistry, defineBlock } from '../../src/core/types/block.ts';
import { Slots } from '../../src/lib/slots.ts';
import { BASE, resolve, targets } from './site.ts';

const context = { targets, mayEdit: true, slots: new Slots() };

const append = (mark: string) => (block: Record<string, unknown>) => ({
  ...block,
  marks: `${block.marks ?? ''}${mark}`,
});

describe('blocks of add-ons', () => {
  test('transforms for all types write first and read last, and those of a type see only its blocks', () => {
    const registry = new BlockRegistry([
      defineBlock({ type: 'x', write: append('b'), read: append('r') }),
      defineBlock({ type: null, write: append('a'), read: append('s') }),
    ]);
    const blocks = { one: { '@type': 'x' }, two: { '@type': 'y' } };
    expect(storeBlocks(registry, blocks, resolve)).toEqual({
      one: { '@type': 'x', marks: 'ab' },
      two: { '@type': 'y', marks: 'a' },
    });
    expect(serveBlocks(registry, blocks, context)).toEqual({
      one: { '@type': 'x', marks: 'rs' },
      two: { '@type': 'y', marks: 's' },
    });
  });

  test('keys that a block type names as links are stored as references and served as addresses', () => {
    const registry = new BlockRegistry([...coreBlocks, defineBlock({ type: 'x', links: ['goal', 'steps'] })]);
    const block = { '@type': 'x', goal: `${BASE}/page`, steps: [`${BASE}/picture#top`, 'https://other.org', 7] };
    const stored = storeBlocks(registry, { one: block }, resolve);
    expect(stored).toEqual({
      one: {
        '@type': 'x',
        goal: '../resolveuid/page-1',
        steps: ['../resolveuid/picture-1#top', 'https://other.org', 7],
      },
    });
    expect([...linkedUids(registry, stored)]).toEqual(['page-1', 'picture-1']);
    expect(serveBlocks(registry, stored, context)).toEqual({ one: block });
    const none = new BlockRegistry(coreBlocks);
    expect(storeBlocks(none, { one: block }, resolve)).toEqual({ one: block });
  });

  test('two blocks of one type stop the start', () => {
    const twice = () => new BlockRegistry([...coreBlocks, defineBlock({ type: 'slate' })]);
    expect(twice).toThrow('There are two types of blocks "slate"');
  });

  test('inner blocks are visited before those that hold them', () => {
    const seen: unknown[] = [];
    const blocks = {
      a: { id: 'a', blocks: { b: { id: 'b', data: { blocks: { c: { id: 'c' }, d: 'no block' } } } } },
      e: { id: 'e' },
    };
    visitBlocks(blocks, ({ id }) => seen.push(id));
    expect(seen).toEqual(['c', 'b', 'a', 'e']);
  });
});
