/** Markdown of the blocks that Volto brings along. */

import {
  type Block,
  isBlock,
  type MarkdownContext,
  type MarkdownRenderer,
  registerMarkdownBlock,
} from './markdown-registry.ts';
import { codeBlock, escapeInline, heading, image, link, paragraph, table } from './markdown-text.ts';
import { slateCellMarkdown, slateMarkdown } from './slate-markdown.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first thing that a link field points to: an address, or the summary that the serializer put there. */
function target(value: unknown): { url: string; title: string; description: string } {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isBlock(first)) return { url: text(first), title: '', description: '' };
  return { url: text(first['@id']), title: text(first.title), description: text(first.description) };
}

function imageBlock(block: Block, { resolveUrl }: MarkdownContext): string {
  const { url } = target(block.url);
  const address = url === '' ? undefined : resolveUrl(url);
  if (address === undefined) return '';
  // An image of the site is stored by the address of its content; its bytes are one step further.
  const inside = isBlock(block.image_scales) || /^(?:\/|(?:\.\.\/)*resolveuid\/)/.test(url);
  const field = /^\w{1,50}$/.exec(text(block.image_field))?.[0] ?? 'image';
  const source = inside && !address.includes('/@@') ? `${address.replace(/\/$/, '')}/@@images/${field}` : address;
  const picture = image(text(block.alt), source);
  const href = target(block.href).url;
  const goal = href === '' ? undefined : resolveUrl(href);
  return goal === undefined ? picture : link(picture, goal);
}

/** A teaser whose target the reader may not know contributes nothing, not even its texts. */
function teaser(block: Block, { resolveUrl }: MarkdownContext): string {
  const to = target(block.href);
  const url = to.url === '' ? undefined : resolveUrl(to.url);
  if (url === undefined) return '';
  const title = text(block.title) || to.title || url;
  const description = paragraph(escapeInline(text(block.description) || to.description));
  return [link(escapeInline(title), url), description].filter((part) => part !== '').join('\n\n');
}

/** Cells of the older table block hold a Draft.js document, those of the newer one a Slate value. */
function cellMarkdown(cell: unknown, { resolveUrl }: MarkdownContext): string {
  const value = isBlock(cell) ? cell.value : undefined;
  if (!isBlock(value)) return slateCellMarkdown(value, resolveUrl);
  const lines = Array.isArray(value.blocks) ? value.blocks.filter(isBlock) : [];
  return lines.map((line) => escapeInline(text(line.text))).join('\n');
}

function tableBlock(block: Block, context: MarkdownContext): string {
  const data = isBlock(block.table) ? block.table : {};
  const rows = (Array.isArray(data.rows) ? data.rows : []).map((row): unknown[] =>
    isBlock(row) && Array.isArray(row.cells) ? row.cells : [],
  );
  const header = data.hideHeaders !== true && rows[0]?.some((cell) => isBlock(cell) && cell.type === 'header');
  return table(
    rows.map((cells) => cells.map((cell) => cellMarkdown(cell, context))),
    header === true,
  );
}

/** Accordion panels and the like: a title over further blocks. */
function titled(block: Block, { nested }: MarkdownContext): string {
  return [heading(3, escapeInline(text(block.title))), nested(block)].filter((part) => part !== '').join('\n\n');
}

function video(block: Block, { resolveUrl }: MarkdownContext): string {
  const url = resolveUrl(text(block.url));
  return url === undefined || url === '' ? '' : link(escapeInline(text(block.title) || url), url);
}

const core: Record<string, MarkdownRenderer> = {
  title: (_, { title }) => heading(1, escapeInline(title)),
  description: (_, { description }) => paragraph(escapeInline(description)),
  slate: (block, { resolveUrl }) => slateMarkdown(block.value, resolveUrl),
  heading: (block) => heading(Number(/^h([1-6])$/.exec(text(block.tag))?.[1] ?? 2), escapeInline(text(block.heading))),
  html: (block, { html }) => html(text(block.html)),
  image: imageBlock,
  teaser,
  table: tableBlock,
  slateTable: tableBlock,
  video,
  separator: () => '---',
  codeBlock: (block) => codeBlock(text(block.code), text(block.language)),
  accordionPanel: titled,
  gridBlock: titled,
};

for (const [type, render] of Object.entries(core)) registerMarkdownBlock(type, render);
