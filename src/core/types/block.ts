import type { BlockContent } from 'mdast';
import type { TProperties } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Slots } from '../../lib/slots.ts';
import type { Target } from './field-kind.ts';

export type { BlockContent, PhrasingContent, TableRow } from 'mdast';

/** Context of a block that is written to the database. */
export type BlockWriteContext = {
  /** The stored form of an internal link, or the string itself. Every possible link is passed to it. */
  resolve(link: string): string;
  /** Safe HTML of an author's HTML; does nothing while links are only collected. */
  sanitize(html: string): string;
  /** True for a sub-block, which has passed all transforms already. */
  isSubBlock(value: object): boolean;
};

/** Context of a block that is served to a client. */
export type BlockReadContext = {
  /** The target of a UID; undefined if it does not exist. */
  targets(uid: string): Target | undefined;
  /** True if the reader may change the content. Other readers do not see parts that only editors need. */
  mayEdit: boolean;
  /** Values that features store in the kernel, see `Slot`. */
  slots: Slots;
  /** True for a sub-block, which has passed all transforms already. */
  isSubBlock(value: object): boolean;
};

/** Context of a block that is converted to Markdown. */
export type MarkdownContext = {
  /** Title and description of the content. */
  title: string;
  description: string;
  /** The absolute address of a link's target, or undefined when the reader must not learn of it. */
  resolveUrl(url: string): string | undefined;
  /** The blocks within a block. */
  nested(block: JsonObject): BlockContent[];
  /** HTML, as long as the share of the document in costly conversions is not used up. */
  html(html: string): BlockContent[];
};

/**
 * Everything that the server knows of one type of block. Nothing in a block is certain: clients send any JSON. No function
 * alters the block that it is given.
 */
export type Block = {
  /** The `@type` of the blocks; null for blocks of every type, which may only be written and read. */
  type: string | null;
  /**
   * Names of its keys whose strings, or lists of strings, are addresses, beyond those of every block (`@id`, `url`, `href`,
   * `preview_image`): stored as references, served as present addresses, counted by link integrity.
   */
  links?: readonly string[];
  /**
   * Members of its JSON in responses, for the description of the API (`@openapi`); each is optional there. Blocks with other values are
   * stored all the same.
   */
  members?: TProperties;
  /** The block as it is stored, once its addresses under the keys of every block are references. */
  write?(block: JsonObject, context: BlockWriteContext): JsonObject;
  /**
   * The block as it is served, before its references under the keys of every block become addresses. It depends on nothing but
   * the block and the context: what it makes of a block that refers to nothing may be kept for other readers.
   */
  read?(block: JsonObject, context: BlockReadContext): JsonObject;
  /** The words by which it is found; `textOf` returns those of a sub-block. Without it they are those of its sub-blocks. */
  text?(block: JsonObject, textOf: (block: JsonObject) => string): string;
  /** Its part of a Markdown document (mdast). Without it that is the part of its sub-blocks. */
  markdown?(block: JsonObject, context: MarkdownContext): BlockContent[];
};

/** Declares a type of block. It does nothing but to check the declaration against its type. */
export const defineBlock = (block: Block): Block => block;

/** The types of blocks of a kernel. */
export class BlockRegistry {
  readonly #byType = new Map<string, Block>();
  readonly #ofEveryType: readonly Block[];

  /** Throws when two blocks have one type: a mistake of a programmer. */
  constructor(blocks: readonly Block[]) {
    this.#ofEveryType = blocks.filter(({ type }) => type === null);
    for (const block of blocks) {
      if (block.type === null) continue;
      if (this.#byType.has(block.type)) throw new Error(`There are two types of blocks "${block.type}"`);
      this.#byType.set(block.type, block);
    }
  }

  /** The names of the types that the server knows. */
  get types(): string[] {
    return [...this.#byType.keys()];
  }

  /** The members of the blocks of each type, as the description of the API has them. */
  get members(): [type: string, members: TProperties][] {
    return [...this.#byType.values()].map(({ type, members = {} }) => [String(type), members]);
  }

  /** The type of block of a name; undefined for unknown ones. */
  find(type: unknown): Block | undefined {
    return typeof type === 'string' ? this.#byType.get(type) : undefined;
  }

  /** Blocks whose `write` handles blocks of a type, in order: those for every type come first. */
  writers(type: unknown): Block[] {
    const own = this.find(type);
    return own ? [...this.#ofEveryType, own] : [...this.#ofEveryType];
  }

  /** Blocks whose `read` handles blocks of a type, in order: those for every type come last. */
  readers(type: unknown): Block[] {
    const own = this.find(type);
    return own ? [own, ...this.#ofEveryType] : [...this.#ofEveryType];
  }
}
