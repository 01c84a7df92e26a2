/** HTML as a tree, in the form of hast, of which any parser gives one. */
type HtmlText = { type: 'text'; value: string };
export type HtmlElement = {
  type: 'element';
  tagName: string;
  properties?: Readonly<Record<string, unknown>>;
  children: readonly HtmlNode[];
};
/** Comments and document types, which show nothing. */
type HtmlOther = { type: 'comment' | 'doctype' | 'raw'; value?: string };
export type HtmlNode = HtmlText | HtmlElement | HtmlOther;

/** Levels of elements that are converted: no editor makes more, and each costs stack frames. */
const MAX_DEPTH = 60;

/** Says if a tree has more levels than are converted. */
export function isTooDeep(nodes: readonly HtmlNode[]): boolean {
  let level = nodes;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => (node.type === 'element' ? node.children : []));
  }
  return false;
}

export const isElement = (node: HtmlNode, ...names: readonly string[]): node is HtmlElement =>
  node.type === 'element' && (names.length === 0 || names.includes(node.tagName));

/** The value of an attribute as a text; empty when it is absent. Names are those of hast: `className`, `href`. */
export function attribute(element: HtmlElement, name: string): string {
  const value = element.properties?.[name];
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** All text below nodes, as it is written. */
export const textOf = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('');

/** True if a node shows nothing: white space between elements, or a comment. */
export const isBlank = (node: HtmlNode): boolean =>
  node.type === 'text' ? node.value.trim() === '' : node.type !== 'element';
