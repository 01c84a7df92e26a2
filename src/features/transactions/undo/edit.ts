import { isDeepStrictEqual } from 'node:util';
import { type ContentObject, fieldValues, has, journal, locks, MODIFY, reject, versions } from '#core';
import { BadRequest } from '#lib/errors';
import { newestVersion } from '../statements/undo.ts';
import { whyFinal } from './final.ts';
import { noteOf, requireObject, type StoredStepOf, type UndoContext } from './undo-step.ts';

/** All stored values of an object by name, its layout among them. */
const valuesOf = (object: ContentObject): Record<string, unknown> => ({
  ...fieldValues.of(object),
  [versions.LAYOUT]: object.layout,
});

/**
 * The version that the edit has made; null for none. If the transaction has deleted the object as well, the newest version is that of its last edit,
 * because content in the recycle bin is not edited.
 */
async function versionAfter(context: UndoContext, step: StoredStepOf<'edited'>): Promise<number | null> {
  const { tx, transaction, versionsRestored } = context;
  const { content, version } = step;
  const ofContent = transaction.steps.filter((other) => other.content === content);
  if (version !== null || content === null || !ofContent.some(({ action }) => action === 'deleted')) return version;
  const newest = versionsRestored.get(content) ?? (await newestVersion(tx, content));
  versionsRestored.set(content, newest);
  const later = ofContent.slice(ofContent.indexOf(step) + 1);
  return later.reduce<number | null>(
    (made, other) => (made !== null && other.action === 'edited' ? made - other.data.versions : made),
    newest,
  );
}

/**
 * Gives an object the values from before an edit, which makes a new version. Other fields stay. Throws BadRequest for an object that has no versions,
 * whose values were edited since, or whose former values are not valid any more.
 */
export async function undoEdit(context: UndoContext, step: StoredStepOf<'edited'>): Promise<void> {
  const { kernel, tx, caller } = context;
  const { site, resolved } = await requireObject(context, step, [MODIFY]);
  const { object } = resolved;
  const { path } = object;
  const { fields, versions: count } = step.data;
  const type = site.types.get(object.type);
  if (!type) throw new BadRequest(`The site no longer has the type "${object.type}": this object cannot be edited.`);
  const version = await versionAfter(context, step);
  if (version === null) throw new BadRequest(whyFinal(kernel.slots.get(journal.STEP_KINDS), { ...step, path }));
  locks.requireUnlocked(object, undefined);
  const then = (await versions.resolve(tx, site, resolved, version - count))?.object;
  const after = (await versions.resolve(tx, site, resolved, version))?.object;
  if (!then || !after) throw new BadRequest(`The former version of ${path} is no longer kept.`);
  const [now, made, former] = [valuesOf(object), valuesOf(after), valuesOf(then)];
  const values: Record<string, unknown> = {};
  for (const name of fields) {
    if (!isDeepStrictEqual(now[name] ?? null, made[name] ?? null))
      throw new BadRequest(`"${name}" of ${path} has been changed since.`);
    if (isDeepStrictEqual(now[name] ?? null, former[name] ?? null)) continue;
    const field = type.fieldByName.get(name);
    if (!field && name !== versions.LAYOUT)
      throw new BadRequest(`The type "${object.type}" has no field "${name}" any more.`);
    if (field?.write_permission !== undefined && !has(site, caller, resolved, field.write_permission))
      reject(caller, `You may not change "${name}" of ${path}.`);
    values[name] = former[name] ?? null;
  }
  const { [versions.LAYOUT]: layout, ...stored } = values;
  const isLayoutBack = Object.hasOwn(values, versions.LAYOUT);
  if (isLayoutBack && typeof layout === 'string' && !type.layouts.includes(layout))
    throw new BadRequest(`The type "${object.type}" has no layout "${layout}" any more.`);
  const [problem] = fieldValues.problems(type, { ...fieldValues.of(object), ...stored }, new Set(Object.keys(stored)));
  if (problem) throw new BadRequest(problem.message);
  await fieldValues.write(kernel, tx, {
    ...{ site, object, caller, values: stored, note: noteOf(context) },
    layout: isLayoutBack ? then.layout : undefined,
  });
}
