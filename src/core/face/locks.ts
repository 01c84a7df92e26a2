/** Locks of content against changes by other users. */
export { activeLock as active, requireUnlocked, workingCopyLock as ofWorkingCopy } from '../content/locking.ts';
