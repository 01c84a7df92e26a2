/** Slate values, as Volto's editor stores them, in Markdown (mdast): trees of `{ type, children }` and `{ text }`. */
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { BlockContent, MarkdownContext, PhrasingContent } from '../../types/block.ts';
import { around, cleanText, codeBlock, heading, inlineText, link, paragraph, table } from './markdown.ts';

type ResolveUrl = MarkdownContext['resolveUrl'];

/** Nodes below this depth are left out: no editor makes such nodes, and each level costs a stack frame. */
const DEPTH_LIMIT = 60;

const HEADINGS = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]));
const BLOCKS = new Set([...HEADINGS.keys(), 'p', 'ul', 'ol', 'li', 'lic', 'blockquote', 'pre', 'hr', 'table', 'div']);

type Wrap = (children: PhrasingContent[]) => PhrasingContent[];

const strong: Wrap = (children) => [{ type: 'strong', children }];
const emphasis: Wrap = (children) => [{ type: 'emphasis', children }];
const deleted: Wrap = (children) => [{ type: 'delete', children }];
/** Returns a function that wraps content in an HTML element, for marks that Markdown does not have. */
const tag =
  (name: 'sub' | 'sup'): Wrap =>
  (children) => [{ type: 'html', value: `<${name}>` }, ...children, { type: 'html', value: `</${name}>` }];

/** Marks around the text of an element; the aliases come from pasted text. */
const MARKS = new Map<unknown, Wrap>([
  ['strong', strong],
  ['b', strong],
  ['em', emphasis],
  ['i', emphasis],
  ['del', deleted],
  ['s', deleted],
  ['sub', tag('sub')],
  ['sup', tag('sup')],
]);

const nodesOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

const isBlock = (node: JsonObject): boolean => typeof node.type === 'string' && BLOCKS.has(node.type);

function plainText(nodes: JsonObject[], depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  return nodes
    .map((node) => (typeof node.text === 'string' ? node.text : plainText(nodesOf(node.children), depth + 1)))
    .join('');
}

/** Joins neighbours with the same marks, because adjacent marks would cancel each other (`**a****b**`). */
function joinMarks(nodes: JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  let run: { type: unknown; children: JsonObject[] } | undefined;
  for (const node of nodes) {
    if (node.text === '') continue;
    if (run && MARKS.has(node.type) && run.type === node.type) {
      for (const child of nodesOf(node.children)) run.children.push(child);
      continue;
    }
    run = MARKS.has(node.type) ? { type: node.type, children: [...nodesOf(node.children)] } : undefined;
    joined.push(run ?? node);
  }
  return joined;
}

/** The address that a link element holds. */
function linkUrl(node: JsonObject): string {
  const url = isJsonObject(node.data) ? (node.data.url ?? node.url) : node.url;
  return typeof url === 'string' ? url : '';
}

function inline(nodes: JsonObject[], resolveUrl: ResolveUrl, depth: number): PhrasingContent[] {
  if (depth > DEPTH_LIMIT) return [];
  return joinMarks(nodes).flatMap((node): PhrasingContent[] => {
    if (typeof node.text === 'string') return inlineText(node.text);
    const children = nodesOf(node.children);
    if (node.type === 'code') {
      const value = cleanText(plainText(children, depth + 1)).replace(/\n+/g, ' ');
      return value === '' ? [] : [{ type: 'inlineCode', value }];
    }
    const inner = inline(children, resolveUrl, depth + 1);
    if (node.type === 'link' || node.type === 'a') {
      const url = resolveUrl(linkUrl(node));
      return url === undefined ? inner : link(inner, url);
    }
    const wrap = MARKS.get(node.type);
    return wrap ? around(inner, wrap) : inner;
  });
}

/** The blocks among nodes; inline nodes between them make paragraphs. */
function blocksOf(nodes: JsonObject[], resolveUrl: ResolveUrl, depth: number): BlockContent[] {
  if (depth > DEPTH_LIMIT) return [];
  const found: BlockContent[] = [];
  let run: JsonObject[] = [];
  const closeRun = (): void => {
    found.push(...paragraph(inline(run, resolveUrl, depth)));
    run = [];
  };
  for (const node of nodes) {
    if (!isBlock(node) && !nodesOf(node.children).some(isBlock)) run.push(node);
    else {
      closeRun();
      for (const block of blockNodes(node, resolveUrl, depth + 1)) found.push(block);
    }
  }
  closeRun();
  return found;
}

