const LINK_ATTRIBUTES = new Set(['href', 'src']);

// The patterns are sticky, so each reads on from the end of the last match; none can match one character in two ways.
const TAG = /<[a-z][^\s/>]*/iy;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+))?/y;
const NOT_AN_ATTRIBUTE = /[\s/]*=/y;

const CHARACTERS: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const decode = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS[entity] ?? entity);
const encode = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A link in HTML: its address, and the place of the value of the attribute, with its quotes. */
type HtmlLink = { link: string; start: number; end: number };

function* linksOf(html: string): Generator<HtmlLink> {
  let at = html.indexOf('<');
  while (at !== -1) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end === -1) return;
      at = end;
    }
    const tag = matchAt(TAG, html, at);
    at += tag?.[0].length ?? 1;
    while (tag !== null) {
      const attribute = matchAt(ATTRIBUTE, html, at) ?? matchAt(NOT_AN_ATTRIBUTE, html, at);
      if (attribute === null) break;
      at += attribute[0].length;
      const [, name, value] = attribute;
      if (name === undefined || value === undefined || !LINK_ATTRIBUTES.has(name.toLowerCase())) continue;
      const link = decode(/^["']/.test(value) ? value.slice(1, -1) : value);
      yield { link, start: at - value.length, end: at };
    }
    at = html.indexOf('<', at);
  }
}

/** Replaces the addresses of links in sanitised HTML. The text around them, and all of it when no address changes, stays as written. */
export function replaceHtmlLinks(html: string, change: (link: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { link, start, end } of linksOf(html)) {
    const next = change(link);
    if (next === link) continue;
    parts.push(html.slice(copied, start), `"${encode(next)}"`);
    copied = end;
  }
  return copied === 0 ? html : parts.join('') + html.slice(copied);
}

/** The addresses in the `href` and `src` attributes of HTML. */
export const collectHtmlLinks = (html: string): Set<string> => new Set(Array.from(linksOf(html), ({ link }) => link));
