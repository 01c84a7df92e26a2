import { BadRequest } from '../../lib/errors.ts';

/** Levels that blocks may be nested in blocks, and values inside one block. Real pages stay below 30. */
export const MAX_DEPTH = 200;

/** Throws BadRequest beyond MAX_DEPTH: every recursion over a client's blocks is bounded by it. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new BadRequest(`Blocks are nested deeper than ${MAX_DEPTH} levels.`);
}
