import { isDeepStrictEqual } from 'node:util';
import { joinColumns } from '../../content/column-values.ts';
import { checkInvariants } from '../../content/invariants.ts';
import { has, reject, requirePermission } from '../../content/permissions.ts';
import { isWritable } from '../../content/read-values.ts';
import { removeLocked } from '../../content/remove-content.ts';
import { writeChange } from '../../content/write-change.ts';
import { BadRequest, ValidationFailed } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MODIFY } from '../../security/permissions.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { ContentObject } from '../../storage/content-row.ts';
import type { ContentType } from '../../types/content-type.ts';
import { CHECK_IN, lockSides, requireEmptyCopy, requireNotLockedByOthers, type Sides } from './sides.ts';

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

/** The values that the baseline takes over from the copy. Throws ValidationFailed when they do not go with those that stay. */
function valuesOf(type: ContentType, { site, baseline, copy }: Sides, caller: Caller): Record<string, unknown> {
  const mayWrite = (permission: string) => has(site, caller, baseline, permission);
  const names = differingFields(type, baseline.object, copy.object, mayWrite);
  const then = joinColumns(copy.object);
  const values = Object.fromEntries(names.map((name) => [name, then[name] ?? null]));
  const problems = checkInvariants(type, { ...joinColumns(baseline.object), ...values }, new Set(names));
  if (problems.length > 0) throw new ValidationFailed(problems);
  return values;
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
    const layout = copy.object.layout === object.layout ? undefined : copy.object.layout;
    const values = valuesOf(type, sides, caller);
    await writeChange(kernel, tx, { site, object, caller, values, layout, note: NOTE });
    await removeLocked(kernel, tx, { caller, site, object: copy.object, recyclable: false });
  });
}

/**
 * Gives up a working copy, from either side, in one transaction with its events: it goes, into the recycle bin where the
 * site has that switched on, and the baseline is as it was and free. Who may check in the copy may, and who may check in
 * to the baseline and modify it: nobody is locked out of content for good by somebody else's copy. Throws NotFound;
 * Unauthorized or Forbidden without such a right, when nothing is checked out, and for a copy that somebody else has
 * locked; Conflict for a copy with content in it.
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
    await removeLocked(kernel, tx, { caller, site, object: copy.object, recyclable: true });
  });
}
