import type { BlockRegistry } from '../types/block.ts';
import type { ContentObject } from '../types/content-row.ts';
import { blocksText } from './blocks/searchable-text.ts';
import { htmlText } from './fields/rich-text.ts';

/** Text of an object without markup: tags, and a body with the text of blocks and paragraphs. */
type PlainText = { subjects: string; body: string };

/** The tags and the body of an object as plain text: the words of its blocks, then those of its rich text. */
export function plainText(blocks: BlockRegistry, fields: ContentObject['fields']): PlainText {
  const subjects = Array.isArray(fields.subjects) ? fields.subjects.join(', ') : '';
  const body = [blocksText(blocks, fields.blocks, fields.blocks_layout), htmlText(fields.text)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
  return { subjects, body };
}
