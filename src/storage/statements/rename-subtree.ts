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
  await db.query({
    name: 'rename-subtree',
    text: `update content set path = $2 || substr(path, length($1) + 1), name = case when oid = $3 then $4 else name end
      where ${AT_OR_BELOW('path', '$1')}`,
    values: [from, to, oid, name],
  });
}

/** Bytes of the longest path at or below `path`; 0 when nothing is there. */
export async function longestPath(db: Queryable, path: string): Promise<number> {
  const rows = await db.query<{ bytes: number }>({
    name: 'longest-path',
    text: `select coalesce(max(octet_length(path)), 0) as bytes from content where ${AT_OR_BELOW('path', '$1')}`,
    values: [path],
  });
  return rows[0]?.bytes ?? 0;
}
