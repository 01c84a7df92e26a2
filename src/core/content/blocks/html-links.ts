import { collectHtmlLinks, replaceHtmlLinks } from '../../../lib/text/html-links.ts';
import { parseReference } from './resolve-uid.ts';
import { type FindTarget, serveLink } from './serve-link.ts';

/** Serves stored HTML: references become the present addresses of their targets (see serveLink). */
export const serveHtml = (html: string, targets: FindTarget): string =>
  replaceHtmlLinks(html, (link) => serveLink(link, targets));

/** UIDs that links in stored HTML refer to, for the index of link integrity. */
export function linkedHtmlUids(html: string): Set<string> {
  const uids = new Set<string>();
  for (const link of collectHtmlLinks(html)) {
    const reference = parseReference(link);
    if (reference !== undefined) uids.add(reference.uid);
  }
  return uids;
}
