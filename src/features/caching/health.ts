import type { HealthCheck } from '#core';
import { purgeTarget } from './panel.ts';
import { listWaiting } from './statements.ts';

/** Seconds after which a cache should have been told. */
const LATE_SECONDS = 30;

/** How much caches are still to be told. Sites that tell nobody have nothing to look for. */
export const purgeHealth: HealthCheck = {
  name: 'cachePurges:waiting',
  componentType: 'component',
  keep: 10_000,
  async observe({ db, sites }) {
    const isOn = sites.last !== undefined && purgeTarget(sites.last) !== undefined;
    const caches = isOn ? await listWaiting(db) : [];
    const late = caches.filter(({ since }) => Date.now() - since.getTime() > LATE_SECONDS * 1000);
    return {
      status: late.length > 0 ? 'warn' : 'pass',
      observedValue: caches.reduce((sum, { waiting }) => sum + waiting, 0),
      observedUnit: 'purges',
      ...(late.length > 0
        ? {
            output: late
              .map(({ proxy, error }) => `${proxy} was not told of changes: ${error ?? 'not yet sent'}`)
              .join('; '),
          }
        : {}),
    };
  },
};
