import { type Queryable, queue } from '#core';
import { isJsonObject } from '#lib/json-object';

/** Purges of caches outside. The topic of an item is the address of the cache. */
export const PURGES: queue.Kind = {
  name: 'cache-purge',
  concurrency: 4,
  // Polling finds changes that no event reports, and changes of a process that has ended.
  pollMs: 5000,
  minWaitMs: 20,
  leaseMs: 20_000,
  backoff: { firstMs: 1000, lastMs: 60_000 },
  dropsExpired: false,
  isAnnounced: false,
};

/** The tags, or the addresses, of the responses that a cache has to evict. */
export type Purge = { tags: readonly string[]; paths: readonly string[] };

/** A purge as it is queued. A cache gets each purge twice: `round` is 2 after the first time. */
export type QueuedPurge = Purge & { round: number };

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === 'string');

/** Tests for a purge in a value that was stored as JSON. */
export const isQueuedPurge = (value: unknown): value is QueuedPurge =>
  isJsonObject(value) && isTexts(value.tags) && isTexts(value.paths) && typeof value.round === 'number';

/** Queues purges for each of some caches, to be sent at once. */
export async function queuePurges(db: Queryable, proxies: readonly string[], purges: readonly Purge[]): Promise<void> {
  const items = proxies.flatMap((topic) => purges.map((purge) => ({ topic, data: { ...purge, round: 1 } })));
  if (items.length > 0) await queue.enqueue(db, PURGES, items);
}

/** Removes the purges that wait for some caches, or for all others. */
export const removePurges = (db: Queryable, proxies: Parameters<typeof queue.removeTopics>[2]): Promise<void> =>
  queue.removeTopics(db, PURGES.name, proxies);
