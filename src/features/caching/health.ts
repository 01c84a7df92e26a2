import { type Kernel, queue } from '#core';
import { purgeTarget } from './panel.ts';
import { listWaiting } from './statements.ts';

/** Milliseconds after which a purge that still waits is late. */
const LATE_MS = 30_000;

/** Purges that wait. Sites without caches need no check. */
export const purgeHealth = queue.healthOf<Kernel>('cachePurges', {
  unit: 'purges',
  async observe({ db, sites }) {
    const isOn = sites.last !== undefined && purgeTarget(sites.last) !== undefined;
    const caches = isOn ? await listWaiting(db) : [];
    const late = caches.filter(({ since }) => Date.now() - since.getTime() > LATE_MS);
    const problem = late.map(({ proxy, error }) => `${proxy} was not notified of changes: ${error ?? 'not yet sent'}`);
    return {
      waiting: caches.reduce((sum, { waiting }) => sum + waiting, 0),
      problem: late.length > 0 ? problem.join('; ') : undefined,
    };
  },
});
