/** A page in Markdown: its blocks in their order, as in `markdown_view`. */
import {
  type ContentObject,
  type Kernel,
  type MarkdownContext,
  markdown,
  type RenderContext,
  type ResolvedNode,
  references,
  urlOf,
} from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { exportObject } from './export-object.ts';
import { htmlMarkdown, htmlText } from './html-markdown.ts';
import { writeMarkdown } from './markdown-writer.ts';

type MarkdownDocument = {
  /** The types of blocks that the server knows. */
  registry: Kernel['blocks'];
  title: string;
  description?: string | null | undefined;
  /** As stored or as serialized; absent for content without blocks. */
  blocks?: unknown;
  blocks_layout?: unknown;
  /** The further content of a document without blocks, after title and description. */
  rest?: readonly markdown.BlockContent[];
  /** Absolute address of a link's target; for undefined the link is reduced to its text, and a teaser is left out. */
  resolveUrl: MarkdownContext['resolveUrl'];
};

/** Converts HTML within blocks. With `isBeyondLimit` only the text of the HTML is converted, which costs less. */
type ConvertHtml = (source: string, isBeyondLimit: boolean) => markdown.BlockContent[];

/** Blocks within blocks beyond this depth are left out. */
const DEPTH_LIMIT = 20;

/** Characters of HTML that one document converts; beyond them only the text of the HTML is kept. */
const HTML_LIMIT = 200_000;

/** The blocks of a container in the order of its layout, each once; those that the layout does not name are hidden. */
function layoutBlocks({ blocks, blocks_layout: layout }: JsonObject): JsonObject[] {
  const items: unknown[] = isJsonObject(layout) && Array.isArray(layout.items) ? layout.items : [];
  if (!isJsonObject(blocks)) return [];
  const ids = new Set(items.filter((id): id is string => typeof id === 'string' && Object.hasOwn(blocks, id)));
  return [...ids].map((id) => blocks[id]).filter(isJsonObject);
}

/** The holder of inner blocks: the block itself or its `data`, the two places that block add-ons use. */
const holder = (block: JsonObject): JsonObject =>
  isJsonObject(block.data) && isJsonObject(block.data.blocks) ? block.data : block;

/** The blocks of a document as a tree. A block of an unknown type contributes nothing of its own, but the blocks within it do. */
export function blockContent(
  { registry, title, resolveUrl, ...document }: MarkdownDocument,
  convert: ConvertHtml,
): markdown.BlockContent[] {
  const description = document.description ?? '';
  let htmlLeft = HTML_LIMIT;
  const html = (source: string): markdown.BlockContent[] => {
    htmlLeft -= source.length;
    return convert(source, htmlLeft < 0);
  };
  const contentOf = (container: JsonObject, depth: number): markdown.BlockContent[] => {
    if (depth > DEPTH_LIMIT) return [];
    const nested = (block: JsonObject): markdown.BlockContent[] => contentOf(holder(block), depth + 1);
    const context: MarkdownContext = { title, description, resolveUrl, nested, html };
    return layoutBlocks(container).flatMap((block) => {
      const write = registry.find(block['@type'])?.markdown;
      return write ? write(block, context) : nested(block);
    });
  };
  return isJsonObject(document.blocks)
    ? contentOf({ blocks: document.blocks, blocks_layout: document.blocks_layout }, 0)
    : [
        ...markdown.heading(1, markdown.inlineText(title)),
        ...markdown.paragraph(markdown.inlineText(description)),
        ...(document.rest ?? []),
      ];
}

/** Markdown of a page, ending in a newline. Content without blocks has its title and its description. */
export const renderMarkdown = (document: MarkdownDocument): string =>
  writeMarkdown(
    blockContent(document, (source, isBeyondLimit) => {
      const value = isBeyondLimit ? htmlText(source) : htmlMarkdown(source, document.resolveUrl);
      return value === '' ? [] : [{ type: 'markdownSource', value }];
    }),
  );

/**
 * The absolute form of a link in served blocks. A link that is still a reference there has a target that is gone or that the caller may not view, and
 * becomes undefined.
 */
export function absoluteUrl(url: string, base: string, objectUrl: string): string | undefined {
  if (url === '' || references.parse(url)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  if (url.startsWith('/') && !url.startsWith('//')) return base + url;
  return URL.canParse(url, objectUrl) ? new URL(url, objectUrl).href : undefined;
}

/** The parts of content that a Markdown document is made of. */
type MarkdownSource = {
  object: ContentObject;
  /** The exported values of its fields that the caller may read, by name. */
  values: JsonObject;
  /** Further content at the end of a document without blocks. */
  rest?: readonly markdown.BlockContent[];
};

/** The Markdown of content: its blocks, or without blocks its title, its description and its texts. */
export function contentMarkdown(context: RenderContext, { object, values, rest = [] }: MarkdownSource): string {
  const { blocks, blocks_layout, title, description } = values;
  const { fieldKinds, blocks: registry } = context.kernel;
  const fields = context.site.types.get(object.type)?.fields ?? [];
  const objectUrl = urlOf(context.base, object.path);
  const texts = fields.flatMap((field) => {
    const value = values[field.name];
    return value === undefined || value === null ? [] : (fieldKinds.of(field).markdown?.(value, field) ?? []);
  });
  return renderMarkdown({
    registry,
    title: typeof title === 'string' ? title : object.title,
    description: typeof description === 'string' ? description : object.description,
    // New content has an empty set of blocks, which counts as none.
    blocks: isJsonObject(blocks) && Object.keys(blocks).length > 0 ? blocks : undefined,
    blocks_layout,
    rest: [...texts, ...rest],
    resolveUrl: (url) => absoluteUrl(url, context.base, objectUrl),
  });
}

/** The Markdown document of an object, as `markdown_view` has it. */
export const exportMarkdown = async (context: RenderContext, resolved: ResolvedNode): Promise<string> =>
  contentMarkdown(context, { object: resolved.object, values: await exportObject(context, resolved) });
