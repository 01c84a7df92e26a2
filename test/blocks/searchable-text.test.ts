import { describe, expect, test } from 'vitest';
import { coreBlocks } from '../../src/core/content/blocks/core-blocks.ts';
import { blocksText as withRegistry } from '../../src/core/content/blocks/searchable-text.ts';
import { BlockRegistry, defineBlock } from '../../src/core/types/block.ts';
import { blocksText } from './with-core-blocks.ts';

const textOf = (value: unknown) => blocksText({ one: value }, { items: ['one'] });
const slate = (plaintext: string) => ({ '@type': 'slate', plaintext, value: [] });
const draft = (...texts: string[]) => ({ blocks: texts.map((text) => ({ text })), entityMap: {} });

describe('searchable text of blocks', () => {
  test('a searchableText goes before the words of the block type, and those before sub-blocks', () => {
    const registry = new BlockRegistry([
      ...coreBlocks,
      defineBlock({ type: 'test-extracted', text: () => 'extracted' }),
    ]);
    const textOf = (value: unknown) => withRegistry(registry, { one: value }, { items: ['one'] });
    const blocks = { a: slate('inner') };
    expect(textOf({ '@type': 'test-extracted', searchableText: 'given', blocks })).toBe('given');
    expect(textOf({ '@type': 'test-extracted', searchableText: '', blocks })).toBe('extracted');
    expect(textOf({ '@type': 'unknown', searchableText: 7, blocks })).toBe('inner');
  });

  test('a slate block has its plaintext, or the text of its nodes without broken words', () => {
    expect(textOf({ ...slate('plain'), value: [{ children: [{ text: 'nodes' }] }] })).toBe('plain');
    const item = (...children: unknown[]) => ({ type: 'li', children });
    const list = {
      type: 'ul',
      children: [
        item({ text: 'W' }, { type: 'strong', children: [{ text: 'or' }] }, { text: 'd' }),
        item({ text: 'two' }),
      ],
    };
    expect(textOf({ '@type': 'slate', value: [list] })).toBe('Word two');
  });

  test('DraftJS text, tables and slate tables have the text of their lines and cells', () => {
    expect(textOf({ '@type': 'text', text: draft('one', 'two') })).toBe('one two');
    const table = (...values: unknown[]) => ({ rows: [{ cells: values.map((value) => ({ value })) }] });
    expect(textOf({ '@type': 'table', table: table(draft('a'), draft('b', 'c')) })).toBe('a b c');
    expect(textOf({ '@type': 'slateTable', table: table([{ children: [{ text: 'd' }] }]) })).toBe('d');
  });

  test('nested blocks and plate nodes are found', () => {
    expect(textOf({ '@type': 'grid', blocks: { a: { data: { blocks: { b: slate('deep') } } } } })).toBe('deep');
    const nodes = [{ children: [{ text: 'one' }, { '@type': 'slate', plaintext: 'two', children: [{ text: '' }] }] }];
    expect(textOf({ '@type': '__somersault__', value: nodes })).toBe('one two');
  });

  test('only blocks that the layout shows count, each once and in its order', () => {
    const blocks = { a: slate('first'), b: slate('second'), c: slate('unused') };
    expect(blocksText(blocks, { items: ['b', 'a', 'b', 'none', 'constructor', 5] })).toBe('second first');
    expect(blocksText(blocks, undefined)).toBe('first second unused');
    expect(blocksText(null, null)).toBe('');
  });
});
