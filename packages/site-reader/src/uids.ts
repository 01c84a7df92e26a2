import { createHash } from 'node:crypto';

/**
 * Makes a UID from a path. It is the same for each import of the same site, so that a second import finds the objects
 * of the first.
 */
export function uidFromPath(contentPath: string): string {
  return createHash('sha256').update(contentPath).digest('hex').slice(0, 32);
}
