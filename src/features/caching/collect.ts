import { type Kernel, siteChanges, type Transaction } from '#core';
import { TAG_SOURCE } from './headers.ts';
import type { PurgeTarget } from './panel.ts';
import { batches } from './purge-requests.ts';
import { type Purge, queuePurges, removePurges } from './purges.ts';
import { CURSOR, findOverfull, pathsOf } from './statements.ts';
import type { ChangedTags, TagNames } from './tags.ts';

/** Maximum number of purges that wait for one cache. With more, the cache evicts everything instead. */
const MAX_WAITING = 200;
/** Maximum number of paths of one purge: each path needs many requests. */
const MAX_PATHS = 20;

/** Purges of paths, in pieces that can be sent in time. */
export const purgesOfPaths = (paths: readonly string[]): Purge[] =>
  batches(paths, MAX_PATHS).map((some) => ({ tags: [], paths: some }));

/** Purges after a change. Caches that evict by address get no purge for a change of anything. */
async function purgesOf(
  tx: Transaction,
  change: ChangedTags,
  { method }: PurgeTarget,
  tags: TagNames,
): Promise<Purge[]> {
  if (method !== 'paths') return [{ tags: tags.ofChange(change), paths: [] }];
  return change === 'anything' ? [] : purgesOfPaths(await pathsOf(tx, [...change.objects]));
}

/** A purge of everything, for caches that evict by tags. */
const everything = ({ method }: PurgeTarget, tags: TagNames): Purge[] =>
  method === 'paths' ? [] : [{ tags: [tags.everything], paths: [] }];

/** Queues a purge of everything, in place of all waiting purges. */
export async function queueEverything(tx: Transaction, target: PurgeTarget, tags: TagNames): Promise<void> {
  await removePurges(tx, { of: target.proxies });
  await queuePurges(tx, target.proxies, everything(target, tags));
}

/**
 * Makes purges of all changes since the last poll of any process. It reads the changes that triggers have noted for each transaction, so that writes
 * need no further work, and no change is missed when a process ends.
 */
export async function collectPurges(kernel: Kernel, target: PurgeTarget): Promise<void> {
  const cursor = await CURSOR.find(kernel.db);
  if (cursor?.isTrusted && !cursor.isOld && !(await siteChanges.poll(kernel.db, cursor.snapshot)).changed) return;
  const tags = await kernel.slots.get(TAG_SOURCE).load();
  await kernel.db.transaction(async (tx) => {
    const last = await CURSOR.lock(tx);
    const { snapshot, change } = await siteChanges.load(tx, last?.isTrusted ? last.snapshot : null);
    await CURSOR.store(tx, snapshot);
    if (change === undefined) return;
    await removePurges(tx, { not: target.proxies });
    await queuePurges(tx, target.proxies, await purgesOf(tx, change, target, tags));
    const overfull = await findOverfull(tx, MAX_WAITING);
    if (overfull.length > 0) await queueEverything(tx, { ...target, proxies: overfull }, tags);
  });
}
