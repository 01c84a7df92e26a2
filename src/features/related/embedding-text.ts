import { blocksText } from '../../content/blocks/searchable-text.ts';
import type { Unembedded } from './statements/embedding-rows.ts';

/** Characters of an object that its vector is made of: models read some thousand words at most. */
const MOST_TEXT = 6000;

/** Plain text of stored rich text, without its tags. */
function richText(value: unknown): string {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined;
  return typeof data === 'string' ? data.replace(/<[^<>]*>/g, ' ') : '';
}

/** What an object says, for a language model: title, summary, tags, then its text as far as it is read. */
export function embeddingText({ title, description, fields }: Unembedded): string {
  const subjects = Array.isArray(fields.subjects) ? fields.subjects.join(', ') : '';
  const parts = [title, description, subjects, blocksText(fields.blocks, fields.blocks_layout), richText(fields.text)];
  const text = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
  // Cutting may split a character in two, which JSON cannot carry.
  return text.slice(0, MOST_TEXT).toWellFormed();
}
