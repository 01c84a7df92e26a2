import { isObject } from './json.ts';
import { uidOf } from './paths.ts';

/** Maximum depth of values that are searched. */
const MAX_DEPTH = 100;
/** Attributes of HTML with links. */
const ATTRIBUTE = /(\s(?:href|src)=)("([^"]*)"|'([^']*)')/gi;
/** Members of JSON whose text is HTML; a text by itself is HTML, too. */
const HTML = new Set(['data', 'html', '']);
/** Members of blocks and fields whose text is an address. */
const LINKS = new Set([
  'url',
  'href',
  '@id',
  'download',
  'remoteUrl',
  'getRemoteUrl',
  'preview_image',
  'linkHref',
  'link_url',
]);

const asText = (link: string): string => link.replaceAll('&amp;', '&');
const asAttribute = (link: string): string => link.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Returns HTML with its links changed. */
const mapHtmlLinks = (html: string, change: (link: string) => string): string =>
  html.replace(ATTRIBUTE, (_, name: string, _quoted, double?: string, single?: string) => {
    const link = asText(double ?? single ?? '');
    return `${name}"${asAttribute(change(link))}"`;
  });

/** Returns a copy of a value of JSON (content, blocks, a field) with its links changed. */
export function mapLinks(value: unknown, change: (link: string) => string, member = '', depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  if (typeof value === 'string') {
    if (LINKS.has(member)) return change(value);
    return HTML.has(member) ? mapHtmlLinks(value, change) : value;
  }
  if (Array.isArray(value)) return value.map((item) => mapLinks(item, change, member, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapLinks(one, change, name, depth + 1)]));
}

/** The UIDs in links of a value. */
export function uidsIn(value: unknown): Set<string> {
  const uids = new Set<string>();
  mapLinks(value, (link) => {
    const named = uidOf(link);
    if (named) uids.add(named.uid);
    return link;
  });
  return uids;
}
