import type { EventName, Kernel, QueueWorker, Site, Transaction } from '#core';
import { purgesOfPaths } from './collect.ts';
import { cachingPanel, purgeTarget } from './panel.ts';
import { queuePurges } from './purges.ts';
import { pathsBelow } from './statements.ts';

/** Events that wake the worker at once. Other changes are found some seconds later. */
const WAKING: readonly EventName[] = [
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

/** Old addresses of one write that are purged one by one. */
const MAX_OLD_PATHS = 200;

/** Queues the addresses at which something is no more, for caches that know addresses only: nobody finds them later. */
async function queueOldPaths(site: Site, tx: Transaction, find: () => Promise<string[]>): Promise<void> {
  const target = purgeTarget(site);
  if (target?.method === 'paths') await queuePurges(tx, target.proxies, purgesOfPaths(await find()));
}

/** Queues what no look at the changes of a transaction finds, with every write. */
export function subscribePurges({ events }: Kernel): void {
  events.on('content.removing', ({ path, site }, { tx }) =>
    queueOldPaths(site, tx, () => pathsBelow(tx, path, MAX_OLD_PATHS)),
  );
  events.on('content.moved', ({ from, to, site }, { tx }) =>
    queueOldPaths(site, tx, async () =>
      (await pathsBelow(tx, to, MAX_OLD_PATHS)).map((path) => from + path.slice(to.length)),
    ),
  );
}

/** Wakes the worker of this process after the commit of a change that caches are to forget. */
export function wakeAfterChanges({ events, sites }: Kernel, { wake }: Pick<QueueWorker, 'wake'>): void {
  const isOn = (): boolean => sites.last !== undefined && purgeTarget(sites.last) !== undefined;
  for (const name of WAKING) events.on(name, (_event, { tx }) => tx.afterCommit(wake), isOn);
  // The first look notes the present state: changes from then on are purged.
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
