import {
  hasPicture,
  type InlineContext,
  isInline,
  onlyPicture,
  type SlateInline,
  slateInline,
  slateText,
} from './inline.ts';
import { attribute, type HtmlElement, type HtmlNode, isBlank, isElement, textOf } from './tree.ts';

/** A block as Volto stores it. */
export type VoltoBlock = { '@type': string } & Record<string, unknown>;

/** Parts of the conversion that a reader gives. */
export type BlockContext = InlineContext & {
  /** Writes nodes as HTML, with links as they are stored. */
  toHtml(nodes: readonly HtmlNode[]): string;
  /** Called with the name of an element that is kept as a block of HTML. */
  onHtml(element: string): void;
  /** `html` makes blocks of HTML of code, which every front end shows; `block` the block codeBlock, which keeps the language. */
  code: 'html' | 'block';
};

type SlateNode = { type: string; children: (SlateInline | SlateNode)[] };

/** Elements around others that mean nothing by themselves. */
const AROUND = new Set(['article', 'aside', 'body', 'div', 'footer', 'header', 'html', 'main', 'nav', 'section']);

const slate = (type: string, children: SlateInline[]): VoltoBlock => ({
  '@type': 'slate',
  value: [{ type, children }],
  plaintext: slateText(children).trim(),
});

/** A block of HTML, which is reported under the name of its first element. */
function htmlBlock(nodes: readonly HtmlNode[], context: BlockContext): VoltoBlock[] {
  const html = context.toHtml(nodes).trim();
  if (html === '') return [];
  const first = nodes.find((node) => isElement(node));
  context.onHtml(first && isElement(first) ? first.tagName : 'text');
  return [{ '@type': 'html', html }];
}

function imageBlock(picture: HtmlElement, href: string, context: BlockContext): VoltoBlock {
  const title = attribute(picture, 'title');
  return {
    '@type': 'image',
    url: context.link(attribute(picture, 'src')),
    alt: attribute(picture, 'alt'),
    ...(title === '' ? {} : { title }),
    ...(href === '' ? {} : { href: [{ '@id': context.link(href) }] }),
  };
}

/** The blocks of a line of text: pictures in it stand between its parts. */
function paragraphBlocks(nodes: readonly HtmlNode[], context: BlockContext, type = 'p'): VoltoBlock[] {
  const parts: (HtmlNode[] | { picture: HtmlElement; href: string })[] = [[]];
  for (const node of nodes) {
    const picture = onlyPicture([node]);
    const last = parts.at(-1);
    if (picture) parts.push(picture, []);
    else if (Array.isArray(last)) last.push(node);
  }
  return parts.flatMap((part): VoltoBlock[] => {
    if (!Array.isArray(part)) return [imageBlock(part.picture, part.href, context)];
    if (part.every(isBlank)) return [];
    const children = hasPicture(part) ? undefined : slateInline(part, context);
    if (children === undefined)
      return htmlBlock([{ type: 'element', tagName: type, properties: {}, children: part }], context);
    return slateText(children).trim() === '' ? [] : [slate(type, children)];
  });
}

/** Lines of text in an element that has paragraphs or text alone; undefined for any other. */
function lines(element: HtmlElement, context: BlockContext): SlateInline[] | undefined {
  const parts: HtmlNode[] = [];
  for (const node of element.children) {
    if (isElement(node, 'p', 'div')) {
      if (parts.some((part) => !isBlank(part)))
        parts.push({ type: 'element', tagName: 'br', properties: {}, children: [] });
      parts.push(...node.children);
    } else if (isInline(node)) parts.push(node);
    else return undefined;
  }
  return hasPicture(parts) ? undefined : slateInline(parts, context);
}

/** A list in slate, in which a nested list stands beside its item; undefined when it holds something else. */
function slateList(list: HtmlElement, context: BlockContext): SlateNode | undefined {
  if (attribute(list, 'start') !== '' && attribute(list, 'start') !== '1') return undefined;
  const children: (SlateInline | SlateNode)[] = [];
  for (const item of list.children) {
    if (isBlank(item)) continue;
    if (!isElement(item, 'li')) return undefined;
    const nested = item.children.filter((node) => isElement(node, 'ul', 'ol'));
    // Text behind a nested list would come before it.
    const at = item.children.findIndex((node) => isElement(node, 'ul', 'ol'));
    const rest = item.children.filter((node) => !isElement(node, 'ul', 'ol'));
    if (at !== -1 && item.children.slice(at).some((node) => !isBlank(node) && !isElement(node, 'ul', 'ol')))
      return undefined;
    const text = lines({ ...item, children: rest }, context);
    if (text === undefined) return undefined;
    children.push({ type: 'li', children: text });
    for (const node of nested) {
      const inner = isElement(node) ? slateList(node, context) : undefined;
      if (inner === undefined) return undefined;
      children.push(inner);
    }
  }
  return children.length === 0 ? undefined : { type: list.tagName, children };
}

