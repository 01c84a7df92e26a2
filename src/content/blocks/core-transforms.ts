import { BadRequest } from '../../lib/errors.ts';
import { mapKey } from '../../lib/json-object.ts';
import { registerBlockTransform } from './block-transforms.ts';
import { serveReferences, serveTextReferences } from './serve-references.ts';
import { serveTeaser } from './serve-teaser.ts';
import { storeReferences } from './store-references.ts';

// Every type, also slate, slateTable, text and image on writing: their links lie under the common keys.
registerBlockTransform({ blockType: null, order: 1, direction: 'write', transform: storeReferences });
registerBlockTransform({ blockType: null, order: 1, direction: 'read', transform: serveReferences });

registerBlockTransform({ blockType: 'teaser', order: 0, direction: 'read', transform: serveTeaser });

// Rich text comes before the rule for every type, which would add pictures to links in the text.
const RICH_TEXT_KEYS = { slate: 'value', slateTable: 'table', text: 'text', table: 'table' };
for (const [blockType, key] of Object.entries(RICH_TEXT_KEYS)) {
  registerBlockTransform({
    blockType,
    order: 0,
    direction: 'read',
    transform: (block, context) => mapKey(block, key, (text) => serveTextReferences(text, context)),
  });
}

registerBlockTransform({
  blockType: 'html',
  order: 100,
  direction: 'write',
  transform: (block, { sanitize }) =>
    mapKey(block, 'html', (html) => {
      if (typeof html === 'string') return sanitize(html);
      // A browser would join the strings of a list, and with them markup that nobody has cleaned.
      if (typeof html === 'object' && html !== null)
        throw new BadRequest('The html of an html block must be a string.');
      return html;
    }),
});
