import type { Kernel } from '../../site/kernel.ts';
import { purgeOutdated } from './recycle-purge.ts';
import { isRecycling } from './recycle-settings.ts';
import { storeRecycled } from './statements/recycle-store.ts';

/**
 * Keeps what is deleted, where the site has the recycle bin switched on, and lets go what has been in it for too long. It
 * has to be the last subscriber: rows that others change or remove at a deletion are kept as they leave them.
 */
export function subscribeRecycleBin(kernel: Kernel): void {
  kernel.events.on('content.removing', async ({ oid, path, site, recyclable }, { tx, caller }) => {
    if (!recyclable || !isRecycling(site)) return;
    await storeRecycled(tx, { oid, path, deletedBy: caller.id ?? '' });
    tx.afterCommit(() => purgeOutdated(kernel).then(() => undefined));
  });
}
