import {
  type ContentType,
  contentStates,
  fieldValues,
  has,
  locateForWrite,
  locks,
  MODIFY,
  permissions,
  ReceivedBytes,
  type ResolvedNode,
  reject,
  requirePermission,
  type Site,
  storedFiles,
  type Transaction,
} from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject, omit } from '#lib/json-object';
import { hashOf, isRight, ROOT_UID, travels, withRoot } from '../forms/object-form.ts';
import type { EntryOf } from '../forms/plan.ts';
import { type ApplyRun, addConflict, attempt, findHere, takes } from './apply-run.ts';
import { requireSettings } from './setting-forms.ts';
import { writeSettings } from './settings.ts';
import { type Sides, sidesOf, statesOf } from './sides.ts';
import { moveToState } from './states.ts';

/** Members of a stored file that are made anew of its bytes. */
const MADE_OF_BYTES = ['hash', 'size', 'width', 'height'];

/** A file as a client sends it, with its bytes in the store. Throws BadRequest when nobody brought them. */
async function fileInput(run: ApplyRun, value: JsonObject, present: unknown): Promise<JsonObject> {
  const hash = hashOf(value) ?? '';
  const isThere = hashOf(present) === hash && isJsonObject(present) && typeof present.size === 'number';
  const blob = isThere ? { hash, size: Number(present.size) } : await run.fileOf(hash);
  if (!blob) throw new BadRequest(`The file ${String(value.filename)} (${hash}) did not come with the plan.`);
  return { ...omit(value, (name) => MADE_OF_BYTES.includes(name)), data: new ReceivedBytes(blob) };
}

/** The type of content. Throws BadRequest for one that the site does not have. */
function requireType(site: Site, id: string): ContentType {
  const type = site.types.get(id);
  if (!type) throw new BadRequest(`The site has no type "${id}". Apply the set-up as well.`);
  return type;
}

/**
 * Makes what a client would send of the values of a plan. Fields without a value are emptied. With `relations: false` relations are left
 * out: they may lead to what is not there yet. Throws BadRequest for a field that the type does not have.
 */
export async function inputOf(
  run: ApplyRun,
  {
    typeId,
    values,
    present = {},
    relations,
  }: { typeId: string; values: JsonObject; present?: JsonObject; relations: boolean },
): Promise<JsonObject> {
  const type = requireType(run.site, typeId);
  const { fieldKinds } = run.kernel;
  const unknown = Object.keys(values).find((name) => {
    const field = type.fieldByName.get(name);
    return field === undefined || !travels(fieldKinds, field);
  });
  if (unknown !== undefined)
    throw new BadRequest(
      `The type "${type.id}" has no field "${unknown.slice(0, 100)}" here. Apply the set-up as well.`,
    );
  const input: JsonObject = {};
  for (const field of type.fields) {
    const { name, required } = field;
    const kind = fieldKinds.of(field);
    if (!travels(fieldKinds, field) || (kind.relates && !relations && !required)) continue;
    const value = withRoot(values[name] ?? null, ROOT_UID, run.root);
    if (value === null && required && !Object.hasOwn(values, name)) continue;
    input[name] =
      hashOf(value) !== undefined && isJsonObject(value) ? await fileInput(run, value, present[name]) : value;
  }
  return input;
}

/** The stored form of values of a plan, parsed like those of a client. Throws Forbidden for fields that the caller may not read or write. */
async function storedValues(
  run: ApplyRun,
  tx: Transaction,
  { resolved, type }: { resolved: ResolvedNode; type: ContentType },
  values: JsonObject,
): Promise<JsonObject> {
  const { kernel, caller, site } = run;
  for (const name of Object.keys(values)) {
    const field = type.fieldByName.get(name);
    // A conflict would show the value.
    const isClosed = [field?.write_permission, field?.read_permission].some(
      (permission) => permission !== undefined && !has(site, caller, resolved, permission),
    );
    if (isClosed) reject(caller, `You may not change the field "${name}" here.`);
  }
  const present = fieldValues.of(resolved.object);
  const whole = await inputOf(run, { typeId: type.id, values, present, relations: true });
  const input = await storedFiles.prepare(
    kernel,
    type,
    omit(whole, (name) => !Object.hasOwn(values, name)),
  );
  const sanitize = await fieldValues.prepareHtml(kernel, type, input);
  const parsed = await fieldValues.parse(kernel, tx, { site, resolved, caller, type }, { input, bases: [], sanitize });
  await fieldValues.rejectNewTags(tx, { site, caller, resolved }, parsed, present);
  return parsed;
}

