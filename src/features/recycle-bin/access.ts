import { type Caller, contentPath, has, type Kernel, locate, MANAGE_PORTAL, type Queryable, reject } from '#core';
import { untilFewer } from '#lib/batches';
import { NotFound } from '#lib/errors';
import { retainedSince } from './panel.ts';
import {
  type BinView,
  findRecycled,
  purgeAllRecycled,
  purgeRecycled,
  purgeRecycledBefore,
  type RecycledEntry,
} from './statements/entries.ts';

/** True if the caller manages the entries of all users. */
async function managesBin(kernel: Kernel, db: Queryable, caller: Caller): Promise<boolean> {
  const { site, resolved } = await locate(kernel, contentPath.ROOT, db);
  return resolved !== undefined && has(site, caller, resolved, MANAGE_PORTAL);
}

/**
 * The part of the bin that the caller sees: undefined for managers of the site, who see all; for others the content that they have deleted (Nick:
 * Manage Site or the deleter) and could view. Throws Unauthorized for Anonymous.
 */
export async function binView(kernel: Kernel, db: Queryable, caller: Caller): Promise<BinView | undefined> {
  if (caller.id === null) reject(caller);
  return (await managesBin(kernel, db, caller)) ? undefined : { owner: caller.id, principals: caller.principals };
}

/**
 * Returns an entry if it exists and the caller may see it, with the view of the caller. With `lock` it is locked until the transaction ends. Throws
 * Unauthorized, NotFound or Forbidden, in this order.
 */
export async function requireRecycled(
  kernel: Kernel,
  db: Queryable,
  caller: Caller,
  { id, lock = false }: { id: string; lock?: boolean },
): Promise<{ entry: RecycledEntry; view: BinView | undefined }> {
  const view = await binView(kernel, db, caller);
  const entry = await findRecycled(db, id, { lock, view });
  if (!entry) throw new NotFound(`/@recyclebin/${id}`, 'There is no such entry in the recycle bin.');
  if (view !== undefined && view.owner !== entry.deletedBy) reject(caller);
  return { entry, view };
}

/** Maximum number of entries that one transaction purges, as each may have thousands of objects. */
const PURGE_BATCH_SIZE = 20;

/** Removes one entry for good. Throws NotFound, Unauthorized or Forbidden. */
export async function purgeEntry(kernel: Kernel, caller: Caller, id: string): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const { entry } = await requireRecycled(kernel, tx, caller, { id, lock: true });
    await purgeRecycled(tx, id);
    await kernel.events.emit(
      'site.changed',
      { part: 'recycle-bin', id, change: 'purged', path: entry.path },
      { tx, caller },
    );
  });
}

/** Removes for good everything that the caller sees in the bin. Throws Unauthorized for Anonymous. */
export async function emptyBin(kernel: Kernel, caller: Caller): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await purgeAllRecycled(tx, (await binView(kernel, tx, caller))?.owner);
    await kernel.events.emit('site.changed', { part: 'recycle-bin', id: '', change: 'emptied' }, { tx, caller });
  });
}

/** Removes the entries that are older than the retention period of the site. Returns their number. */
export async function purgeOutdated(kernel: Kernel): Promise<number> {
  const before = retainedSince(await kernel.sites.current());
  if (before === undefined) return 0;
  return untilFewer(PURGE_BATCH_SIZE, () =>
    kernel.db.transaction((tx) => purgeRecycledBefore(tx, before, PURGE_BATCH_SIZE)),
  );
}
