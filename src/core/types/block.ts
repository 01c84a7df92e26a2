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
  /** Makes an author's HTML safe; returns it unchanged while links are only collected. */
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
  /** The absolute address of a link's target, or undefined when the target is hidden from the reader. */
  resolveUrl(url: string): string | undefined;
  /** The blocks within a block. */
  nested(block: JsonObject): BlockContent[];
  /** Converts HTML, until the document has used up its share of costly conversions. */
  html(html: string): BlockContent[];
};

/** The implementation of one type of block. The members of a block are unchecked: clients send any JSON. No function alters its block. */
export type Block = {
  /** The `@type` of the blocks; null for all types; then only `write` and `read` are possible. */
  type: string | null;
  /**
   * Names of its keys whose strings, or lists of strings, are addresses, beyond the keys of every block (`@id`, `url`, `href`, `preview_image`):
   * stored as references, served as present addresses, counted by link integrity.
   */
  links?: readonly string[];
  /**
   * Members of its JSON in responses, for the description of the API (`@openapi`); each is optional there. Blocks with other values are stored as
   * well.
   */
  members?: TProperties;
  /** Returns the stored block; addresses under the common keys are already references. */
  write?(block: JsonObject, context: BlockWriteContext): JsonObject;
  /**
   * Returns the served block, before references under the common keys become addresses. It depends only on the block and the context: the result for
   * a block without references may be cached for other readers.
   */
  read?(block: JsonObject, context: BlockReadContext): JsonObject;
  /**
   * The types of blocks that `read` may change although they have no references; by default the own type, or any for blocks of all types. Blocks of
   * other types without references are served as the text that is stored, which `read` does not see.
   */
  changes?: readonly string[];
  /** The searched words of the block; `textOf` returns the words of a sub-block. By default the words of its sub-blocks. */
  text?(block: JsonObject, textOf: (block: JsonObject) => string): string;
  /** The part of the block in a Markdown document (mdast). By default the parts of its sub-blocks. */
  markdown?(block: JsonObject, context: MarkdownContext): BlockContent[];
};

/** Declares a type of block. It only checks the declaration against its type. */
export const defineBlock = (block: Block): Block => block;

/** The types of blocks that a declaration may change when they are served without references; undefined for any. */
function changedBy({ type, read, changes }: Block): readonly string[] | undefined {
  if (read === undefined) return [];
  return changes ?? (type === null ? undefined : [type]);
}

/** The types of blocks of a kernel. */
export class BlockRegistry {
  readonly #byType = new Map<string, Block>();
  readonly #ofEveryType: readonly Block[];
  /** The types of blocks that are served in another form than stored, also without references; undefined for any. */
  readonly changed: ReadonlySet<string> | undefined;

  /** Throws when two blocks have one type: a mistake of a programmer. */
  constructor(blocks: readonly Block[]) {
    this.#ofEveryType = blocks.filter(({ type }) => type === null);
    for (const block of blocks) {
      if (block.type === null) continue;
      if (this.#byType.has(block.type)) throw new Error(`There are two types of blocks "${block.type}"`);
      this.#byType.set(block.type, block);
    }
    const changed = blocks.map(changedBy);
    this.changed = changed.every((types) => types !== undefined) ? new Set(changed.flat()) : undefined;
  }

  /** The names of the registered types. */
  get types(): string[] {
    return [...this.#byType.keys()];
  }

  /** The members of the blocks of each type, for the description of the API. */
  get members(): [type: string, members: TProperties][] {
    return [...this.#byType.values()].map(({ type, members = {} }) => [String(type), members]);
  }

  /** The type of block of a name; undefined for an unknown name. */
  find(type: unknown): Block | undefined {
    return typeof type === 'string' ? this.#byType.get(type) : undefined;
  }

  /** Declarations whose `write` handles blocks of a type, in order: declarations for all types come first. */
  writers(type: unknown): Block[] {
    const own = this.find(type);
    return own ? [...this.#ofEveryType, own] : [...this.#ofEveryType];
  }

  /** Declarations whose `read` handles blocks of a type, in order: declarations for all types come last. */
  readers(type: unknown): Block[] {
    const own = this.find(type);
    return own ? [own, ...this.#ofEveryType] : [...this.#ofEveryType];
  }
}