/** Says if an item can be written without blank lines: it has paragraphs, then nested lists. */
function isTight(content: readonly BlockContent[]): boolean {
  const lists = content.findIndex(({ type }) => type === 'list');
  const rest = lists === -1 ? [] : content.slice(lists);
  const first = lists === -1 ? content : content.slice(0, lists);
  return first.every(({ type }) => type === 'paragraph') && rest.every(({ type }) => type === 'list');
}

function listOf(node: JsonObject, resolveUrl: ResolveUrl, depth: number): BlockContent[] {
  const items: BlockContent[][] = [];
  for (const child of nodesOf(node.children)) {
    const nested = child.type === 'ul' || child.type === 'ol';
    const content = nested
      ? blocksOf([child], resolveUrl, depth)
      : blocksOf(nodesOf(child.children), resolveUrl, depth);
    // Volto puts a nested list beside the item that it belongs to.
    const last = items.at(-1);
    if (nested && last) for (const block of content) last.push(block);
    else items.push(content);
  }
  if (items.length === 0) return [];
  const ordered = node.type === 'ol';
  return [
    {
      type: 'list',
      ordered,
      spread: false,
      ...(ordered && { start: 1 }),
      children: items.map((children) => ({ type: 'listItem', spread: !isTight(children), children })),
    },
  ];
}

function tableOf(node: JsonObject, resolveUrl: ResolveUrl, depth: number): BlockContent[] {
  const rowsOf = (nodes: JsonObject[]): JsonObject[] =>
    nodes.flatMap((child) =>
      child.type === 'tr' ? [child] : nodesOf(child.children).filter(({ type }) => type === 'tr'),
    );
  const rows = rowsOf(nodesOf(node.children)).map((row) => nodesOf(row.children));
  const header = rows[0]?.every((cell) => cell.type === 'th') ?? false;
  return table(
    rows.map((cells) => cells.map((cell) => cellOf(nodesOf(cell.children), resolveUrl, depth))),
    header,
  );
}

/** The content of a table cell: its paragraphs as lines, without other blocks' markup. */
function cellOf(nodes: JsonObject[], resolveUrl: ResolveUrl, depth: number): PhrasingContent[] {
  if (depth > DEPTH_LIMIT) return [];
  if (!nodes.some(isBlock)) return inline(nodes, resolveUrl, depth);
  return nodes
    .map((node) =>
      isBlock(node) ? cellOf(nodesOf(node.children), resolveUrl, depth + 1) : inline([node], resolveUrl, depth),
    )
    .filter((line) => line.length > 0)
    .flatMap((line, index): PhrasingContent[] => (index === 0 ? line : [{ type: 'break' }, ...line]));
}

function blockNodes(node: JsonObject, resolveUrl: ResolveUrl, depth: number): BlockContent[] {
  const children = nodesOf(node.children);
  const level = typeof node.type === 'string' ? HEADINGS.get(node.type) : undefined;
  if (level !== undefined) return heading(level, inline(children, resolveUrl, depth));
  if (node.type === 'ul' || node.type === 'ol') return listOf(node, resolveUrl, depth);
  if (node.type === 'pre') return codeBlock(plainText(children, depth));
  if (node.type === 'hr') return [{ type: 'thematicBreak' }];
  if (node.type === 'table') return tableOf(node, resolveUrl, depth);
  const inner = blocksOf(children, resolveUrl, depth);
  if (node.type !== 'blockquote' || inner.length === 0) return inner;
  return [{ type: 'blockquote', children: inner }];
}

/** Writes the value of a slate block. Values of another form are skipped. */
export const slateMarkdown = (value: unknown, resolveUrl: ResolveUrl): BlockContent[] =>
  blocksOf(nodesOf(value), resolveUrl, 0);

/** A table cell that holds a slate value. */
export const slateCell = (value: unknown, resolveUrl: ResolveUrl): PhrasingContent[] =>
  cellOf(nodesOf(value), resolveUrl, 0);
