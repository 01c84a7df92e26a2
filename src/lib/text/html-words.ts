/** Named characters that occur in texts; others stay unchanged. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
};

/** Elements within words, whose tags are not replaced by spaces. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
);

/** Elements whose content is no text for readers. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript']);

/** A tag, a comment or a declaration; any other `<` is text, as in `a < b`. */
const TAG = /^<(?:\/?([a-z][a-z0-9:._-]{0,40})|[!?/])/i;
const ALT = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** Maximum number of characters of one tag that are read. */
const MAX_TAG_LENGTH = 10_000;

function character(whole: string, name: string): string {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
}

const decoded = (text: string): string =>
  text.includes('&') ? text.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi, character) : text;

/** The index of the end tag of a hidden element, or the end of the text. */
function endOfHidden(lower: string, name: string, from: number): number {
  const end = lower.indexOf(`</${name}`, from);
  return end === -1 ? lower.length : end;
}

/** Rules for the words of a markup: the meaning of its elements, by their names in small letters. */
export type MarkupRules = {
  /** True if the element occurs within words, so that no space replaces its tags. */
  isInline(name: string): boolean;
  /** True if its content is no text for readers. */
  isHidden(name: string): boolean;
};

const HTML: MarkupRules = { isInline: (name) => INLINE.has(name), isHidden: (name) => HIDDEN.has(name) };

/**
 * The words of HTML for a full-text index: its texts, with the alternative texts of pictures, without scripts and styles. Blocks are separated by
 * spaces; inline elements are not, so that `<b>W</b>ord` is one word. It takes any text, in linear time.
 */
export const htmlWords = (html: string): string => markupWords(html, HTML);

/** The words of XML or HTML by the rules of its elements, see `htmlWords`. Entities that a document itself declares are left as text. */
export function markupWords(markup: string, { isInline, isHidden }: MarkupRules): string {
  if (!markup.includes('<')) return decoded(markup);
  const lower = markup.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  while (at < markup.length) {
    const open = markup.indexOf('<', at);
    if (open === -1) {
      parts.push(decoded(markup.slice(at)));
      break;
    }
    parts.push(decoded(markup.slice(at, open)));
    if (markup.startsWith('<!--', open)) {
      const end = markup.indexOf('-->', open);
      at = end === -1 ? markup.length : end + 3;
      continue;
    }
    const begun = TAG.exec(markup.slice(open, open + 50));
    if (!begun) {
      parts.push('<');
      at = open + 1;
      continue;
    }
    const name = begun[1]?.toLowerCase();
    const close = markup.indexOf('>', open);
    at = close === -1 ? markup.length : close + 1;
    const tag = markup.slice(open, Math.min(at, open + MAX_TAG_LENGTH));
    const isAlone = tag.startsWith('</') || markup[close - 1] === '/';
    if (name !== undefined && isHidden(name) && !isAlone) at = endOfHidden(lower, name, at);
    const alt = name === 'img' ? ALT.exec(tag) : null;
    if (alt) parts.push(` ${decoded(alt[1] ?? alt[2] ?? '')} `);
    else if (name === undefined || !isInline(name)) parts.push(' ');
  }
  return parts.join('');
}
