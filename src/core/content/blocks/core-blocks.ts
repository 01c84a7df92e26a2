import { BadRequest } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject, mapKey } from '../../../lib/json-object.ts';
import {
  type Block,
  type BlockContent,
  type BlockReadContext,
  defineBlock,
  type MarkdownContext,
  type PhrasingContent,
} from '../../types/block.ts';
import { BLOCK_MEMBERS as members } from './block-members.ts';
import { codeBlock, heading, image, inlineText, link, paragraph, table } from './markdown.ts';
import {
  draftBlockText,
  draftTableText,
  htmlBlockText,
  keyedText,
  plateText,
  slateTableText,
  slateText,
} from './searchable-text.ts';
import { serveReferences, serveTextReferences } from './serve-references.ts';
import { serveTeaser } from './serve-teaser.ts';
import { slateCell, slateMarkdown } from './slate-markdown.ts';
import { storeReferences } from './store-references.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Serves the links in a rich text without pictures, which the rule for all types would add. */
const parseText =
  (key: string) =>
  (block: JsonObject, context: BlockReadContext): JsonObject =>
    mapKey(block, key, (value) => serveTextReferences(value, context));

/** The first thing that a link field points to: an address, or the summary that the serializer put there. */
function target(value: unknown): { url: string; title: string; description: string } {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(first)) return { url: text(first), title: '', description: '' };
  return { url: text(first['@id']), title: text(first.title), description: text(first.description) };
}

function imageMarkdown(block: JsonObject, { resolveUrl }: MarkdownContext): BlockContent[] {
  const { url } = target(block.url);
  const address = url === '' ? undefined : resolveUrl(url);
  if (address === undefined) return [];
  // An image of the site is stored by the address of its content; its bytes have an address below that.
  const inside = isJsonObject(block.image_scales) || /^(?:\/|(?:\.\.\/)*resolveuid\/)/.test(url);
  const field = /^\w{1,50}$/.exec(text(block.image_field))?.[0] ?? 'image';
  const source = inside && !address.includes('/@@') ? `${address.replace(/\/$/, '')}/@@images/${field}` : address;
  const picture = image(text(block.alt), source);
  const href = target(block.href).url;
  const goal = href === '' ? undefined : resolveUrl(href);
  return paragraph(goal === undefined ? picture : link(picture, goal));
}

/** A teaser whose target is hidden from the reader has no Markdown, not even its texts. */
function teaserMarkdown(block: JsonObject, { resolveUrl }: MarkdownContext): BlockContent[] {
  const to = target(block.href);
  const url = to.url === '' ? undefined : resolveUrl(to.url);
  if (url === undefined) return [];
  const title = text(block.title) || to.title || url;
  return [
    ...paragraph(link(inlineText(title), url)),
    ...paragraph(inlineText(text(block.description) || to.description)),
  ];
}

/** Cells of the older table block hold a Draft.js document, cells of the newer block a slate value. */
function cellMarkdown(cell: unknown, { resolveUrl }: MarkdownContext): PhrasingContent[] {
  const value = isJsonObject(cell) ? cell.value : undefined;
  if (!isJsonObject(value)) return slateCell(value, resolveUrl);
  const lines = Array.isArray(value.blocks) ? value.blocks.filter(isJsonObject) : [];
  return inlineText(lines.map((line) => text(line.text)).join('\n'));
}

function tableMarkdown(block: JsonObject, context: MarkdownContext): BlockContent[] {
  const data = isJsonObject(block.table) ? block.table : {};
  const rows = (Array.isArray(data.rows) ? data.rows : []).map((row): unknown[] =>
    isJsonObject(row) && Array.isArray(row.cells) ? row.cells : [],
  );
  const header = data.hideHeaders !== true && rows[0]?.some((cell) => isJsonObject(cell) && cell.type === 'header');
  return table(
    rows.map((cells) => cells.map((cell) => cellMarkdown(cell, context))),
    header === true,
  );
}

