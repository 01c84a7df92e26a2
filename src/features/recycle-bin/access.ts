import { locate } from '../../content/locate.ts';
import { has, reject } from '../../content/permissions.ts';
import { ROOT } from '../../content/tree-path.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import type { Queryable } from '../../storage/database.ts';
import { retainedSince } from './panel.ts';
import {
  findRecycled,
  purgeAllRecycled,
  purgeRecycled,
  purgeRecycledBefore,
  type RecycledEntry,
} from './statements/entries.ts';

/** Whether the caller manages the entries of all users. */
async function managesBin(kernel: Kernel, db: Queryable, caller: Caller): Promise<boolean> {
  const { site, resolved } = await locate(kernel, ROOT, db);
  return resolved !== undefined && has(site, caller, resolved, MANAGE_PORTAL);
}

/**
 * Id of the user whose deletions the caller sees: undefined for managers of the site, who see all, else the caller's own
 * (Nick: Manage Site or the deleter). Throws Unauthorized for Anonymous.
 */
export async function recycleOwner(kernel: Kernel, db: Queryable, caller: Caller): Promise<string | undefined> {
  if (caller.id === null) reject(caller);
  return (await managesBin(kernel, db, caller)) ? undefined : caller.id;
}

/** Returns the entry if it exists and the caller may see it. Throws Unauthorized, NotFound or Forbidden, in this order. */
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

/** Entries that one transaction purges: each may have thousands of objects. */
const PURGE_BATCH_SIZE = 20;

/** Removes one entry for good. Throws NotFound, Unauthorized or Forbidden. */
export async function purgeEntry(kernel: Kernel, caller: Caller, id: string): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const { path } = await requireRecycled(kernel, tx, caller, { id, entry: await findRecycled(tx, id, true) });
    await purgeRecycled(tx, id);
    await kernel.events.emit('site.changed', { part: 'recycle-bin', id, change: 'purged', path }, { tx, caller });
  });
}

/** Removes everything that the caller sees in the bin for good. Throws Unauthorized for Anonymous. */
export async function emptyBin(kernel: Kernel, caller: Caller): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await purgeAllRecycled(tx, await recycleOwner(kernel, tx, caller));
    await kernel.events.emit('site.changed', { part: 'recycle-bin', id: '', change: 'emptied' }, { tx, caller });
  });
}

/** Removes the entries that are older than the retention period of the site. Returns their number. */
export async function purgeOutdated(kernel: Kernel): Promise<number> {
  const before = retainedSince(await kernel.sites.current());
  if (before === undefined) return 0;
  let purged = 0;
  for (;;) {
    const count = await kernel.db.transaction((tx) => purgeRecycledBefore(tx, before, PURGE_BATCH_SIZE));
    purged += count;
    if (count < PURGE_BATCH_SIZE) return purged;
  }
}
