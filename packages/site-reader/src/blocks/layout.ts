import { createHash } from 'node:crypto';
import type { VoltoBlock } from './blocks.ts';

/** Length of the ids of blocks: they need to differ within one object only. */
const ID_LENGTH = 16;

/** The blocks of an object, as its fields hold them. */
export type BlockFields = { blocks: Record<string, VoltoBlock>; blocks_layout: { items: string[] } };

/**
 * Gives each block an id that is made of what it holds. What stays as it is keeps its id in a newer source, wherever it stands, so
 * that an import again merges edits of different blocks.
 */
export function blockFields(blocks: readonly VoltoBlock[]): BlockFields {
  const seen = new Map<string, number>();
  const entries = blocks.map((block) => {
    const text = JSON.stringify(block);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    const id = createHash('sha256').update(`${count} ${text}`).digest('hex').slice(0, ID_LENGTH);
    return [id, block] as const;
  });
  return { blocks: Object.fromEntries(entries), blocks_layout: { items: entries.map(([id]) => id) } };
}
