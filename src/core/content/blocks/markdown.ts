/** Parts of Markdown documents (mdast), for code that writes blocks in Markdown. */
import type { BlockContent, PhrasingContent, TableRow } from '../../types/block.ts';

export type { BlockContent } from '../../types/block.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Schemes that a link may have. `javascript:` and similar schemes run in a program that shows the Markdown as HTML. */
const SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp']);

/** The destination of a link or image, or undefined for an address that must not be linked. */
export function destination(url: string): string | undefined {
  const address = url.replace(CONTROL, '').trim();
  const scheme = /^([a-z][a-z0-9+.-]{0,40}):/i.exec(address.replace(/\s+/g, ''))?.[1]?.toLowerCase();
  if (address === '' || (scheme !== undefined && !SCHEMES.has(scheme))) return undefined;
  return address.replace(/[\s<>()\\]/g, (character) =>
    '()'.includes(character) ? `%${character.charCodeAt(0).toString(16)}` : encodeURIComponent(character),
  );
}

/** A text without the characters that are forbidden in documents. */
export const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROL, '');

/** A text within a paragraph; its newlines are line breaks. */
export const inlineText = (text: string): PhrasingContent[] =>
  cleanText(text)
    .split(/[ \t]*\n\s*/)
    .flatMap((line, index): PhrasingContent[] => [
      ...(index === 0 ? [] : [{ type: 'break' } as const]),
      ...(line === '' ? [] : [{ type: 'text', value: line } as const]),
    ]);

const isSpace = (node: PhrasingContent): boolean =>
  node.type === 'break' || (node.type === 'text' && node.value.trim() === '');

/** Divides inline content into the space at its beginning, the content itself, and the space at its end. */
function withoutSpace(nodes: readonly PhrasingContent[]): Record<'before' | 'inner' | 'after', PhrasingContent[]> {
  const start = nodes.findIndex((node) => !isSpace(node));
  if (start === -1) return { before: [...nodes], inner: [], after: [] };
  const end = nodes.findLastIndex((node) => !isSpace(node)) + 1;
  const inner = nodes.slice(start, end);
  const before = nodes.slice(0, start);
  const after = nodes.slice(end);
  const [first] = inner;
  if (first?.type === 'text' && first.value !== first.value.trimStart()) {
    before.push({ type: 'text', value: first.value.slice(0, first.value.length - first.value.trimStart().length) });
    inner[0] = { ...first, value: first.value.trimStart() };
  }
  const last = inner.at(-1);
  if (last?.type === 'text' && last.value !== last.value.trimEnd()) {
    after.unshift({ type: 'text', value: last.value.slice(last.value.trimEnd().length) });
    inner[inner.length - 1] = { ...last, value: last.value.trimEnd() };
  }
  return { before, inner, after };
}

/** Puts a mark or a link around inline content, but not around the space at its ends, where Markdown ignores marks. */
export function around(
  nodes: readonly PhrasingContent[],
  wrap: (inner: PhrasingContent[]) => PhrasingContent[],
): PhrasingContent[] {
  const { before, inner, after } = withoutSpace(nodes);
  return inner.length === 0 ? before : [...before, ...wrap(inner), ...after];
}

/** A link, or only its content if the address must not be linked. */
export const link = (content: readonly PhrasingContent[], url: string): PhrasingContent[] =>
  destination(url) === undefined
    ? [...content]
    : around(content, (children) => [
        // Markdown has no links within links; slate and blocks have none either.
        { type: 'link', url, children: oneLine(children).filter((node) => node.type !== 'link') },
      ]);

/** An image; nothing if the address must not be linked. */
export const image = (alt: string, url: string): PhrasingContent[] =>
  destination(url) === undefined ? [] : [{ type: 'image', url, alt: cleanText(alt).replace(/\s+/g, ' ').trim() }];

/** The lines of inline content, each without space at its ends; empty ones are left out. */
function linesOf(nodes: readonly PhrasingContent[]): PhrasingContent[][] {
  const lines: PhrasingContent[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'break') lines.push([]);
    else lines.at(-1)?.push(node);
  }
  return lines.map((line) => withoutSpace(line).inner).filter((line) => line.length > 0);
}

/** A paragraph of inline content; nothing when it has no text. */
export function paragraph(nodes: readonly PhrasingContent[]): BlockContent[] {
  const children = linesOf(nodes).flatMap((line, index): PhrasingContent[] =>
    index === 0 ? line : [{ type: 'break' }, ...line],
  );
  return children.length === 0 ? [] : [{ type: 'paragraph', children }];
}

const oneLine = (nodes: readonly PhrasingContent[]): Exclude<PhrasingContent, { type: 'break' }>[] =>
  nodes.map((node) => (node.type === 'break' ? { type: 'text', value: ' ' } : node));

/** A heading of level 1 to 6; nothing when it has no text. */
export function heading(level: number, nodes: readonly PhrasingContent[]): BlockContent[] {
  const { inner } = withoutSpace(oneLine(nodes));
  const depth = ([1, 2, 3, 4, 5, 6] as const).find((known) => known === level) ?? 2;
  return inner.length === 0 ? [] : [{ type: 'heading', depth, children: inner }];
}

/** A fenced code block; `language` is kept if it is a plain word. */
export const codeBlock = (text: string, language = ''): BlockContent[] => [
  { type: 'code', value: cleanText(text).trimEnd(), lang: /^[\w+#.-]{1,30}$/.test(language) ? language : null },
];

/** A GFM table. Without `header` the heading row, which GFM demands, is empty. */
export function table(rows: readonly PhrasingContent[][][], header: boolean): BlockContent[] {
  if (!rows.some((cells) => cells.length > 0)) return [];
  const row = (cells: readonly PhrasingContent[][]): TableRow => ({
    type: 'tableRow',
    children: cells.map((cell) => ({ type: 'tableCell', children: withoutSpace(cell).inner })),
  });
  return [{ type: 'table', children: [...(header ? [] : [row([])]), ...rows.map(row)] }];
}
