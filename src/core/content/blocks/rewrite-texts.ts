import { isJsonObject, mapItems, mapValues } from '../../../lib/json-object.ts';
import type { TextRewriter } from '../../types/field-kind.ts';
import { isLinkKey } from './resolve-uid.ts';
import { checkDepth } from './walk.ts';

/** Keys of blocks whose strings are texts for readers, with any prefix (such as `button_text`). */
const TEXT_KEY =
  /(?:text|title|description|heading|headline|caption|label|alt|credits?|kicker|subtitle|placeholder|quote|author|question|answer|message|summary|legend|copyright|button)$/i;
/** Keys whose strings are for programs, even if the strings look like texts. */
const NO_TEXT_KEY =
  /(?:^@|id$|uids?$|type$|class(?:name)?s?$|styles?$|color$|theme$|variation$|format$|field_?name$|image_field$)/i;

/** Says if a string in a block is a text, by its key or because it has several words. */
const isText = (key: string, value: string): boolean =>
  !NO_TEXT_KEY.test(key) && (TEXT_KEY.test(key) || /\S\s+\S/.test(value));

function rewritten(value: unknown, key: string, rewriter: TextRewriter, depth: number): unknown {
  checkDepth(depth);
  if (typeof value === 'string') {
    if (isLinkKey(key)) return rewriter.address(value);
    if (key === 'html') return rewriter.html(value);
    return isText(key, value) ? rewriter.text(value) : value;
  }
  if (Array.isArray(value)) return mapItems(value, (item) => rewritten(item, key, rewriter, depth + 1));
  if (!isJsonObject(value) || typeof value['@id'] === 'string') return value;
  return mapValues(value, (item, name) => rewritten(item, name, rewriter, depth + 1));
}

/**
 * Rewrites the texts, HTML and addresses of stored blocks. Copies of other content (objects with an `@id`) stay as they are. Returns
 * the blocks themselves when nothing changes. Throws BadRequest for blocks that are nested too deep.
 */
export const rewriteBlocks = (blocks: unknown, rewriter: TextRewriter): unknown => rewritten(blocks, '', rewriter, 0);
