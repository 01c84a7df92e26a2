import { contentPath, DELETE, journal, locks, tree } from '#core';
import { BadRequest } from '#lib/errors';
import { isRecycling } from '../../recycle-bin/panel.ts';
import { restoreWithin } from '../../recycle-bin/restore.ts';
import { findDeletion, isChangedSince } from '../statements/undo.ts';
import { whyFinal } from './final.ts';
import { requireObject, type StoredStepOf, type UndoContext } from './undo-step.ts';

/** Moves added content into the recycle bin. Throws BadRequest when the content was changed since, or there is no bin. */
export async function undoBringing(
  context: UndoContext,
  step: StoredStepOf<'created' | 'copied' | 'restored'>,
): Promise<void> {
  const { kernel, tx, caller, transaction, together } = context;
  const { site, resolved } = await requireObject(context, step, [DELETE]);
  const { object } = resolved;
  if (contentPath.isRoot(object)) throw new BadRequest('The site root cannot be removed.');
  if (!isRecycling(site)) throw new BadRequest(`The recycle bin is switched off: delete ${object.path} instead.`);
  if (await isChangedSince(tx, { id: transaction.id, path: object.path, except: together }))
    throw new BadRequest(`${object.path} has been changed since.`);
  locks.requireUnlocked(object, undefined);
  await tree.removeHeld(kernel, tx, { caller, site, object, recyclable: true });
}

/** Restores deleted content at its old place. Throws BadRequest when the content or its place is gone for good. */
export async function undoDeletion(
  { kernel, tx, caller, transaction }: UndoContext,
  step: StoredStepOf<'deleted'>,
): Promise<void> {
  const id = step.content === null ? undefined : await findDeletion(tx, step.content, transaction.id);
  if (id === undefined) throw new BadRequest(whyFinal(kernel.slots.get(journal.STEP_KINDS), step));
  await restoreWithin(kernel, tx, { caller, id, target: undefined, restoreId: undefined, bases: [], sameName: true });
}
