import { locate } from '../../content/locate.ts';
import { has, reject } from '../../content/permissions.ts';
import { ROOT } from '../../content/tree-path.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Queryable } from '../../storage/database.ts';
import type { RecycledEntry } from './statements/recycle-entries.ts';

/** Whether the caller manages the whole bin. */
async function managesBin(kernel: Kernel, db: Queryable, caller: Caller): Promise<boolean> {
  const { site, resolved } = await locate(kernel, ROOT, db);
  return resolved !== undefined && has(site, caller, resolved, MANAGE_PORTAL);
}

/**
 * Whose deletions the caller sees in the bin: undefined for everybody's, which managers of the site see, else their own
 * id (Nick: Manage Site or the deleter). Throws Unauthorized for nobody.
 */
export async function recycleOwner(kernel: Kernel, db: Queryable, caller: Caller): Promise<string | undefined> {
  if (caller.id === null) reject(caller);
  return (await managesBin(kernel, db, caller)) ? undefined : caller.id;
}

/** The entry with an id, if it is there and the caller's. Throws Unauthorized, NotFound or Forbidden, in this order. */
export async function requireRecycled(
  kernel: Kernel,
  db: Queryable,
  caller: Caller,
  { id, entry }: { id: string; entry: RecycledEntry | undefined },
): Promise<RecycledEntry> {
  const owner = await recycleOwner(kernel, db, caller);
  if (!entry) throw new NotFound(`/@recyclebin/${id}`, 'There is no such entry in the recycle bin.');
  if (owner !== undefined && owner !== entry.deletedBy) reject(caller);
  return entry;
}
