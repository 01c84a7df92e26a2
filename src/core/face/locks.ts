/** Locks of content against changes by other users. */
export {
  activeLock as active,
  editorsToken,
  requireUnlocked,
  workingCopyLock as ofWorkingCopy,
} from '../content/locking.ts';