/** Accordion panels and the like: a title over further blocks. */
const titled = (block: JsonObject, { nested }: MarkdownContext): BlockContent[] => [
  ...heading(3, inlineText(text(block.title))),
  ...nested(block),
];

function videoMarkdown(block: JsonObject, { resolveUrl }: MarkdownContext): BlockContent[] {
  const url = resolveUrl(text(block.url));
  return url === undefined || url === '' ? [] : paragraph(link(inlineText(text(block.title) || url), url));
}

const writeHtml: Block['write'] = (block, { sanitize }) =>
  mapKey(block, 'html', (html) => {
    if (typeof html === 'string') return sanitize(html);
    // A browser would join the strings of a list to markup that was never cleaned.
    if (typeof html === 'object' && html !== null) throw new BadRequest('The html of an html block must be a string.');
    return html;
  });

/** The types of blocks of the core: the blocks that Volto has by default. */
export const coreBlocks: readonly Block[] = [
  // Links of all types, also slate, slateTable, text and image, are under the common keys.
  defineBlock({ type: null, write: storeReferences, read: serveReferences, changes: [] }),
  defineBlock({ type: 'title', markdown: (_block, { title }) => heading(1, inlineText(title)) }),
  defineBlock({ type: 'description', markdown: (_block, { description }) => paragraph(inlineText(description)) }),
  defineBlock({
    type: 'slate',
    members: members.slate,
    read: parseText('value'),
    changes: [],
    text: slateText,
    markdown: (block, { resolveUrl }) => slateMarkdown(block.value, resolveUrl),
  }),
  defineBlock({
    type: 'slateTable',
    members: members.slateTable,
    read: parseText('table'),
    changes: [],
    text: slateTableText,
    markdown: tableMarkdown,
  }),
  defineBlock({ type: 'text', read: parseText('text'), changes: [], text: draftBlockText }),
  defineBlock({ type: 'table', read: parseText('table'), changes: [], text: draftTableText, markdown: tableMarkdown }),
  defineBlock({ type: '__somersault__', text: plateText }),
  defineBlock({ type: 'teaser', members: members.teaser, read: serveTeaser, markdown: teaserMarkdown }),
  // The alternative text of a picture, and its caption.
  defineBlock({
    type: 'image',
    members: members.image,
    text: keyedText('alt', 'title', 'description', 'caption', 'credit'),
    markdown: imageMarkdown,
  }),
  defineBlock({ type: 'video', members: members.video, text: keyedText('title'), markdown: videoMarkdown }),
  defineBlock({
    type: 'html',
    members: members.html,
    write: writeHtml,
    text: htmlBlockText,
    markdown: (block, { html }) => html(text(block.html)),
  }),
  defineBlock({
    type: 'heading',
    members: members.heading,
    text: keyedText('heading'),
    markdown: (block) => heading(Number(/^h([1-6])$/.exec(text(block.tag))?.[1] ?? 2), inlineText(text(block.heading))),
  }),
  defineBlock({ type: 'separator', markdown: () => [{ type: 'thematicBreak' }] }),
  defineBlock({
    type: 'codeBlock',
    members: members.codeBlock,
    text: keyedText('code'),
    markdown: (block) => codeBlock(text(block.code), text(block.language)),
  }),
  defineBlock({ type: 'accordionPanel', members: members.accordionPanel, text: keyedText('title'), markdown: titled }),
  defineBlock({
    type: 'gridBlock',
    members: members.gridBlock,
    text: keyedText('headline', 'title'),
    markdown: titled,
  }),
  defineBlock({ type: 'accordion', members: members.accordion, text: keyedText('headline', 'title') }),
  defineBlock({ type: 'listing', members: members.listing, text: keyedText('headline') }),
  defineBlock({ type: 'search', members: members.search, text: keyedText('headline') }),
  defineBlock({ type: '__button', members: members.button, text: keyedText('title') }),
];
