import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import { recycleOwner, requireRecycled } from './recycle-access.ts';
import { retainedSince } from './recycle-settings.ts';
import { findRecycled, purgeAllRecycled, purgeRecycled, purgeRecycledBefore } from './statements/recycle-entries.ts';

/** Entries that are purged in one transaction: each may hold thousands of objects. */
const BATCH = 20;

/** Removes one entry for good. Throws NotFound, Unauthorized or Forbidden. */
export async function purgeEntry(kernel: Kernel, caller: Caller, id: string): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await requireRecycled(kernel, tx, caller, { id, entry: await findRecycled(tx, id, true) });
    await purgeRecycled(tx, id);
  });
}

/** Removes everything that the caller sees in the bin for good. Throws Unauthorized for nobody. */
export async function emptyBin(kernel: Kernel, caller: Caller): Promise<void> {
  await kernel.db.transaction(async (tx) => purgeAllRecycled(tx, await recycleOwner(kernel, tx, caller)));
}

/** Removes the entries that are older than the site keeps them. Answers how many. */
export async function purgeOutdated(kernel: Kernel): Promise<number> {
  const before = retainedSince(await kernel.sites.current());
  if (before === undefined) return 0;
  let purged = 0;
  for (;;) {
    const count = await kernel.db.transaction((tx) => purgeRecycledBefore(tx, before, BATCH));
    purged += count;
    if (count < BATCH) return purged;
  }
}
