import { MethodNotAllowed, NotFound } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { DELETE } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import { storeRecycled } from '../storage/statements/recycle-store.ts';
import { removeContent as removeRows } from '../storage/statements/remove-content.ts';
import { isRoot, locateForWrite } from './locate.ts';
import { needUnlocked } from './locking.ts';
import { need } from './permissions.ts';
import { purgeOutdated } from './recycle-purge.ts';
import { isRecycling } from './recycle-settings.ts';

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
    const { site, located } = await locateForWrite(kernel, path, tx, 'change');
    if (!located) throw new NotFound(path);
    need(site, caller, located, DELETE);
    if (isRoot(located.object))
      throw new MethodNotAllowed('The site root may not be deleted.', ['GET', 'PATCH', 'POST']);
    needUnlocked(located.object, lockToken);
    await kernel.events.emit('content.removing', { oid: located.object.oid, path }, { tx, caller });
    if (isRecycling(site)) {
      await storeRecycled(tx, { oid: located.object.oid, path, deletedBy: caller.id ?? '' });
      tx.afterCommit(() => purgeOutdated(kernel).then(() => undefined));
    }
    await removeRows(tx, located.object.oid);
  });
}
