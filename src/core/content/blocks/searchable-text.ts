import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { htmlWords } from '../../../lib/text/html-words.ts';
import type { BlockRegistry } from '../../types/block.ts';
import { checkDepth, subBlocks } from './walk.ts';

/**
 * The text of slate or plate nodes. Nodes with plain text among their siblings are inline and join without a gap (`<b>W</b>ord` is one word). All
 * other nodes are paragraphs, items or cells, and are separated.
 */
export function nodesText(nodes: unknown, depth = 0): string {
  checkDepth(depth);
  if (!Array.isArray(nodes)) return '';
  const inline = nodes.some((node) => isJsonObject(node) && typeof node.text === 'string');
  const texts = nodes.map((node) => {
    if (!isJsonObject(node)) return '';
    return typeof node.text === 'string' ? node.text : nodesText(node.children, depth + 1);
  });
  return texts.join(inline ? '' : ' ');
}

const listIn = (value: unknown, key: string): unknown[] => {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
};
const join = (texts: string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
const draftText = (draft: unknown): string =>
  join(listIn(draft, 'blocks').map((line) => (isJsonObject(line) && typeof line.text === 'string' ? line.text : '')));
const tableText = (table: unknown, cellText: (value: unknown) => string): string =>
  join(
    listIn(table, 'rows').flatMap((row) =>
      listIn(row, 'cells').map((cell) => (isJsonObject(cell) ? cellText(cell.value) : '')),
    ),
  );

/** The words of a slate block: the plain text that the editor stored, else the text of its nodes. */
export const slateText = ({ plaintext, value }: JsonObject): string =>
  typeof plaintext === 'string' && plaintext !== '' ? plaintext : nodesText(value);

/** The words of a DraftJS text block. */
export const draftBlockText = ({ text }: JsonObject): string => draftText(text);

/** The words of a table of slate values. */
export const slateTableText = ({ table }: JsonObject): string => tableText(table, (nodes) => nodesText(nodes));

/** The words of a table of DraftJS values. */
export const draftTableText = ({ table }: JsonObject): string => tableText(table, draftText);

/** The words of a block of the plate editor, and of the blocks among its nodes. */
export const plateText = (block: JsonObject, textOf: (block: JsonObject) => string): string =>
  join([nodesText(block.value), ...subBlocks(block).map(textOf)]);

/** The words of the texts under some keys of a block, and of the blocks within it. */
export const keyedText =
  (...keys: string[]) =>
  (block: JsonObject, textOf: (block: JsonObject) => string): string =>
    join([
      ...keys.map((key) => block[key]).filter((value) => typeof value === 'string'),
      ...subBlocks(block).map(textOf),
    ]);

/** The words of a block of HTML: its texts, and the alternative texts of pictures. */
export const htmlBlockText = ({ html }: JsonObject): string => (typeof html === 'string' ? htmlWords(html) : '');

function blockText(registry: BlockRegistry, block: JsonObject, depth: number): string {
  checkDepth(depth);
  const { searchableText, '@type': type } = block;
  if (typeof searchableText === 'string' && searchableText !== '') return searchableText;
  const textOf = (inner: JsonObject): string => blockText(registry, inner, depth + 1);
  const own = registry.find(type)?.text?.(block, textOf) ?? '';
  return own === '' ? join(subBlocks(block).map(textOf)) : own;
}

/**
 * The searchable text of blocks, for the full-text index. A block's `searchableText` wins over the words by its type, and these over its sub-blocks.
 * Only blocks that the layout shows count, each once; without a layout all blocks count. Throws BadRequest when blocks are nested too deep.
 * (plone.restapi, SearchableText_blocks)
 */
export function blocksText(registry: BlockRegistry, blocks: unknown, layout: unknown): string {
  if (!isJsonObject(blocks)) return '';
  const shown =
    isJsonObject(layout) && Array.isArray(layout.items)
      ? [...new Set<unknown>(layout.items)].filter(
          (id): id is string => typeof id === 'string' && Object.hasOwn(blocks, id),
        )
      : Object.keys(blocks);
  return join(shown.map((id) => blocks[id]).map((block) => (isJsonObject(block) ? blockText(registry, block, 0) : '')));
}
