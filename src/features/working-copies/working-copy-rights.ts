import { isRoot } from '../../content/locate.ts';
import { activeLock, requireUnlocked } from '../../content/locking.ts';
import { has } from '../../content/permissions.ts';
import { Conflict } from '../../lib/errors.ts';
import type { Caller } from '../../security/caller.ts';
import { MODIFY } from '../../security/permissions.ts';
import type { Site } from '../../site/site.ts';
import type { ContentObject, ResolvedNode } from '../../storage/content-row.ts';

/** Names of permissions, in the spelling of plone.app.iterate. */
export const CHECK_OUT = 'iterate : Check out content';
export const CHECK_IN = 'iterate : Check in content';

/** Whether an object can have a working copy now: it has none yet and is none itself. The site root has none ever. */
export const canCheckOut = (object: ContentObject): boolean =>
  !isRoot(object) && object.workingCopy === null && object.workingCopyOf === null;

/** Whether the caller is told of working copies at the object: who may modify it or check it out (plone.restapi §3.1). */
export const seesWorkingCopies = (site: Site, caller: Caller, resolved: ResolvedNode): boolean =>
  has(site, caller, resolved, MODIFY) || has(site, caller, resolved, CHECK_OUT);

/** Throws Forbidden when somebody else has locked the object, and `token` is not that of the lock. */
export function requireNotLockedByOthers(caller: Caller, object: ContentObject, token: string | undefined): void {
  const lock = activeLock(object);
  requireUnlocked(object, lock && lock.creator === caller.id ? lock.token : token);
}

/**
 * Throws Conflict when there is content in the working copy, which would go with it. That may be other content, of
 * somebody else, or the baseline itself.
 */
export function requireEmptyCopy({ hasChildren, path }: ContentObject): void {
  if (hasChildren) throw new Conflict(`There is content in the working copy ${path}. Move or remove it first.`);
}
