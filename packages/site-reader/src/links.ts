import { type HtmlNode, isElement } from './blocks/tree.ts';

/** Attributes that lead to content, by their names in hast. */
const LINKING = ['href', 'src', 'poster'];

/** An address without its percent signs; as it stands where it is not encoded. */
export function decodedAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch (error) {
    // A bare percent sign: the address is not encoded.
    if (error instanceof URIError) return address;
    throw error;
  }
}

/** Copies of nodes with other addresses in their links. */
export const relinked = (nodes: readonly HtmlNode[], link: (url: string) => string): HtmlNode[] =>
  nodes.map((node) => {
    if (!isElement(node)) return node;
    const properties: Record<string, unknown> = { ...node.properties };
    for (const name of LINKING) {
      const value = properties[name];
      if (typeof value === 'string') properties[name] = link(value);
    }
    return { ...node, properties, children: relinked(node.children, link) };
  });
