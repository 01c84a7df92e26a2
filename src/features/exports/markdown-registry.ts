/** How each type of block is written in Markdown. Add-ons register their blocks here, as core does. */
import type { ResolveUrl } from './slate-markdown.ts';

/** A block, or the part of one that holds further blocks, as it is stored: nothing in it is certain. */
export type Block = Record<string, unknown>;

export type MarkdownContext = {
  /** Title and description of the content. */
  title: string;
  description: string;
  resolveUrl: ResolveUrl;
  /** Markdown of the blocks within a block. */
  nested: (block: Block) => string;
  /** Markdown of HTML, as long as the share of the document in costly conversions is not used up. */
  html: (html: string) => string;
};

/** Answers Markdown without blank lines around it; empty for a block that has nothing to say. */
export type MarkdownRenderer = (block: Block, context: MarkdownContext) => string;

const renderers = new Map<string, MarkdownRenderer>();

/** Registers how blocks of a type (`@type`) are written; a later registration takes the place of an earlier one. */
export function registerMarkdownBlock(type: string, render: MarkdownRenderer): void {
  renderers.set(type, render);
}

/** How blocks of a type are written, if anybody has said so. */
export function markdownRenderer(type: string): MarkdownRenderer | undefined {
  return renderers.get(type);
}

/** Whether a value is an object with keys, so a block for all that is known. */
export function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
