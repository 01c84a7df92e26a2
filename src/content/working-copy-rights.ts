import type { Caller } from '../security/caller.ts';
import { MODIFY } from '../security/permissions.ts';
import type { Site } from '../site/site.ts';
import type { ContentObject, Located } from '../storage/content-row.ts';
import { isRoot } from './locate.ts';
import { activeLock, needUnlocked } from './locking.ts';
import { has } from './permissions.ts';

/** Names of permissions, in the spelling of plone.app.iterate. */
export const CHECK_OUT = 'iterate : Check out content';
export const CHECK_IN = 'iterate : Check in content';

/** Whether an object can have a working copy now: it has none yet and is none itself. The site root has none ever. */
export const canCheckOut = (object: ContentObject): boolean =>
  !isRoot(object) && object.workingCopy === null && object.workingCopyOf === null;

/** Whether the caller is told of working copies at the object: who may modify it or check it out (plone.restapi §3.1). */
export const seesWorkingCopies = (site: Site, caller: Caller, located: Located): boolean =>
  has(site, caller, located, MODIFY) || has(site, caller, located, CHECK_OUT);

/** Throws Forbidden when somebody else has locked the object, and `token` is not that of the lock. */
export function needNotLockedByOthers(caller: Caller, object: ContentObject, token: string | undefined): void {
  const lock = activeLock(object);
  needUnlocked(object, lock && lock.creator === caller.id ? lock.token : token);
}
