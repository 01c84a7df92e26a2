import type { EventName, Kernel, Site, Transaction } from '#core';
import { purgesOfPaths } from './collect.ts';
import { cachingPanel, purgeTarget } from './panel.ts';
import { PURGE_WAKER } from './purge-worker.ts';
import { pathsBelow, queuePurges } from './statements.ts';

/** What tells of changes at once. Whatever else changes is found some seconds later. */
const TELLING: readonly EventName[] = [
  'content.created',
  'content.modified',
  'content.removing',
  'content.copied',
  'content.imported',
  'content.restored',
  'content.moved',
  'content.transitioned',
  'content.shared',
  'content.reordered',
  'content.translated',
  'comment.created',
  'comment.changed',
  'comment.removing',
  'comment.transitioned',
  'settings.changed',
  'site.changed',
  'user.created',
  'user.removing',
];

/** Old addresses of one write that caches are told of one by one. */
const MAX_OLD_PATHS = 200;

/** Queues the addresses at which something is no more, for caches that know addresses only: nobody finds them later. */
async function queueOldPaths(site: Site, tx: Transaction, find: () => Promise<string[]>): Promise<void> {
  const target = purgeTarget(site);
  if (target?.method === 'paths') await queuePurges(tx, target.proxies, purgesOfPaths(await find()));
}

/** Has caches told of what happens, after the commit. */
export function subscribePurges(kernel: Kernel): void {
  const { events, sites, slots } = kernel;
  const isOn = (): boolean => sites.last !== undefined && purgeTarget(sites.last) !== undefined;
  const waker = slots.get(PURGE_WAKER);
  for (const name of TELLING) events.on(name, (_event, { tx }) => tx.afterCommit(() => waker.wake()), isOn);
  // The first look notes what is not to be told any more: changes from then on are.
  events.on(
    'settings.changed',
    (_event, { tx }) =>
      tx.afterCommit(async () => {
        await sites.current();
        waker.wake();
      }),
    ({ panels }) => panels.includes(cachingPanel.id),
  );
  events.on('content.removing', ({ path, site }, { tx }) =>
    queueOldPaths(site, tx, () => pathsBelow(tx, path, MAX_OLD_PATHS)),
  );
  events.on('content.moved', ({ from, to, site }, { tx }) =>
    queueOldPaths(site, tx, async () =>
      (await pathsBelow(tx, to, MAX_OLD_PATHS)).map((path) => from + path.slice(to.length)),
    ),
  );
}
