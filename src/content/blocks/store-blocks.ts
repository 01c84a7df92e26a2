import { sanitizeHtml } from '../../lib/sanitize-html.ts';
import { transformWritten } from './block-transforms.ts';
import './core-transforms.ts';

/**
 * Every string in blocks that may be an internal link, in any of its forms, so that one statement can
 * resolve them all before `storeBlocks`. Throws BadRequest when blocks are nested too deep.
 */
export function collectLinks(blocks: unknown): Set<string> {
  const links = new Set<string>();
  const resolve = (link: string): string => {
    links.add(link);
    return link;
  };
  transformWritten(blocks, { resolve, sanitize: (html) => html });
  return links;
}

/**
 * The blocks that a client sent in the form in which they are stored: internal links as what `resolve`
 * makes of them (the string itself for all others), HTML sanitised. The input is not altered; blocks
 * without anything to change come back as they are. Throws BadRequest when blocks are nested too deep.
 */
export const storeBlocks = (blocks: unknown, resolve: (link: string) => string): unknown =>
  transformWritten(blocks, { resolve, sanitize: sanitizeHtml });
