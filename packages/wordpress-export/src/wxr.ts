import { createReadStream } from 'node:fs';
import { ExportError } from '@canopy-server/site-reader';
import { SaxesParser } from 'saxes';

/** An element of an export with what is in it. */
export type XmlNode = { name: string; attributes: Record<string, string>; text: string; children: XmlNode[] };

/** Elements that are taken whole; the others are only around them. */
const WHOLE = new Set(['item', 'wp:author', 'wp:wp_author', 'wp:category', 'wp:tag', 'wp:term']);
/** Elements of the channel with a text that counts. */
const OF_CHANNEL = new Set(['title', 'link', 'language', 'wp:base_site_url', 'wp:base_blog_url', 'wp:wxr_version']);

/** Characters of one item: there is one in memory at a time. */
const MAX_ITEM_LENGTH = 64 * 1024 * 1024;

const MAX_DEPTH = 20;

/**
 * Yields the parts of an export (WXR) one after the other, from a stream.
 * @throws ExportError for a file that is no XML, or has an item beyond all measure
 */
export async function* streamWxr(file: string): AsyncGenerator<XmlNode> {
  const parser = new SaxesParser();
  const ready: XmlNode[] = [];
  const stack: XmlNode[] = [];
  let length = 0;
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const isTop = stack.length === 0;
    if (isTop && !WHOLE.has(name) && !OF_CHANNEL.has(name)) return;
    if (stack.length >= MAX_DEPTH) failure ??= new Error('elements are too deep in each other');
    if (isTop) length = 0;
    const node: XmlNode = {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)])),
      text: '',
      children: [],
    };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  });
  const addText = (text: string) => {
    const top = stack.at(-1);
    if (!top) return;
    length += text.length;
    if (length > MAX_ITEM_LENGTH) failure ??= new Error(`an item has more than ${MAX_ITEM_LENGTH} characters`);
    else top.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ name }) => {
    if (stack.at(-1)?.name !== name) return;
    const node = stack.pop();
    if (node && stack.length === 0) ready.push(node);
  });
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    parser.write(String(chunk));
    if (failure) break;
    yield* ready.splice(0);
  }
  if (!failure) parser.close();
  if (failure) throw new ExportError(`${file} is no export of WordPress that can be read: ${failure.message}`);
  yield* ready.splice(0);
}

/** The text of a child of an element; empty when there is no such child. */
export const childText = (node: XmlNode, name: string): string =>
  node.children.find((child) => child.name === name)?.text.trim() ?? '';

export const childrenNamed = (node: XmlNode, name: string): XmlNode[] =>
  node.children.filter((child) => child.name === name);
