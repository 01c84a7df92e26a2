/** The part that is used here; the package has no types of its own. */
declare module 'fs-native-extensions' {
  /** Takes a lock on the whole of an open file, or returns false when another process holds one. */
  export function tryLock(fd: number): boolean;
}
