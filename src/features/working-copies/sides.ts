import {
  type Caller,
  type ContentObject,
  contentPath,
  findContent,
  has,
  type Kernel,
  locateAllForWrite,
  locks,
  MODIFY,
  type ResolvedNode,
  type Site,
  type Transaction,
} from '#core';
import { Conflict, NotFound } from '#lib/errors';

/** Names of permissions, in the spelling of plone.app.iterate. */
export const CHECK_OUT = 'iterate : Check out content';
export const CHECK_IN = 'iterate : Check in content';

/** True if an object can be checked out now: it has no working copy, and is neither a working copy nor the site root. */
export const canCheckOut = (object: ContentObject): boolean =>
  !contentPath.isRoot(object) && object.workingCopy === null && object.workingCopyOf === null;

/** True if the caller may see the working copies of an object, because the caller may modify it or check it out (plone.restapi §3.1). */
export const seesWorkingCopies = (site: Site, caller: Caller, resolved: ResolvedNode): boolean =>
  has(site, caller, resolved, MODIFY) || has(site, caller, resolved, CHECK_OUT);

/** Throws Forbidden when another user has locked the object and `token` is not the token of the lock. */
export function requireNotLockedByOthers(caller: Caller, object: ContentObject, token: string | undefined): void {
  const lock = locks.active(object);
  locks.requireUnlocked(object, lock && lock.creator === caller.id ? lock.token : token);
}

/**
 * Throws Conflict when there is content in the working copy, which would be removed with it. This content may belong to somebody else, or be the
 * baseline itself.
 */
export function requireEmptyCopy({ hasChildren, path }: ContentObject): void {
  if (hasChildren) throw new Conflict(`There is content in the working copy ${path}. Move or remove it first.`);
}

/** A working copy and its baseline, the content that was checked out. Both are locked. */
export type Sides = { site: Site; baseline: ResolvedNode; copy: ResolvedNode };

/** Maximum number of moves of the other side during the lookup before the request gives up. */
const MAX_ATTEMPTS = 5;

const otherSide = ({ workingCopyOf, workingCopy }: ContentObject): string | undefined =>
  (workingCopyOf ?? workingCopy)?.path;

/**
 * Looks up and locks both sides of a check-out, from the path of either. An object that is a working copy and also has one counts as the copy.
 * Returns undefined when nothing is checked out there.
 * @throws NotFound for an unknown path; Conflict when others keep moving the other side.
 */
export async function lockSides(kernel: Kernel, tx: Transaction, path: string): Promise<Sides | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const seen = await findContent(kernel, path, tx);
    if (!seen) throw new NotFound(path);
    const other = otherSide(seen.object);
    if (other === undefined) return undefined;
    const lookups = await locateAllForWrite(kernel, tx, [
      { path, lockMode: 'change' },
      { path: other, lockMode: 'change' },
    ]);
    const [here, there] = lookups.map(({ resolved }) => resolved);
    const [lookup] = lookups;
    if (!lookup || !here) throw new NotFound(path);
    if (!there || otherSide(here.object) !== other) continue;
    const { site } = lookup;
    return here.object.workingCopyOf ? { site, copy: here, baseline: there } : { site, copy: there, baseline: here };
  }
  throw new Conflict('Other requests keep moving the same content. Try again.');
}
