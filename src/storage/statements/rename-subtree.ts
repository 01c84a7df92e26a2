import type { Queryable } from '../database.ts';
import { AT_OR_BELOW } from './content-columns.ts';

/**
 * Gives an object another name, and everything below it the path that follows. The caller holds
 * locks on the object and its container. Throws the driver's unique violation when the name is taken.
 */
export async function renameSubtree(
  db: Queryable,
  { oid, name, from, to }: { oid: number; name: string; from: string; to: string },
): Promise<void> {
  await db.query({ name: 'rename-one', text: 'update content set name = $2 where oid = $1', values: [oid, name] });
  await db.query({
    name: 'rename-subtree',
    text: `update content set path = $2 || substr(path, length($1) + 1) where ${AT_OR_BELOW('path', '$1')}`,
    values: [from, to],
  });
}
