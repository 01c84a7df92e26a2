import { contentRows, DELETE, has, journal, locateForWrite, locks, MODIFY, tree, VIEW } from '#core';
import { BadRequest } from '#lib/errors';
import { havePositions } from '../statements/undo.ts';
import { whyFinal } from './final.ts';
import { requireObject, type StoredStepOf, type UndoContext } from './undo-step.ts';

/** Moves an object back, under its former name. Throws BadRequest when the object was moved since, or its former place is gone or taken. */
export async function undoMove(context: UndoContext, step: StoredStepOf<'moved'>): Promise<void> {
  const { kernel, tx, caller } = context;
  const { before, after } = step.data;
  const isRename = before.parent === after.parent;
  const folder = (await contentRows.pathsOf(tx, [before.parent])).get(before.parent);
  if (folder === undefined) throw new BadRequest(`The folder that ${step.path} was in does not exist any more.`);
  // The folder is locked first, because writers lock from the root downward.
  const place = await locateForWrite(kernel, folder, tx, isRename ? 'change' : 'add-inside');
  const { site, resolved } = await requireObject(context, step, [isRename ? MODIFY : DELETE]);
  const { object } = resolved;
  if (object.parent !== after.parent || object.name !== after.name)
    throw new BadRequest(`${object.path} has been moved or renamed since.`);
  const container = place.resolved;
  if (container?.object.oid !== before.parent || !has(site, caller, container, VIEW))
    throw new BadRequest(`The folder that ${step.path} was in does not exist any more.`);
  locks.requireUnlocked(object, undefined);
  const { name, position } = before;
  await tree.place(kernel, tx, { caller, site, container, source: resolved, name, position });
}

/** Puts children back into their former order. Throws BadRequest when the order has changed since, or the former order was not stored. */
export async function undoOrder(context: UndoContext, step: StoredStepOf<'ordered'>): Promise<void> {
  const { kernel, tx, caller } = context;
  const { moves } = step.data;
  const { resolved } = await requireObject(context, step, [MODIFY]);
  const { oid, path } = resolved.object;
  if (moves === null) throw new BadRequest(whyFinal(kernel.slots.get(journal.STEP_KINDS), { ...step, path }));
  locks.requireUnlocked(resolved.object, undefined);
  if (!(await havePositions(tx, oid, moves))) throw new BadRequest(`The order in ${path} has been changed since.`);
  const back = moves.map(({ oid: child, before, after }) => ({ oid: child, before: after, after: before }));
  await tree.reorder(kernel, tx, { caller, parent: oid, moves: back });
}
