/** Markdown of Slate values, as Volto's editor stores them: trees of `{ type, children }` and `{ text }`. */
import {
  codeBlock,
  codeSpan,
  emphasis,
  escapeInline,
  heading,
  indent,
  link,
  paragraph,
  table,
} from './markdown-text.ts';

/** The absolute address of a link's target, or undefined when the reader must not learn of it. */
export type ResolveUrl = (url: string) => string | undefined;

type Node = { text?: unknown; type?: unknown; children?: unknown; data?: unknown; url?: unknown };

/** Nodes below this depth are left out: no editor makes them, and each costs a stack frame. */
const DEPTH_LIMIT = 60;

const HEADINGS = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]));
const BLOCKS = new Set([...HEADINGS.keys(), 'p', 'ul', 'ol', 'li', 'lic', 'blockquote', 'pre', 'hr', 'table', 'div']);

/** Marks around the text of an element; aliases are what pasted text brings along. */
const MARKS = new Map<unknown, [open: string, close: string]>([
  ['strong', ['**', '**']],
  ['b', ['**', '**']],
  ['em', ['*', '*']],
  ['i', ['*', '*']],
  ['del', ['~~', '~~']],
  ['s', ['~~', '~~']],
  ['sub', ['<sub>', '</sub>']],
  ['sup', ['<sup>', '</sup>']],
]);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const isBlock = (node: Node): boolean => typeof node.type === 'string' && BLOCKS.has(node.type);

function plainText(nodes: Node[], depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  return nodes
    .map((node) => (typeof node.text === 'string' ? node.text : plainText(nodesOf(node.children), depth + 1)))
    .join('');
}

/** Joins neighbours with the same marks, whose marks would otherwise meet and cancel each other (`**a****b**`). */
function joinMarks(nodes: Node[]): Node[] {
  const joined: Node[] = [];
  let run: { type: unknown; children: Node[] } | undefined;
  for (const node of nodes) {
    if (node.text === '') continue;
    if (run && MARKS.has(node.type) && run.type === node.type) {
      run.children.push(...nodesOf(node.children));
      continue;
    }
    run = MARKS.has(node.type) ? { type: node.type, children: [...nodesOf(node.children)] } : undefined;
    joined.push(run ?? node);
  }
  return joined;
}

/** The address that a link element holds. */
function linkUrl(node: Node): string {
  const url = isNode(node.data) ? (node.data.url ?? node.url) : node.url;
  return typeof url === 'string' ? url : '';
}

function inline(nodes: Node[], resolveUrl: ResolveUrl, depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  let out = '';
  for (const node of joinMarks(nodes)) {
    if (typeof node.text === 'string') {
      out += escapeInline(node.text);
      continue;
    }
    const children = nodesOf(node.children);
    if (node.type === 'code') {
      out += codeSpan(plainText(children, depth + 1));
      continue;
    }
    const inner = inline(children, resolveUrl, depth + 1);
    const [open, close] = MARKS.get(node.type) ?? ['', ''];
    if (node.type === 'link' || node.type === 'a') {
      const url = resolveUrl(linkUrl(node));
      const linked = url === undefined ? inner : link(inner, url);
      // An exclamation mark before a link would make it an image.
      out = out.endsWith('!') && linked.startsWith('[') ? `${out.slice(0, -1)}\\!${linked}` : out + linked;
    } else out += emphasis(open, inner, close);
  }
  return out;
}

type Part = { markdown: string; list: boolean };

/** The blocks among nodes; inline nodes between them make paragraphs. */
function parts(nodes: Node[], resolveUrl: ResolveUrl, depth: number): Part[] {
  if (depth > DEPTH_LIMIT) return [];
  const found: Part[] = [];
  let run: Node[] = [];
  const closeRun = (): void => {
    found.push({ markdown: paragraph(inline(run, resolveUrl, depth)), list: false });
    run = [];
  };
  for (const node of nodes) {
    const wraps = isBlock(node) || nodesOf(node.children).some(isBlock);
    if (!wraps) run.push(node);
    else {
      closeRun();
      found.push(...blockParts(node, resolveUrl, depth + 1));
    }
  }
  closeRun();
  return found.filter((part) => part.markdown !== '');
}

const joinParts = (list: Part[]): string =>
  list.map((part, index) => (index === 0 ? '' : part.list ? '\n' : '\n\n') + part.markdown).join('');

function listMarkdown(node: Node, resolveUrl: ResolveUrl, depth: number): string {
  const items: Part[][] = [];
  for (const child of nodesOf(node.children)) {
    const nested = child.type === 'ul' || child.type === 'ol';
    const content = nested ? parts([child], resolveUrl, depth) : parts(nodesOf(child.children), resolveUrl, depth);
    // Volto puts a nested list beside the item that it belongs to.
    if (nested && items.length > 0) items.at(-1)?.push(...content);
    else items.push(content);
  }
  return items
    .map((content, index) => {
      const marker = node.type === 'ol' ? `${index + 1}. ` : '- ';
      return indent(joinParts(content), marker, ' '.repeat(marker.length)).trimEnd();
    })
    .join('\n');
}

function tableMarkdown(node: Node, resolveUrl: ResolveUrl, depth: number): string {
  const rowsOf = (nodes: Node[]): Node[] =>
    nodes.flatMap((child) =>
      child.type === 'tr' ? [child] : nodesOf(child.children).filter(({ type }) => type === 'tr'),
    );
  const rows = rowsOf(nodesOf(node.children)).map((row) => nodesOf(row.children));
  const header = rows[0]?.every((cell) => cell.type === 'th') ?? false;
  return table(
    rows.map((cells) => cells.map((cell) => cellMarkdown(nodesOf(cell.children), resolveUrl, depth))),
    header,
  );
}

/** The content of a table cell: its paragraphs as lines, without other blocks' markup. */
function cellMarkdown(nodes: Node[], resolveUrl: ResolveUrl, depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  if (!nodes.some(isBlock)) return inline(nodes, resolveUrl, depth);
  return nodes
    .map((node) =>
      isBlock(node) ? cellMarkdown(nodesOf(node.children), resolveUrl, depth + 1) : inline([node], resolveUrl, depth),
    )
    .filter((line) => line !== '')
    .join('\n');
}

function blockParts(node: Node, resolveUrl: ResolveUrl, depth: number): Part[] {
  const children = nodesOf(node.children);
  const one = (markdown: string, list = false): Part[] => [{ markdown, list }];
  const level = typeof node.type === 'string' ? HEADINGS.get(node.type) : undefined;
  if (level !== undefined) return one(heading(level, inline(children, resolveUrl, depth)));
  if (node.type === 'ul' || node.type === 'ol') return one(listMarkdown(node, resolveUrl, depth), true);
  if (node.type === 'pre') return one(codeBlock(plainText(children, depth)));
  if (node.type === 'hr') return one('---');
  if (node.type === 'table') return one(tableMarkdown(node, resolveUrl, depth));
  const inner = parts(children, resolveUrl, depth);
  if (node.type !== 'blockquote') return inner;
  return inner.length === 0 ? [] : one(indent(joinParts(inner), '> ', '> '));
}

/** Markdown of the value of a slate block. What is no Slate value is skipped. */
export function slateMarkdown(value: unknown, resolveUrl: ResolveUrl): string {
  return parts(nodesOf(value), resolveUrl, 0)
    .map((part) => part.markdown)
    .join('\n\n');
}

/** Markdown of a table cell that holds a Slate value, for within one line of a table. */
export function slateCellMarkdown(value: unknown, resolveUrl: ResolveUrl): string {
  return cellMarkdown(nodesOf(value), resolveUrl, 0);
}
