import {
  type BlockContext,
  type HtmlNode,
  htmlBlocks,
  isElement,
  isTooDeep,
  relinked,
  type VoltoBlock,
} from '@canopy-server/site-reader';
import type { Nodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';

export type TextContext = Pick<BlockContext, 'link' | 'onHtml' | 'onFlattened' | 'code'> & {
  /** Called with the name of a block of Gutenberg that the server made, of which nothing is in the text. */
  onLostBlock(name: string): void;
  onShortcode(code: string): void;
  onTooDeep(): void;
};

/** A delimiter of Gutenberg: `<!-- wp:image {"id":7} -->`, with a slash at its end when there is no HTML between two of them. */
const DELIMITER = /<!--\s+(\/)?wp:([a-z][a-z0-9/_-]{0,100})\s+(?:\{[^>]{0,10000}\}\s+)?(\/)?-->/g;

const SHORTCODE = /\[\/?([a-z][a-z0-9_-]{1,40})(?:\s[^\]\n]{0,1000})?\/?\]/g;

/** Elements of which a text stands between lines of its own. */
const OF_BLOCKS =
  /^<\/?(?:address|article|aside|blockquote|dd|details|div|dl|dt|figure|figcaption|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio|!--)/i;

/** Makes paragraphs of the lines of a classic text, which has none of its own. */
function withParagraphs(text: string): string {
  if (/<p[\s>]/i.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .split(/(<pre[\s\S]*?<\/pre>)/i)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .split(/\n{2,}/)
            .map((one) => one.trim())
            .filter((one) => one !== '')
            .map((one) => (OF_BLOCKS.test(one) ? one : `<p>${one.replace(/\n(?!<(?:li|ul|ol|\/))/g, '<br>')}</p>`))
            .join('\n'),
    )
    .join('\n');
}

/** Captions of pictures in classic texts, as figures. */
const withFigures = (text: string): string =>
  text.replace(
    /\[caption[^\]]{0,500}\]\s*((?:<a[^>]*>\s*)?<img[^>]*>(?:\s*<\/a>)?)([\s\S]{0,5000}?)\[\/caption\]/g,
    '<figure>$1<figcaption>$2</figcaption></figure>',
  );

const isTree = (node: unknown): node is Nodes => typeof node === 'object' && node !== null && 'type' in node;

/** Nodes as they are shown by HTML. */
const writeHtml = (nodes: readonly HtmlNode[], link: (url: string) => string): string =>
  relinked(nodes, link)
    .map((tree: unknown) => (isTree(tree) ? toHtml(tree) : ''))
    .join('');

/** Elements that Gutenberg puts around others for its looks: what is in them counts. */
function unwrapped(nodes: readonly HtmlNode[], depth = 0): HtmlNode[] {
  return nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node) || depth > 20) return [node];
    const names = node.properties?.className;
    const isOfGutenberg =
      Array.isArray(names) &&
      names.some((name) => /^wp-block-(?:group|columns?|buttons?|gallery|cover|media-text)/.test(String(name)));
    return isOfGutenberg && (isElement(node, 'div') || isElement(node, 'figure') || isElement(node, 'section'))
      ? unwrapped(node.children, depth + 1)
      : [node];
  });
}

/** HTML as a tree; undefined when its elements are so deep in each other that the parser has no stack for them. */
function parse(html: string): readonly HtmlNode[] | undefined {
  try {
    return fromHtml(html, { fragment: true }).children;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Converts the text of an item, of Gutenberg or classic, to blocks. */
export function convertText(source: string, context: TextContext): VoltoBlock[] {
  for (const [, , name, isSingle] of source.matchAll(DELIMITER))
    if (isSingle && !['more', 'nextpage', 'spacer'].includes(name ?? '')) context.onLostBlock(name ?? '');
  const isGutenberg = /<!--\s+wp:/.test(source);
  const plain = withFigures(source.replace(DELIMITER, '').replace(/<!--\s*(?:more|nextpage)[^>]{0,200}-->/g, ''));
  const html = isGutenberg ? plain : withParagraphs(plain);
  for (const [, code = ''] of html.replace(/<(pre|code)[\s\S]*?<\/\1>/g, '').matchAll(SHORTCODE))
    context.onShortcode(code);
  const nodes = parse(html);
  if (nodes === undefined || isTooDeep(nodes)) {
    context.onTooDeep();
    return [{ '@type': 'html', html: `<pre>${html.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</pre>` }];
  }
  return htmlBlocks(unwrapped(nodes), { ...context, toHtml: (part) => writeHtml(part, context.link) });
}
