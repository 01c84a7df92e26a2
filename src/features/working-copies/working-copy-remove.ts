import { Conflict } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { ContentObject } from '../../storage/content-row.ts';
import type { Transaction } from '../../storage/database.ts';
import { removeContent as removeRows } from '../../storage/statements/remove-content.ts';
import { purgeOutdated } from '../recycle-bin/recycle-purge.ts';
import { storeRecycled } from '../recycle-bin/statements/recycle-store.ts';

/**
 * Throws Conflict when there is content in the working copy, which would go with it. That may be other content, of
 * somebody else, or the baseline itself.
 */
export function requireEmptyCopy({ hasChildren, path }: ContentObject): void {
  if (hasChildren) throw new Conflict(`There is content in the working copy ${path}. Move or remove it first.`);
}

/**
 * Removes a held working copy, with its events, and with it the lock of the baseline. With `recycle` it goes into the
 * recycle bin; restored from there it is content like any other.
 */
export async function removeWorkingCopy(
  kernel: Kernel,
  tx: Transaction,
  { caller, copy: { oid, path }, recycle }: { caller: Caller; copy: ContentObject; recycle: boolean },
): Promise<void> {
  await kernel.events.emit('content.removing', { oid, path }, { tx, caller });
  if (recycle) {
    await storeRecycled(tx, { oid, path, deletedBy: caller.id ?? '' });
    tx.afterCommit(() => purgeOutdated(kernel).then(() => undefined));
  }
  await removeRows(tx, oid);
}
