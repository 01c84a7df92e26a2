import { Forbidden } from '../lib/errors.ts';
import type { Queryable } from '../storage/database.ts';
import { longestPath } from '../storage/statements/subtrees.ts';
import { MAX_PATH_BYTES } from './name-chooser.ts';

/** Throws Forbidden when something at or below `from` would get too long a path where `from` becomes `to`. */
export async function checkSubtreePaths(tx: Queryable, from: string, to: string): Promise<void> {
  const more = Buffer.byteLength(to) - Buffer.byteLength(from);
  if (more <= 0) return;
  if ((await longestPath(tx, from)) + more > MAX_PATH_BYTES)
    throw new Forbidden('Paths below it would be too long. Choose a shorter id or a place further up.');
}
