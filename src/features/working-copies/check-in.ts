import { isDeepStrictEqual } from 'node:util';
import {
  type Caller,
  type ContentObject,
  type ContentType,
  fieldValues,
  has,
  type Kernel,
  MODIFY,
  merging,
  reject,
  requirePermission,
  type Transaction,
  tree,
} from '#core';
import { BadRequest } from '#lib/errors';
import { CHECK_IN, lockSides, requireEmptyCopy, requireNotLockedByOthers, type Sides } from './sides.ts';
import { findCheckedOutState } from './statements.ts';

/** A request to end a check-out: `path` is the path of either side, `lockToken` the value of the header `Lock-Token`. */
export type CheckInRequest = {
  caller: Caller;
  path: string;
  lockToken: string | undefined;
  /** The side that wins where copy and baseline have both changed; the copy is `mine`. */
  prefer?: merging.Preferred | undefined;
};

/** The note of the version that a check-in makes. */
const NOTE = 'Checked in from a working copy.';

/** Names of the fields that the copy has changed since the check-out, and that the caller may write in the baseline. */
function differingFields(
  type: ContentType,
  { base, baseline, copy }: Record<'base' | 'baseline' | 'copy', ContentObject>,
  mayWrite: (permission: string) => boolean,
): string[] {
  const [before, then] = [fieldValues.of(base), fieldValues.of(copy)];
  return (
    type.fields
      .filter(fieldValues.isWritable)
      // A group has one translation for each language, so the copy cannot change the language.
      .filter(({ name }) => name !== 'language' || baseline.translationGroup === null)
      // The baseline may have been published meanwhile, which gives it a date that the copy does not have.
      .filter(({ name }) => name !== 'effective' || copy.effective !== null)
      .filter(({ write_permission: permission }) => permission === undefined || mayWrite(permission))
      .map(({ name }) => name)
      .filter((name) => !isDeepStrictEqual(before[name] ?? null, then[name] ?? null))
  );
}

/**
 * The new values and layout of the baseline: the changes of the copy, merged with the changes of the baseline since the check-out. Throws Conflict
 * when both have changed the same, and ValidationFailed for values that are invalid together.
 */
async function mergedChange(
  kernel: Kernel,
  tx: Transaction,
  type: ContentType,
  { sides: { site, baseline, copy }, caller, prefer }: { sides: Sides } & Pick<CheckInRequest, 'caller' | 'prefer'>,
): Promise<merging.Change> {
  const state = await findCheckedOutState(tx, copy.object.oid);
  const base = state ? merging.withChange(baseline, state) : baseline;
  const mayWrite = (permission: string) => has(site, caller, baseline, permission);
  const objects = { base: base.object, baseline: baseline.object, copy: copy.object };
  const then = fieldValues.of(copy.object);
  const names = differingFields(type, objects, mayWrite);
  const change = {
    values: Object.fromEntries(names.map((name) => [name, then[name] ?? null])),
    layout: copy.object.layout === base.object.layout ? undefined : copy.object.layout,
  };
  return merging.mergeChange(kernel, { site, type, base, present: baseline, change, prefer });
}

/**
 * Checks a working copy in, in one transaction with its events: the baseline gets the changes of the copy as one change, which makes a version; the
 * copy and the lock are removed. Id, UID, place, state, roles and children of the baseline stay, and so do fields that the caller may not write
 * there. Throws NotFound; Unauthorized or Forbidden without the permissions to check in on both sides and to modify the baseline, when nothing is
 * checked out, and for a copy that somebody else has locked; Conflict for a copy with content in it, and when the baseline was changed in the same
 * place since the check-out; ValidationFailed when the values of the copy conflict with unchanged ones.
 */
export async function checkIn(kernel: Kernel, { caller, path, lockToken, prefer }: CheckInRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const sides = await lockSides(kernel, tx, path);
    if (!sides) reject(caller, 'Checkin not allowed: there is no working copy.');
    const { site, baseline, copy } = sides;
    requirePermission(site, caller, copy, CHECK_IN);
    requirePermission(site, caller, baseline, CHECK_IN);
    requirePermission(site, caller, baseline, MODIFY);
    requireNotLockedByOthers(caller, copy.object, lockToken);
    requireEmptyCopy(copy.object);
    const { object } = baseline;
    const type = site.types.get(object.type);
    if (!type) throw new BadRequest(`The site no longer has the type "${object.type}": this object cannot be edited.`);
    const { values, layout } = await mergedChange(kernel, tx, type, { sides, caller, prefer });
    await fieldValues.write(kernel, tx, { site, object, caller, values, layout, note: NOTE });
    const checkedIn = object.path;
    await tree.removeHeld(kernel, tx, { caller, site, object: copy.object, recyclable: false, checkedIn });
  });
}

/**
 * Cancels a check-out from either side, in one transaction with its events: the copy is removed (into the recycle bin if the site has one), and the
 * baseline is only unlocked. Callers need the permission to check in the copy, or to check in and modify the baseline, so that no copy locks others
 * out of content for good. Throws NotFound; Unauthorized or Forbidden without such a permission, when nothing is checked out, and for a copy that
 * somebody else has locked; Conflict for a copy with content in it.
 */
export async function cancelCheckOut(kernel: Kernel, { caller, path, lockToken }: CheckInRequest): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const sides = await lockSides(kernel, tx, path);
    if (!sides) reject(caller, 'Cancel not allowed: there is no working copy.');
    const { site, baseline, copy } = sides;
    const mayFree = [CHECK_IN, MODIFY].every((permission) => has(site, caller, baseline, permission));
    if (!mayFree && !has(site, caller, copy, CHECK_IN)) reject(caller);
    requireNotLockedByOthers(caller, copy.object, lockToken);
    requireEmptyCopy(copy.object);
    await tree.removeHeld(kernel, tx, { caller, site, object: copy.object, recyclable: true });
  });
}
