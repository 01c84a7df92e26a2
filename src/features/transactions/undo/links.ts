import { MODIFY, permissions } from '#core';
import { restoreAliases } from '../../aliases/restore-aliases.ts';
import { restoreSharing } from '../../sharing/restore-sharing.ts';
import { MANAGE_TRANSLATIONS, restoreGroup } from '../../translations/translation-group.ts';
import { requireObject, type StoredStepOf, type UndoContext } from './undo-step.ts';

/** Gives an object its former local roles. */
export async function undoSharing(context: UndoContext, step: StoredStepOf<'shared'>): Promise<void> {
  const { site, resolved } = await requireObject(context, step, [MODIFY, permissions.DELEGATE_ROLES]);
  const { kernel, tx, caller } = context;
  await restoreSharing(kernel, tx, { caller, site, resolved, ...step.data });
}

/** Puts an object back into its former group of translations, or into none. */
export async function undoTranslation(context: UndoContext, step: StoredStepOf<'translated'>): Promise<void> {
  const { resolved } = await requireObject(context, step, [MANAGE_TRANSLATIONS]);
  const { kernel, tx, caller } = context;
  await restoreGroup(kernel, tx, caller, { object: resolved.object, ...step.data });
}

/** Removes addresses that were added, and brings those back that were removed. */
export async function undoAliases(
  { kernel, tx, caller }: UndoContext,
  { path, data: { change, redirects } }: StoredStepOf<'aliased'>,
): Promise<void> {
  await restoreAliases(kernel, tx, { caller, change, path, redirects: redirects ?? [] });
}
