import { has, reject } from '../../content/permissions.ts';
import { removeLocked } from '../../content/remove-content.ts';
import { MODIFY } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { CheckInRequest } from './working-copy-check-in.ts';
import { CHECK_IN, requireEmptyCopy, requireNotLockedByOthers } from './working-copy-rights.ts';
import { lockSides } from './working-copy-sides.ts';

/**
 * Gives up a working copy, from either side, in one transaction with its events: it goes, into the recycle bin where the
 * site has that switched on, and the baseline is as it was and free. Who may check in the copy may, and who may check in
 * to the baseline and modify it: nobody is locked out of content for good by somebody else's copy. Throws NotFound;
 * Unauthorized or Forbidden without such a right, when nothing is checked out, and for a copy that somebody else has
 * locked; Conflict for a copy with content in it.
 */
export async function cancelCheckOut(kernel: Kernel, { caller, path, lockToken }: CheckInRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const sides = await lockSides(kernel, tx, path);
    if (!sides) reject(caller, 'Cancel not allowed: there is no working copy.');
    const { site, baseline, copy } = sides;
    const mayFree = [CHECK_IN, MODIFY].every((permission) => has(site, caller, baseline, permission));
    if (!mayFree && !has(site, caller, copy, CHECK_IN)) reject(caller);
    requireNotLockedByOthers(caller, copy.object, lockToken);
    requireEmptyCopy(copy.object);
    await removeLocked(kernel, tx, { caller, site, object: copy.object, recyclable: true });
  });
}
