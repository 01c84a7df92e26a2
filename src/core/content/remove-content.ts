import type { Transaction } from '../../database/database.ts';
import { within } from '../../database/transactions.ts';
import { MethodNotAllowed, NotFound } from '../../lib/errors.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import { DELETE } from '../security/permissions.ts';
import type { ContentObject } from '../types/content-row.ts';
import { isRoot, locateForWrite } from './locate.ts';
import { requireUnchanged, requireUnlocked } from './locking.ts';
import { requirePermission } from './permissions.ts';
import { removeContent as removeRows } from './statements/write-content.ts';

/**
 * Removes held content and everything below it, with its events. With `recyclable` the site may store it in its recycle bin, as when a user deletes
 * content; `checkedIn` is the path of the content that a working copy was checked into.
 */
export async function removeHeld(
  { events }: Pick<Kernel, 'events'>,
  tx: Transaction,
  {
    caller,
    site,
    object: { oid, path, workingCopyOf },
    recyclable,
    checkedIn,
  }: { caller: Caller; site: Site; object: ContentObject; recyclable: boolean; checkedIn?: string },
): Promise<void> {
  const isWorkingCopy = workingCopyOf !== null;
  await events.emit('content.removing', { oid, path, site, recyclable, isWorkingCopy, checkedIn }, { tx, caller });
  await removeRows(tx, oid);
}

/**
 * Request to remove an object. `lockToken` is the value of the header `Lock-Token`; `expected` is the time of the last change that
 * the client has seen: the request is rejected after another change.
 */
export type RemoveRequest = {
  caller: Caller;
  path: string;
  lockToken: string | undefined;
  expected?: Date | undefined;
};

/**
 * Removes an object and everything below it, in one transaction with its events. Throws NotFound, Unauthorized or
 * Forbidden, MethodNotAllowed for the site root, and Forbidden for an object that is locked without its token.
 * @param options `tx` is the transaction of the caller
 */
export const removeContent = (
  kernel: Kernel,
  request: RemoveRequest,
  { tx: around }: { tx?: Transaction | undefined } = {},
): Promise<void> => within(kernel.db, around, (tx) => removeOne(kernel, tx, request));

async function removeOne(
  kernel: Kernel,
  tx: Transaction,
  { caller, path, lockToken, expected }: RemoveRequest,
): Promise<void> {
  const { site, resolved } = await locateForWrite(kernel, path, tx, 'change');
  if (!resolved) throw new NotFound(path);
  requirePermission(site, caller, resolved, DELETE);
  if (isRoot(resolved.object))
    throw new MethodNotAllowed('The site root may not be deleted.', ['GET', 'PATCH', 'POST']);
  requireUnchanged(resolved.object, expected);
  requireUnlocked(resolved.object, lockToken);
  await removeHeld(kernel, tx, { caller, site, object: resolved.object, recyclable: true });
}
