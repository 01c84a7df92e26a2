/** A page in Markdown: its blocks in their order, as in `markdown_view`. */
import './markdown-blocks.ts';
import { htmlMarkdown, htmlText } from './html-markdown.ts';
import { type Block, isBlock, type MarkdownContext, markdownRenderer } from './markdown-registry.ts';
import { escapeInline, heading, paragraph } from './markdown-text.ts';
import type { ResolveUrl } from './slate-markdown.ts';

type MarkdownDocument = {
  title: string;
  description?: string | null | undefined;
  /** As stored or as serialized; absent for content without blocks. */
  blocks?: unknown;
  blocks_layout?: unknown;
  /** Absolute address of a link's target; undefined leaves the link and its teaser out, keeping a link's text. */
  resolveUrl: ResolveUrl;
};

/** Blocks within blocks beyond this depth are left out. */
const DEPTH_LIMIT = 20;

/** Characters of HTML that one document converts; beyond them only the text of the HTML is kept. */
const HTML_LIMIT = 200_000;

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** The blocks of a container in the order of its layout, each once; those that the layout does not name are hidden. */
function layoutBlocks(container: Block): Block[] {
  const { blocks, blocks_layout: layout } = container;
  const items = isBlock(layout) && Array.isArray(layout.items) ? layout.items : [];
  if (!isBlock(blocks)) return [];
  const ids = new Set(items.filter((id) => typeof id === 'string' && Object.hasOwn(blocks, id)));
  return [...ids].map((id: string) => blocks[id]).filter(isBlock);
}

/** The container among a block and its `data` that holds blocks: the two places where block add-ons put them. */
const holder = (block: Block): Block => (isBlock(block.data) && isBlock(block.data.blocks) ? block.data : block);

/**
 * Markdown of a page, ending in a newline. Blocks of unknown types contribute nothing of their own, but the
 * blocks within them do. Content without blocks has its title and its description.
 */
export function renderMarkdown(document: MarkdownDocument): string {
  const { title, resolveUrl } = document;
  const description = document.description ?? '';
  let htmlLeft = HTML_LIMIT;
  const html = (source: string): string => {
    htmlLeft -= source.length;
    return htmlLeft < 0 ? htmlText(source) : htmlMarkdown(source, resolveUrl);
  };
  const renderBlocks = (container: Block, depth: number): string => {
    if (depth > DEPTH_LIMIT) return '';
    const nested = (block: Block): string => renderBlocks(holder(block), depth + 1);
    const context: MarkdownContext = { title, description, resolveUrl, nested, html };
    return join(
      layoutBlocks(container).map((block) => {
        const type = block['@type'];
        const render = typeof type === 'string' ? markdownRenderer(type) : undefined;
        return render ? render(block, context) : nested(block);
      }),
    );
  };
  const markdown = isBlock(document.blocks)
    ? renderBlocks({ blocks: document.blocks, blocks_layout: document.blocks_layout }, 0)
    : join([heading(1, escapeInline(title)), paragraph(escapeInline(description))]);
  return markdown === '' ? '' : `${markdown}\n`;
}
