import type { Kernel } from '../../site/kernel.ts';
import { pruneVersionRows } from './statements/version-prune.ts';
import { retentionOf } from './version-retention.ts';

/** Objects whose versions are looked through with one statement. */
const BATCH = 1000;

/**
 * Removes the versions that the site's settings do not keep, of all objects; answers how many. An edit prunes its own
 * object, so this is for objects that nobody edits: after a change of the settings, and as the days pass.
 */
export async function pruneVersions({ db, sites }: Pick<Kernel, 'db' | 'sites'>): Promise<number> {
  const retention = retentionOf(await sites.current());
  if (retention.keep === null && retention.since === null) return 0;
  let removed = 0;
  for (let after = 0; ; ) {
    const pruned = await pruneVersionRows(db, { retention, after, limit: BATCH });
    if (!pruned) return removed;
    removed += pruned.removed;
    after = pruned.last;
  }
}
