import type { Target } from '../../types/field-kind.ts';
import { transformServed } from './block-transforms.ts';
import './core-transforms.ts';
import type { FindTarget } from './serve-link.ts';

/**
 * Stored blocks as the caller gets them: references as the present address of their target, with its
 * pictures; teasers with its summary. `targets` knows all targets of `collectUids(blocks)`. The input is
 * not altered.
 */
export const serveBlocks = (blocks: unknown, targets: FindTarget<Target>): unknown => transformServed(blocks, targets);
