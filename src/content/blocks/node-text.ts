import { isJsonObject } from '../../lib/json-object.ts';
import { checkDepth } from './depth-limit.ts';

/**
 * The text of slate or plate nodes. Inline nodes join without a gap (`<b>W</b>ord` is one word): those
 * with plain text among their siblings. All others are paragraphs, items or cells, and are set apart.
 */
export function nodeText(nodes: unknown, depth = 0): string {
  checkDepth(depth);
  if (!Array.isArray(nodes)) return '';
  const inline = nodes.some((node) => isJsonObject(node) && typeof node.text === 'string');
  const texts = nodes.map((node) => {
    if (!isJsonObject(node)) return '';
    return typeof node.text === 'string' ? node.text : nodeText(node.children, depth + 1);
  });
  return texts.join(inline ? '' : ' ');
}
