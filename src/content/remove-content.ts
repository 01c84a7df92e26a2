import { purgeOutdated } from '../features/recycle-bin/recycle-purge.ts';
import { isRecycling } from '../features/recycle-bin/recycle-settings.ts';
import { storeRecycled } from '../features/recycle-bin/statements/recycle-store.ts';
import { MethodNotAllowed, NotFound } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { DELETE } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import { removeContent as removeRows } from '../storage/statements/remove-content.ts';
import { isRoot, locateForWrite } from './locate.ts';
import { requireUnlocked } from './locking.ts';
import { requirePermission } from './permissions.ts';

/**
 * Removes an object and everything below it, in one transaction with its events. It goes into the recycle bin, where
 * the site has it switched on, and what is too old goes from there. Throws NotFound, Unauthorized or
 * Forbidden, MethodNotAllowed for the site root, and Forbidden for an object that is locked without its token.
 */
export async function removeContent(
  kernel: Kernel,
  { caller, path, lockToken }: { caller: Caller; path: string; lockToken: string | undefined },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
    if (!resolved) throw new NotFound(path);
    requirePermission(site, caller, resolved, DELETE);
    if (isRoot(resolved.object))
      throw new MethodNotAllowed('The site root may not be deleted.', ['GET', 'PATCH', 'POST']);
    requireUnlocked(resolved.object, lockToken);
    await kernel.events.emit('content.removing', { oid: resolved.object.oid, path }, { tx, caller });
    if (isRecycling(site)) {
      await storeRecycled(tx, { oid: resolved.object.oid, path, deletedBy: caller.id ?? '' });
      tx.afterCommit(() => purgeOutdated(kernel).then(() => undefined));
    }
    await removeRows(tx, resolved.object.oid);
  });
}
