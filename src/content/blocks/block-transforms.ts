import type { JsonObject } from '../../lib/json-object.ts';
import type { Target } from '../../types/field-kind.ts';
import type { FindTarget } from './serve-link.ts';
import { mapBlocks } from './walk.ts';

/** What a transform of written blocks may use. */
export type WriteContext = {
  /** The stored form of an internal link, or the string itself. Every possible link is passed to it. */
  resolve(link: string): string;
  /** Safe HTML of an author's HTML; does nothing while links are only collected. */
  sanitize(html: string): string;
  /** Whether an object is a sub-block, which has been through all transforms already. */
  isSubBlock(value: object): boolean;
};

/** What a transform of served blocks may use. */
export type ReadContext = {
  targets: FindTarget<Target>;
  /** Whether an object is a sub-block, which has been through all transforms already. */
  isSubBlock(value: object): boolean;
};

type Transform<Direction, Context> = {
  /** The `@type` of the blocks it is for; null for blocks of every type. */
  blockType: string | null;
  /** Lower ones come first; those of one order in the order of their registration. Core's are at 0, 1 and 100. */
  order: number;
  direction: Direction;
  /** The block in its new form; never alters the one it is given. */
  transform(block: JsonObject, context: Context): JsonObject;
};

/** A step on the way of one block into the database (`write`) or out of it (`read`). */
export type BlockTransform = Transform<'write', WriteContext> | Transform<'read', ReadContext>;

const writing: Transform<'write', WriteContext>[] = [];
const reading: Transform<'read', ReadContext>[] = [];

function insert<T extends { order: number }>(list: T[], added: T): () => void {
  const next = list.findIndex(({ order }) => order > added.order);
  list.splice(next === -1 ? list.length : next, 0, added);
  return () => {
    const at = list.indexOf(added);
    if (at !== -1) list.splice(at, 1);
  };
}

/** Adds a transform for all sites of this process, core's own as well as an add-on's. The answer takes it away again. */
export const registerBlockTransform = (added: BlockTransform): (() => void) =>
  added.direction === 'write' ? insert(writing, added) : insert(reading, added);

function run<Context extends { isSubBlock(value: object): boolean }>(
  blocks: unknown,
  transforms: readonly Transform<unknown, Context>[],
  contextOf: (isSubBlock: (value: object) => boolean) => Context,
): unknown {
  const done = new WeakSet<object>();
  const context = contextOf((value) => done.has(value));
  return mapBlocks(blocks, (block) => {
    const result = transforms
      .filter(({ blockType }) => blockType === null || blockType === block['@type'])
      .reduce((before, { transform }) => transform(before, context), block);
    done.add(result);
    return result;
  });
}

/** Blocks that a client sent after all `write` transforms. Throws BadRequest when nested too deep. */
export const transformWritten = (blocks: unknown, tools: Omit<WriteContext, 'isSubBlock'>): unknown =>
  run(blocks, writing, (isSubBlock) => ({ ...tools, isSubBlock }));

/** Stored blocks after all `read` transforms. */
export const transformServed = (blocks: unknown, targets: FindTarget<Target>): unknown =>
  run(blocks, reading, (isSubBlock) => ({ targets, isSubBlock }));
