/** Uses of one cache of a process since its start: plain numbers that monitoring reads. */
export class CacheCounts {
  /** Values that were taken from the cache. */
  hits = 0;
  /** Values that could have been in the cache and had to be made. */
  misses = 0;
  /** Values that were removed because one of their tags has changed. */
  invalidated = 0;
  /** Values that were removed because there was no room for others. */
  evicted = 0;
  /** The present values, and their estimated bytes. */
  size: () => { entries: number; bytes: number } = () => ({ entries: 0, bytes: 0 });
}

/** The counts of the caches of a process, by the name of the cache in monitoring. */
export class CachesCounts {
  readonly responses = new CacheCounts();
  readonly rows = new CacheCounts();
  readonly totals = new CacheCounts();
  readonly results = new CacheCounts();
  readonly trees = new CacheCounts();
}