const nodeText = (node: SlateInline | SlateNode): string =>
  'text' in node ? node.text : node.children.map(nodeText).join(node.type === 'ul' || node.type === 'ol' ? '\n' : '');

function listBlock(list: HtmlElement, context: BlockContext): VoltoBlock[] {
  const value = slateList(list, context);
  return value === undefined
    ? htmlBlock([list], context)
    : [{ '@type': 'slate', value: [value], plaintext: nodeText(value).trim() }];
}

/** A table as the block of Volto; undefined when cells span others or hold more than lines of text. */
function tableRows(table: HtmlElement, context: BlockContext): Record<string, unknown>[] | undefined {
  const sections = table.children.flatMap((node) =>
    isElement(node, 'thead', 'tbody', 'tfoot') ? node.children : [node],
  );
  const rows: Record<string, unknown>[] = [];
  for (const row of sections) {
    if (isBlank(row)) continue;
    if (!isElement(row, 'tr')) return undefined;
    const cells: Record<string, unknown>[] = [];
    for (const cell of row.children) {
      if (isBlank(cell)) continue;
      if (!isElement(cell, 'td', 'th') || attribute(cell, 'colSpan') !== '' || attribute(cell, 'rowSpan') !== '')
        return undefined;
      const children = lines(cell, context);
      if (children === undefined) return undefined;
      const type = cell.tagName === 'th' ? 'header' : 'data';
      cells.push({ key: `r${rows.length}c${cells.length}`, type, value: [{ type: 'p', children }] });
    }
    rows.push({ key: `r${rows.length}`, cells });
  }
  return rows.length === 0 ? undefined : rows;
}

function tableBlock(table: HtmlElement, context: BlockContext): VoltoBlock[] {
  const rows = tableRows(table, context);
  if (rows === undefined) return htmlBlock([table], context);
  const look = { fixed: true, compact: false, basic: false, celled: true, inverted: false, striped: false };
  return [{ '@type': 'slateTable', table: { ...look, rows } }];
}

function codeBlock(pre: HtmlElement, context: BlockContext): VoltoBlock[] {
  if (context.code === 'html') return htmlBlock([pre], context);
  const [code] = pre.children.filter((node) => isElement(node, 'code'));
  const names = code && isElement(code) ? attribute(code, 'className') : attribute(pre, 'className');
  const language = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})/.exec(names)?.[1] ?? '';
  return [{ '@type': 'codeBlock', code: textOf(pre.children).replace(/\n$/, ''), language }];
}

/** A picture with its caption, which follows in italics. */
function figureBlocks(figure: HtmlElement, context: BlockContext): VoltoBlock[] {
  const caption = figure.children.find((node) => isElement(node, 'figcaption'));
  const rest = figure.children.filter((node) => node !== caption);
  const found = onlyPicture(rest);
  const inner = rest.filter((node) => !isBlank(node));
  const table = inner.length === 1 && inner[0] && isElement(inner[0], 'table') ? inner[0] : undefined;
  if (!found && !table) return htmlBlock([figure], context);
  const blocks = found ? [imageBlock(found.picture, found.href, context)] : table ? tableBlock(table, context) : [];
  if (caption === undefined || !isElement(caption)) return blocks;
  const line: HtmlElement = { type: 'element', tagName: 'em', properties: {}, children: caption.children };
  return [...blocks, ...paragraphBlocks([line], context)];
}

function elementBlocks(element: HtmlElement, context: BlockContext): VoltoBlock[] {
  const { tagName, children } = element;
  if (tagName === 'p') return paragraphBlocks(children, context);
  if (/^h[1-6]$/.test(tagName)) return paragraphBlocks(children, context, tagName);
  if (tagName === 'ul' || tagName === 'ol') return listBlock(element, context);
  if (tagName === 'table') return tableBlock(element, context);
  if (tagName === 'pre') return codeBlock(element, context);
  if (tagName === 'figure') return figureBlocks(element, context);
  if (tagName === 'blockquote') {
    const quote = lines(element, context);
    return quote === undefined ? htmlBlock([element], context) : [slate('blockquote', quote)];
  }
  if (!AROUND.has(tagName)) return htmlBlock([element], context);
  if (Object.keys(element.properties ?? {}).length > 0) context.onFlattened(tagName);
  return htmlBlocks(children, context);
}

/** Converts HTML to blocks. What has no form there becomes a block of HTML. Call it for trees that are not too deep only. */
export function htmlBlocks(nodes: readonly HtmlNode[], context: BlockContext): VoltoBlock[] {
  const blocks: VoltoBlock[] = [];
  let line: HtmlNode[] = [];
  const closeLine = () => {
    blocks.push(...paragraphBlocks(line, context));
    line = [];
  };
  for (const node of nodes) {
    if (isInline(node) && !(isElement(node, 'center') && !node.children.every(isInline))) line.push(node);
    else if (isElement(node)) {
      closeLine();
      blocks.push(...elementBlocks(node, context));
    }
  }
  closeLine();
  return blocks;
}
