import { type Kernel, publishing } from '#core';
import { HOUR_MS, MINUTE_MS } from '#lib/time/milliseconds';
import { retainedSince } from './panel.ts';
import { announceDated, compareNext, isComparing } from './statements/compare.ts';
import { pruneEvents } from './statements/feed.ts';

/** Milliseconds between two searches for changes without an event. */
const LOOK_MS = 5000;
/** Milliseconds between two removals of old events. */
const PRUNE_MS = HOUR_MS;
/** Events that one statement removes. */
const PRUNE_BATCH = 1000;
/** Milliseconds until the next call when there is nothing to do. */
const IDLE_MS = 10 * MINUTE_MS;

/**
 * Makes a function that keeps the feed in order: it announces changes without an event, such as those by the configuration of the site or by time,
 * and removes old events. It returns the milliseconds after which it has to be called again at the latest.
 */
export function keepFeed({ db, sites }: Pick<Kernel, 'db' | 'sites'>): () => Promise<number> {
  let lookAt = 0;
  let pruneAt = 0;
  return async () => {
    if (Date.now() < lookAt) return lookAt - Date.now();
    const site = await sites.current();
    const isDated = publishing.datesAct(site);
    if (await isComparing(db)) while (await db.transaction((tx) => compareNext(tx, isDated)));
    if (isDated) while (await db.transaction(announceDated));
    if (Date.now() >= pruneAt) {
      const before = retainedSince(site);
      while ((await pruneEvents(db, before, PRUNE_BATCH)) >= PRUNE_BATCH - 1);
      pruneAt = Date.now() + PRUNE_MS;
    }
    lookAt = Date.now() + LOOK_MS;
    return isDated ? LOOK_MS : IDLE_MS;
  };
}
