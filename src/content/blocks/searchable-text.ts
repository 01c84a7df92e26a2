import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import { checkDepth } from './depth-limit.ts';
import { nodeText } from './node-text.ts';
import { subBlocks } from './walk.ts';

/** The text by which one block is found; `textOf` gives that of a sub-block. Empty when there is none. */
export type BlockTextExtractor = (block: JsonObject, textOf: (block: JsonObject) => string) => string;

const extractors = new Map<string, BlockTextExtractor>();

/** Sets the extractor for blocks of one type, core's own as well as an add-on's; the last one wins. */
export const registerBlockText = (blockType: string, extractor: BlockTextExtractor): void => {
  extractors.set(blockType, extractor);
};

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

registerBlockText('slate', ({ plaintext, value }) =>
  typeof plaintext === 'string' && plaintext !== '' ? plaintext : nodeText(value),
);
registerBlockText('slateTable', ({ table }) => tableText(table, (nodes) => nodeText(nodes)));
registerBlockText('text', ({ text }) => draftText(text));
registerBlockText('table', ({ table }) => tableText(table, draftText));
registerBlockText('__somersault__', (block, textOf) => join([nodeText(block.value), ...subBlocks(block).map(textOf)]));

function blockText(block: JsonObject, depth: number): string {
  checkDepth(depth);
  const { searchableText, '@type': type } = block;
  if (typeof searchableText === 'string' && searchableText !== '') return searchableText;
  const textOf = (inner: JsonObject): string => blockText(inner, depth + 1);
  const own = typeof type === 'string' ? (extractors.get(type)?.(block, textOf) ?? '') : '';
  return own === '' ? join(subBlocks(block).map(textOf)) : own;
}

/**
 * The searchable text of blocks, for the full-text index. A block's `searchableText` wins over the
 * extractor of its type, and that over its sub-blocks. Only blocks that the layout shows count, each
 * once; without a layout all do. Throws BadRequest when blocks are nested too deep. (plone.restapi,
 * SearchableText_blocks)
 */
export function blocksText(blocks: unknown, layout: unknown): string {
  if (!isJsonObject(blocks)) return '';
  const shown =
    isJsonObject(layout) && Array.isArray(layout.items)
      ? [...new Set<unknown>(layout.items)].filter(
          (id): id is string => typeof id === 'string' && Object.hasOwn(blocks, id),
        )
      : Object.keys(blocks);
  return join(shown.map((id) => blocks[id]).map((block) => (isJsonObject(block) ? blockText(block, 0) : '')));
}