/** Merges the parts of an object with the object here, and writes what comes of it. Returns whether something was written. */
async function mergeParts(
  run: ApplyRun,
  tx: Transaction,
  { sides, resolved }: { sides: Sides; resolved: ResolvedNode },
): Promise<boolean> {
  const { kernel, caller, site } = run;
  const { object } = resolved;
  // Before anything is compared: conflicts show what the object has.
  requirePermission(site, caller, resolved, MODIFY);
  if (Object.keys(sides.to.settings).some(isRight))
    requirePermission(site, caller, resolved, permissions.DELEGATE_ROLES);
  const type = requireType(site, object.type);
  if (sides.type !== object.type) {
    const message = `It is of the type "${object.type}" here, and "${sides.type}" in the plan.`;
    addConflict(run, { path: object.path, uid: object.uid, part: '@type', message });
    return false;
  }
  requireSettings(site, resolved, sides.to.settings);
  const stored = await storedValues(run, tx, { resolved, type }, sides.to.values);
  const { base, there } = statesOf(run, sides, { resolved, resolvedType: type, stored });
  const merged = contentStates.merge({ kernel, site, type, takes: takes(run) }, { base, there, here: resolved });
  for (const conflict of merged.conflicts) {
    const message = 'It was changed here and by the plan.';
    addConflict(run, { path: object.path, uid: object.uid, ...conflict, message });
  }
  const { change, settings } = merged;
  const { layout } = change;
  if (layout !== undefined && layout !== null && !type.layouts.includes(layout))
    throw new BadRequest(`The layout must be one of: ${type.layouts.join(', ')}.`);
  const isChanged = Object.keys(change.values).length > 0 || layout !== undefined;
  if (!isChanged && Object.keys(settings).length === 0) return false;
  const problems = fieldValues.problems(
    type,
    { ...fieldValues.of(object), ...change.values },
    new Set(Object.keys(change.values)),
  );
  const [problem] = problems;
  if (problem) throw new BadRequest(`${problem.field ?? ''}: ${problem.message}`);
  // As in single writes, transitions and sharing pass locks.
  if (isChanged || Object.keys(settings).some((name) => name !== 'review_state' && !isRight(name)))
    locks.requireUnlocked(object, undefined);
  const { review_state: state, ...others } = settings;
  if (Object.hasOwn(settings, 'review_state')) await moveToState(run, object.path, state);
  const now = await locateForWrite(kernel, object.path, tx, 'change');
  if (!now.resolved) return true;
  if (isChanged)
    await fieldValues.write(kernel, tx, {
      ...{ site: now.site, object: now.resolved.object, ancestors: now.resolved.ancestors, caller },
      ...{ values: change.values, layout },
    });
  if (Object.keys(others).length > 0) await writeSettings(run, tx, object.path, others);
  return true;
}

/** Gives an object the values and settings of an entry. */
export async function changeObject(all: ApplyRun, entry: EntryOf<'changed'> | EntryOf<'created'>): Promise<void> {
  await attempt(all, entry, async (run, tx) => {
    const found = await findHere(run, entry.uid);
    if (!found) {
      if (entry.change === 'created') return;
      const message = 'The plan changes it, and it is not here any more.';
      addConflict(run, { path: entry.path, uid: entry.uid, part: 'removal', message });
      return;
    }
    const { path } = found.object;
    const state = entry.change === 'created' ? entry.settings.review_state : undefined;
    // Before its values are compared: the first transition sets a date.
    if (run.made.has(entry.uid) && typeof state === 'string' && found.object.reviewState !== state)
      await moveToState(run, path, state);
    const { resolved } = await locateForWrite(run.kernel, path, tx, 'change');
    if (!resolved) return;
    const isWritten = await mergeParts(run, tx, { sides: sidesOf(run, entry, resolved), resolved });
    if (run.made.has(entry.uid)) return;
    if (isWritten) run.report.changed.push(path);
    else run.report.same += 1;
  });
}
