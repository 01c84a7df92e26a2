import { isDeepStrictEqual } from 'node:util';
import { BadRequest, ValidationFailed } from '../lib/errors.ts';
import type { Caller } from '../security/caller.ts';
import { MODIFY } from '../security/permissions.ts';
import type { Kernel } from '../site/kernel.ts';
import type { ContentObject } from '../storage/content-row.ts';
import { type ContentChange, updateContent as writeChange } from '../storage/statements/update-content.ts';
import type { ContentType } from '../types/content-type.ts';
import { joinColumns, splitColumns } from './column-values.ts';
import { checkInvariants } from './invariants.ts';
import { has, need, refuse } from './permissions.ts';
import { isWritable } from './read-values.ts';
import { LAYOUT } from './version-located.ts';
import { needEmptyCopy, removeWorkingCopy } from './working-copy-remove.ts';
import { CHECK_IN, needNotLockedByOthers } from './working-copy-rights.ts';
import { holdSides, type Sides } from './working-copy-sides.ts';

/** Whose working copy is to be checked in: `path` is that of either side, `lockToken` the header `Lock-Token`. */
export type CheckInRequest = { caller: Caller; path: string; lockToken: string | undefined };

/** What the version says that a check-in makes. */
const NOTE = 'Checked in from a working copy.';

/** Names of the fields that the copy has other values of, and that the caller may write in the baseline. */
function differingFields(
  type: ContentType,
  baseline: ContentObject,
  copy: ContentObject,
  mayWrite: (permission: string) => boolean,
): string[] {
  const [now, then] = [joinColumns(baseline), joinColumns(copy)];
  return (
    type.fields
      .filter(isWritable)
      // A group has one translation for each language: the language is not the copy's to choose.
      .filter(({ name }) => name !== 'language' || baseline.translationGroup === null)
      // Who publishes the baseline meanwhile gives it a date that the copy has not.
      .filter(({ name }) => name !== 'effective' || copy.effective !== null)
      .filter(({ write_permission: permission }) => permission === undefined || mayWrite(permission))
      .map(({ name }) => name)
      .filter((name) => !isDeepStrictEqual(now[name] ?? null, then[name] ?? null))
  );
}

const pick = (values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** The change that gives the baseline what the copy has, and the values that it replaces. */
function changeOf(
  type: ContentType,
  { site, baseline, copy }: Sides,
  caller: Caller,
): { change: ContentChange; before: Record<string, unknown> } {
  const { object } = baseline;
  const mayWrite = (permission: string) => has(site, caller, baseline, permission);
  const names = differingFields(type, object, copy.object, mayWrite);
  const present = joinColumns(object);
  const values = pick(joinColumns(copy.object), names);
  const problems = checkInvariants(type, { ...present, ...values }, new Set(names));
  if (problems.length > 0) throw new ValidationFailed(problems);
  const { columns, fields } = splitColumns(values);
  const change: ContentChange = { ...columns };
  if (Object.keys(fields).length > 0) change.fields = { ...object.fields, ...fields };
  const before = pick(present, names);
  if (copy.object.layout !== object.layout) {
    change.layout = copy.object.layout;
    before[LAYOUT] = object.layout;
  }
  return { change, before };
}

/**
 * Checks a working copy in, in one transaction with its events: the baseline gets its values as one change, which makes a
 * version, and the copy and the lock are gone. Id, UID, place, state, roles and what is below the baseline stay, and so do
 * fields that the caller may not write there. Throws NotFound; Unauthorized or Forbidden without the right to check
 * in on both sides and to modify the baseline, when nothing is checked out, and for a copy that somebody else has
 * locked; Conflict for a copy with content in it; ValidationFailed when its values do not go with those that stay.
 */
export async function checkIn(kernel: Kernel, { caller, path, lockToken }: CheckInRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const sides = await holdSides(kernel, tx, path);
    if (!sides) refuse(caller, 'Checkin not allowed: there is no working copy.');
    const { site, baseline, copy } = sides;
    need(site, caller, copy, CHECK_IN);
    need(site, caller, baseline, CHECK_IN);
    need(site, caller, baseline, MODIFY);
    needNotLockedByOthers(caller, copy.object, lockToken);
    needEmptyCopy(copy.object);
    const { oid, type: typeName } = baseline.object;
    const type = site.types.get(typeName);
    if (!type) throw new BadRequest(`The site no longer has the type "${typeName}": this object cannot be edited.`);
    const { change, before } = changeOf(type, sides, caller);
    const changed = Object.keys(before);
    if (changed.length > 0) {
      await writeChange(tx, oid, { ...change, modified: new Date() });
      await kernel.events.emit('content.modified', { oid, fields: changed, before, site, note: NOTE }, { tx, caller });
    }
    await removeWorkingCopy(kernel, tx, { caller, copy: copy.object, recycle: false });
  });
}
