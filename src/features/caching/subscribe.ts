import type { ContentEvents, claims, EventName, Kernel, Site, Transaction } from '#core';
import { purgesOfPaths } from './collect.ts';
import { cachingPanel, purgeTarget } from './panel.ts';
import { queuePurges } from './purges.ts';
import { pathsBelow } from './statements.ts';

/** Old addresses of one write that are purged one by one. */
const MAX_OLD_PATHS = 200;

/** Queues the old addresses of content, for caches that evict by address: they cannot be found later. */
function followLeaving<N extends EventName>({ events }: Pick<Kernel, 'events'>, name: N): void {
  const leaves = events.describe(name).caches?.leaves;
  if (!leaves) return;
  events.on(name, async (event: ContentEvents[N], { tx }: { tx: Transaction }) => {
    const { site }: object & { site?: Site | undefined } = event;
    const target = site && purgeTarget(site);
    if (target?.method !== 'paths') return;
    const { now, before } = leaves(event);
    const paths = await pathsBelow(tx, now, MAX_OLD_PATHS);
    await queuePurges(tx, target.proxies, purgesOfPaths(paths.map((path) => before + path.slice(now.length))));
  });
}

/** Queues the purges that polling cannot find, with every write. */
export function subscribePurges(kernel: Kernel): void {
  for (const name of kernel.events.names) followLeaving(kernel, name);
}

/** Wakes the worker of this process after the commit of a change that concerns caches. Polling finds other changes some seconds later. */
export function wakeAfterChanges({ events, sites }: Kernel, { wake }: Pick<claims.Worker, 'wake'>): void {
  const isOn = (): boolean => sites.last !== undefined && purgeTarget(sites.last) !== undefined;
  for (const name of events.names)
    if (events.describe(name).caches) events.on(name, (_event, { tx }) => tx.afterCommit(wake), isOn);
  // The first poll records the present state, and changes after it are purged.
  events.on(
    'settings.changed',
    (_event, { tx }) =>
      tx.afterCommit(async () => {
        await sites.current();
        wake();
      }),
    ({ panels }) => panels.includes(cachingPanel.id),
  );
}
