import { coreBlocks } from '../../src/content/blocks/core-blocks.ts';
import * as text from '../../src/content/blocks/searchable-text.ts';
import * as transforms from '../../src/content/blocks/transforms.ts';
import { Slots } from '../../src/lib/slots.ts';
import { BlockRegistry } from '../../src/types/block.ts';
import type { Target } from '../../src/types/field-kind.ts';

const registry = new BlockRegistry(coreBlocks);

/** The functions on blocks, with the blocks of the core. */
export const blocksText = (blocks: unknown, layout: unknown): string => text.blocksText(registry, blocks, layout);
export const collectLinks = (blocks: unknown): Set<string> => transforms.collectLinks(registry, blocks);
export const linkedUids = (blocks: unknown): Set<string> => transforms.linkedUids(registry, blocks);
export const storeBlocks = (blocks: unknown, resolve: (link: string) => string): unknown =>
  transforms.storeBlocks(registry, blocks, resolve);
export const serveBlocks = (blocks: unknown, targets: (uid: string) => Target | undefined): unknown =>
  transforms.serveBlocks(registry, blocks, { targets, mayEdit: true, slots: new Slots() });
