import { coreBlocks } from '../../src/core/content/blocks/core-blocks.ts';
import * as text from '../../src/core/content/blocks/searchable-text.ts';
import * as transforms from '../../src/core/content/blocks/transforms.ts';
import { BlockRegistry } from '../../src/core/types/block.ts';
import type { Target } from '../../src/core/types/field-kind.ts';
import { Slots } from '../../src/lib/slots.ts';

const registry = new BlockRegistry(coreBlocks);

/** The functions on blocks, with the blocks of the core. */
export const blocksText = (blocks: unknown, layout: unknown): string => text.blocksText(registry, blocks, layout);
export const collectLinks = (blocks: unknown): ReadonlySet<string> => transforms.collectLinks(registry, blocks);
export const linkedUids = (blocks: unknown): Set<string> => transforms.linkedUids(registry, blocks);
export const storeBlocks = (blocks: unknown, resolve: (link: string) => string): unknown =>
  transforms.storeBlocks(registry, blocks, resolve);
export const serveBlocks = (blocks: unknown, targets: (uid: string) => Target | undefined): unknown =>
  transforms.serveBlocks(registry, blocks, { targets, mayEdit: true, slots: new Slots() });
