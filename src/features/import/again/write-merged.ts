import {
  type ContentChange,
  type ContentType,
  callers,
  contentRows,
  contentStates,
  fieldValues,
  indexing,
  type ResolvedNode,
  type Site,
  type Transaction,
  workflowHistory,
  workflowOf,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import { historyOf } from '../content-rows.ts';
import { hasTranslation } from '../statements/again.ts';
import type { AgainRun } from './again-job.ts';
import type { LoadedAgain } from './state-there.ts';

/** A held object of the site, and what it gets of the newer export. */
export type MergedWrite = {
  site: Site;
  type: ContentType;
  resolved: ResolvedNode;
  loaded: LoadedAgain;
  merged: contentStates.Merged;
};

/** Writes what an object gets of the newer export: values and layout as a change with a version, settings with their events. */
export async function writeMerged(tx: Transaction, run: AgainRun, write: MergedWrite): Promise<void> {
  const { site, type, resolved, loaded, merged } = write;
  const { change, item } = { change: loaded.item.change, item: loaded.item };
  const { values, layout } = merged.change;
  // Versions name who made the change there, or the command.
  const caller = callers.system(change.actor);
  const isTaken = merged.conflicts.length === 0 && item.modified !== null && item.modified > resolved.object.modified;
  const at = isTaken && item.modified ? item.modified : undefined;
  const { object, ancestors } = resolved;
  await fieldValues.write(run.again.kernel, tx, {
    site,
    object,
    ancestors,
    caller,
    values,
    layout,
    note: change.note,
    at,
  });
  await writeSettings(tx, run, { site, type, resolved, loaded, settings: merged.settings });
}

type SettingsWrite = Omit<MergedWrite, 'merged'> & { settings: JsonObject };

async function writeSettings(tx: Transaction, run: AgainRun, write: SettingsWrite): Promise<void> {
  const { site, resolved, settings } = write;
  if (Object.keys(settings).length === 0) return;
  const { object, ancestors } = resolved;
  const change = contentStates.columnsOf(object, settings);
  if (Object.keys(change).length > 0) await contentRows.update(tx, object.oid, change);
  if (change.reviewState !== undefined) await writeState(tx, run, write, change.reviewState);
  if (change.localRoles !== undefined || change.inheritRoles !== undefined) {
    const before = { localRoles: object.localRoles, inheritRoles: object.inheritRoles };
    const after = { ...before, ...withoutAbsent(change) };
    const caller = callers.system();
    await run.again.kernel.events.emit('content.shared', { oid: object.oid, before, after }, { tx, caller });
  }
  if ('translation_group' in settings) await writeTranslations(tx, run, write);
  // Viewers follow from state, owner, roles and permissions.
  await indexing.updateViewers(tx, site, object.path, ancestors);
}

const withoutAbsent = ({ localRoles, inheritRoles }: ContentChange) => ({
  ...(localRoles === undefined ? {} : { localRoles }),
  ...(inheritRoles === undefined ? {} : { inheritRoles }),
});

/** Records how an object came to its state: the entries of the export's history that the site does not have. */
async function writeState(
  tx: Transaction,
  run: AgainRun,
  { site, type, resolved: { object }, loaded: { item } }: SettingsWrite,
  state: string | null,
): Promise<void> {
  const keyOf = ({ workflow, action, at, reviewState }: workflowHistory.Entry) =>
    JSON.stringify([workflow, action, at.getTime(), reviewState]);
  const known = new Set((await workflowHistory.list(tx, object.oid)).map(keyOf));
  const entries = historyOf(run, item, { type, reviewState: state, owner: object.owner, at: new Date() });
  const added = entries.filter((entry) => !known.has(keyOf(entry)));
  await workflowHistory.add(
    tx,
    added.map((entry) => ({ ...entry, content: object.oid })),
  );
  const last = added.at(-1);
  if (state === null || !workflowOf(site, type.id)) return;
  await run.again.kernel.events.emit(
    'content.transitioned',
    {
      ...{ oid: object.oid, transition: last?.action ?? '', from: object.reviewState ?? '', to: state },
      ...{ comment: last?.comments ?? '', dates: {}, site },
    },
    { tx, caller: callers.system(last?.actor) },
  );
}

/** Puts an object into a group of translations, or takes it out, unless the group has its language already. */
async function writeTranslations(
  tx: Transaction,
  run: AgainRun,
  { resolved: { object }, settings }: SettingsWrite,
): Promise<void> {
  const group = typeof settings.translation_group === 'string' ? settings.translation_group : null;
  const { oid, path, translationGroup: before } = object;
  const language = typeof settings.language === 'string' ? settings.language : object.language;
  if (group !== null && (await hasTranslation(tx, { group, language, oid }))) {
    const message = `Its translations have an object in ${language ?? 'its language'} on the site already.`;
    run.report.add({ reason: 'target', path, key: 'translations', message });
    return;
  }
  await contentRows.update(tx, oid, { translationGroup: group });
  const caller = callers.system();
  await run.again.kernel.events.emit('content.translated', { oid, before, after: group }, { tx, caller });
}
