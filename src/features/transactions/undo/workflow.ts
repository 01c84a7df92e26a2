import { contentRows, indexing, MODIFY, permissions, stateOf, workflowHistory } from '#core';
import { BadRequest } from '#lib/errors';
import { noteOf, requireObject, type StoredStepOf, type UndoContext } from './undo-step.ts';

const DATES = ['effective', 'expires'] as const;

const asDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

/**
 * Gives an object its former state, with the dates of publication from before the transition. Throws BadRequest when state or dates have changed
 * since.
 */
export async function undoTransition(context: UndoContext, step: StoredStepOf<'workflow'>): Promise<void> {
  const { kernel, tx, caller } = context;
  const { site, resolved } = await requireObject(context, step, [MODIFY, permissions.REVIEW]);
  const { object, ancestors } = resolved;
  const { from, to, dates } = step.data;
  const workflow = stateOf(site, object)?.workflow;
  if (object.reviewState !== to) throw new BadRequest(`The state of ${object.path} has been changed since.`);
  if (!workflow || !Object.hasOwn(workflow.states, from))
    throw new BadRequest(`The workflow of ${object.path} has no state "${from}" any more.`);
  for (const name of DATES) {
    const date = dates[name];
    if (date && (object[name]?.toISOString() ?? null) !== date.after)
      throw new BadRequest(`The dates of publication of ${object.path} have been changed since.`);
  }
  const back = DATES.flatMap((name) => {
    const date = dates[name];
    return date ? [{ name, before: asDate(date.after), after: asDate(date.before) }] : [];
  });
  const comment = noteOf(context);
  const at = new Date();
  await contentRows.update(tx, object.oid, {
    reviewState: from,
    modified: at,
    ...Object.fromEntries(back.map(({ name, after }) => [name, after])),
  });
  await workflowHistory.add(tx, [
    {
      content: object.oid,
      workflow: workflow.id,
      action: 'undo',
      actor: caller.id ?? '',
      comments: comment,
      reviewState: from,
      at,
    },
  ]);
  await indexing.updateViewers(tx, site, object.path, ancestors);
  const changes = Object.fromEntries(back.map(({ name, ...change }) => [name, change]));
  await kernel.events.emit(
    'content.transitioned',
    { oid: object.oid, transition: 'undo', from: to, to: from, comment, dates: changes, site },
    { tx, caller },
  );
}
