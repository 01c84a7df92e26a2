import { attribute, type HtmlElement, type HtmlNode, isBlank, isElement, textOf } from './tree.ts';

/** A node of slate within a paragraph. */
export type SlateInline = { text: string } | { type: string; data?: { url: string }; children: SlateInline[] };

/** How links are stored, and what is noted about inline elements. */
export type InlineContext = {
  /** The address of a link or a picture as it is stored: a path of content, or an address elsewhere. */
  link(url: string): string;
  /** Called with the name of an element of which only the text is kept. */
  onFlattened(element: string): void;
};

/** Elements with a form of their own in slate. */
const MARKS = new Map([
  ['strong', 'strong'],
  ['b', 'strong'],
  ['em', 'em'],
  ['i', 'em'],
  ['del', 'del'],
  ['s', 'del'],
  ['strike', 'del'],
  ['u', 'u'],
  ['sub', 'sub'],
  ['sup', 'sup'],
  ['code', 'code'],
]);

/** Elements that look as code does. */
const AS_CODE = new Set(['kbd', 'samp', 'tt', 'var']);

/** Elements of which the text is enough. */
const AS_TEXT = new Set([
  ...[
    'abbr',
    'acronym',
    'bdi',
    'bdo',
    'big',
    'cite',
    'data',
    'dfn',
    'font',
    'ins',
    'label',
    'mark',
    'q',
    'small',
    'span',
  ],
  ...['time', 'wbr', 'center'],
]);

/** Elements that stand within a line of text. */
export const isInline = (node: HtmlNode): boolean =>
  node.type !== 'element' ||
  MARKS.has(node.tagName) ||
  AS_CODE.has(node.tagName) ||
  AS_TEXT.has(node.tagName) ||
  ['a', 'br', 'img', 'input', 'button', 'svg'].includes(node.tagName);

function elementInline(node: HtmlElement, context: InlineContext): SlateInline[] | undefined {
  if (node.tagName === 'br') return [{ text: '\n' }];
  if (isElement(node, 'input') && attribute(node, 'type') === 'checkbox')
    return [{ text: node.properties?.checked ? '☑ ' : '☐ ' }];
  const children = inlineNodes(node.children, context);
  if (children === undefined) return undefined;
  if (node.tagName === 'a') {
    const url = attribute(node, 'href');
    // Volto has no anchors; a link without an address is one.
    if (url === '') return children;
    return [
      { type: 'link', data: { url: context.link(url) }, children: framed(children.filter((one) => !isLink(one))) },
    ];
  }
  const mark = MARKS.get(node.tagName);
  if (mark !== undefined) return [{ type: mark, children: framed(children) }];
  if (AS_CODE.has(node.tagName)) {
    context.onFlattened(node.tagName);
    return [{ type: 'code', children: [{ text: textOf(node.children) }] }];
  }
  if (!AS_TEXT.has(node.tagName)) return undefined;
  if (Object.keys(node.properties ?? {}).length > 0 || node.tagName !== 'span') context.onFlattened(node.tagName);
  return children;
}

const isLink = (node: SlateInline): boolean => 'type' in node && node.type === 'link';

/** Inline nodes without their frame; undefined when something among them has no form in slate. */
function inlineNodes(nodes: readonly HtmlNode[], context: InlineContext): SlateInline[] | undefined {
  const found: SlateInline[] = [];
  for (const node of nodes) {
    if (node.type === 'text') found.push({ text: node.value.replace(/[ \t\r\n\f]+/g, ' ') });
    else if (node.type === 'element') {
      const inner = elementInline(node, context);
      if (inner === undefined) return undefined;
      found.push(...inner);
    }
  }
  return found;
}

/** Joins neighbouring texts, and puts one before, behind and between elements, as slate has them. */
function framed(nodes: readonly SlateInline[]): SlateInline[] {
  const joined: SlateInline[] = [{ text: '' }];
  for (const node of nodes) {
    const last = joined.at(-1);
    if ('text' in node && last && 'text' in last)
      joined[joined.length - 1] = { text: `${last.text}${node.text}`.replace(/ {2,}/g, ' ').replace(/ ?\n ?/g, '\n') };
    else if ('text' in node) joined.push(node);
    else joined.push(...(last && !('text' in last) ? [{ text: '' }] : []), node);
  }
  const last = joined.at(-1);
  if (last && !('text' in last)) joined.push({ text: '' });
  // A mark around one text needs no frame.
  return joined;
}

/** Removes white space at both ends of a line. */
function trimmed(nodes: SlateInline[]): SlateInline[] {
  return nodes.map((node, index) => {
    if (!('text' in node)) return node;
    const start = index === 0 ? node.text.trimStart() : node.text;
    return { text: index === nodes.length - 1 ? start.trimEnd() : start };
  });
}

/** The content of a paragraph in slate; undefined when something in it has no form there. */
export function slateInline(nodes: readonly HtmlNode[], context: InlineContext): SlateInline[] | undefined {
  const found = inlineNodes(nodes, context);
  return found && trimmed(framed(found));
}

/** The text of slate nodes. */
export const slateText = (nodes: readonly SlateInline[]): string =>
  nodes.map((node) => ('text' in node ? node.text : slateText(node.children))).join('');

/** The picture that is all there is in nodes, with the link around it. */
export function onlyPicture(nodes: readonly HtmlNode[]): { picture: HtmlElement; href: string } | undefined {
  const [node, second] = nodes.filter((one) => !isBlank(one));
  if (node === undefined || second !== undefined) return undefined;
  if (node.type !== 'element') return undefined;
  if (node.tagName === 'img') return { picture: node, href: '' };
  if (node.tagName !== 'a') return undefined;
  const inner = onlyPicture(node.children);
  return inner && { picture: inner.picture, href: attribute(node, 'href') };
}

/** True if there is a picture somewhere in nodes. */
export const hasPicture = (nodes: readonly HtmlNode[]): boolean =>
  nodes.some((node) => isElement(node) && (node.tagName === 'img' || hasPicture(node.children)));
