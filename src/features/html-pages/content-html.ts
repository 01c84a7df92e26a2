/** The blocks and rich texts of content as HTML. */

import { toHtml } from 'hast-util-to-html';
import { toHast } from 'mdast-util-to-hast';
import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { sanitizeHtml } from '#lib/text/sanitize-html';
import { absoluteUrl, blockContent } from '../exports/markdown.ts';
import type { Frame } from './frame.ts';
import { type Html, html, safePart } from './html.ts';
import { localUrl } from './visit.ts';

/** Maximum characters of HTML in one part of a page. Longer HTML is shown as its text, up to the same length. */
const MAX_HTML_LENGTH = 300_000;

const plain = (source: string): Html =>
  html`<p class="plain">${source.replace(/<[^<>]{0,5000}>/g, ' ').slice(0, MAX_HTML_LENGTH)}</p>`;

/** Stored HTML, sanitized once more: HTML from an import or an older program may be unsafe. */
export function richText(source: string): Html {
  if (source.length > MAX_HTML_LENGTH) return plain(source);
  try {
    return safePart(sanitizeHtml(source), 'rich');
  } catch (error) {
    if (error instanceof BadRequest) return plain(source);
    throw error;
  }
}

/** The blocks of a representation, without the blocks for title and description, which the page shows itself; empty without blocks. */
export function blocksHtml({ visit }: Frame, representation: JsonObject): Html {
  const { blocks, blocks_layout } = representation;
  if (!isJsonObject(blocks)) return null;
  const { base } = visit.address;
  const address = typeof representation['@id'] === 'string' ? representation['@id'] : base;
  const children = blockContent(
    {
      registry: visit.kernel.blocks,
      title: '',
      blocks,
      blocks_layout,
      resolveUrl(url) {
        const absolute = absoluteUrl(url, base, address);
        return absolute === undefined ? undefined : localUrl(visit, absolute);
      },
    },
    (source, isBeyondLimit) =>
      isBeyondLimit
        ? [{ type: 'paragraph', children: [{ type: 'text', value: source.replace(/<[^<>]{0,5000}>/g, ' ') }] }]
        : [{ type: 'html', value: source }],
  );
  if (children.length === 0) return null;
  return richText(
    toHtml(toHast({ type: 'root', children }, { allowDangerousHtml: true }), { allowDangerousHtml: true }),
  );
}
