import {
  type BlockContext,
  type HtmlElement,
  type HtmlNode,
  htmlBlocks,
  isElement,
  isTooDeep,
  relinked,
  textOf,
  type VoltoBlock,
} from '@canopy-server/site-reader';
import type { Nodes as HastNodes } from 'hast';
import { raw } from 'hast-util-raw';
import { toHtml } from 'hast-util-to-html';
import type { Nodes as MarkdownNodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';

/** Receives the links of a text, and the parts that have another form as blocks. */
export type TextContext = {
  link(url: string): string;
  code: BlockContext['code'];
  /** Called with the name of an element that becomes a block of HTML. */
  onHtml(element: string): void;
  /** Called with the name of an element of which the text alone is kept. */
  onFlattened(element: string): void;
  onShortcode(code: string): void;
  onComment(): void;
  /** Called for a text whose elements are too deep in each other. */
  onTooDeep(): void;
};

export type ConvertedText = {
  /** The first heading of the first level, where it begins the text. */
  heading: string | undefined;
  blocks: VoltoBlock[];
};

/** References of Hugo to other pages, which are links. */
const REFERENCE = /\{\{[<%]\s*(?:rel)?ref\s+"([^"\n]{1,500})"\s*[>%]\}\}/g;

/** Codes of generators for what Markdown does not have: `{{< youtube … >}}`, `{% include … %}`, `:::note`. */
const SHORTCODE = /\{\{[<%]\s*\/?([\w./-]{1,60})|\{%-?\s*(\w{1,60})|^:::+\s*([a-z][\w-]{0,60})/gm;

const isDeep = (root: MarkdownNodes, limit: number): boolean => {
  let level: readonly MarkdownNodes[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  return false;
};

/** Levels of blocks in each other that are converted. */
const MAX_MARKDOWN_DEPTH = 100;

/** A line that begins with more levels of quotes and lists than are converted: to parse it takes time with their square. */
const TOO_DEEP_LINE = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){200}/m;

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Nodes as they are shown by HTML. */
const writeHtml = (nodes: readonly HtmlNode[], link: (url: string) => string): string =>
  relinked(nodes, link)
    .map((tree: unknown) => (isTree(tree) ? toHtml(tree) : ''))
    .join('');

const isTree = (node: unknown): node is HastNodes => typeof node === 'object' && node !== null && 'type' in node;

const hasComment = (nodes: readonly HtmlNode[]): boolean =>
  nodes.some((node) => node.type === 'comment' || (node.type === 'element' && hasComment(node.children)));

/** Text outside of code, where codes of generators count. */
function plainTexts(node: MarkdownNodes): string[] {
  if (node.type === 'code' || node.type === 'inlineCode') return [];
  if ('children' in node) return node.children.flatMap(plainTexts);
  return 'value' in node && typeof node.value === 'string' ? [node.value] : [];
}

function noteCodes(tree: MarkdownNodes, onShortcode: TextContext['onShortcode']): void {
  for (const text of plainTexts(tree))
    for (const [, first, second, third] of text.matchAll(SHORTCODE)) onShortcode(first ?? second ?? third ?? '');
}

/** A text as HTML; undefined when elements in its HTML are so deep in each other that the parser has no stack for them. */
function htmlTree(tree: MarkdownNodes): HastNodes | undefined {
  try {
    return raw(toHast(tree, { allowDangerousHtml: true }));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Converts a text of Markdown (GFM, with HTML in it) to blocks. */
export function convertText(body: string, context: TextContext): ConvertedText {
  const asSource = (): ConvertedText => {
    context.onTooDeep();
    return { heading: undefined, blocks: [{ '@type': 'html', html: `<pre>${escaped(body)}</pre>` }] };
  };
  if (TOO_DEEP_LINE.test(body)) return asSource();
  const tree = fromMarkdown(
    body.replace(REFERENCE, (_, page: string) => encodeURI(page)),
    {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    },
  );
  if (isDeep(tree, MAX_MARKDOWN_DEPTH)) return asSource();
  noteCodes(tree, context.onShortcode);
  const html = htmlTree(tree);
  if (html === undefined) return asSource();
  const nodes: readonly HtmlNode[] = 'children' in html ? html.children : [];
  if (isTooDeep(nodes)) return asSource();
  if (hasComment(nodes)) context.onComment();
  const start = nodes.findIndex((node) => isElement(node));
  const first: HtmlNode | undefined = nodes[start];
  const title: HtmlElement | undefined = first && isElement(first, 'h1') ? first : undefined;
  const rest = title ? nodes.filter((node) => node !== title) : nodes;
  const blocks = htmlBlocks(rest, { ...context, toHtml: (part) => writeHtml(part, context.link) });
  if (title === undefined) return { heading: undefined, blocks };
  return { heading: textOf([title]).replace(/\s+/g, ' ').trim() || undefined, blocks };
}
