import { type HealthCheck, queue } from '#core';
import { countRecentFailures } from './statements/failures.ts';
import { WEBHOOKS } from './webhook-request.ts';

/** Seconds for which a check reports the failure of a rule, or a request that was given up. */
const RECENT_SECONDS = 3600;

/** Requests of rules that other systems reject. */
export const webhookHealth = queue.healthOf('webhooks', {
  unit: 'webhooks',
  observe: ({ db }) =>
    queue.observe(db, WEBHOOKS.name, (late) => `${late} webhooks were not taken; their rules list them`),
});

/** Rules that have failed, and webhooks that were rejected or given up. */
export const ruleHealth: HealthCheck = {
  name: 'contentRules:failures',
  componentType: 'component',
  keep: 10_000,
  async observe({ db }) {
    const failed = await countRecentFailures(db, RECENT_SECONDS);
    const count = failed.reduce((sum, { failures }) => sum + failures, 0);
    return {
      status: count > 0 ? 'warn' : 'pass',
      observedValue: count,
      observedUnit: 'failures within an hour',
      ...(count > 0 ? { output: failed.map(({ rule, failures }) => `${rule}: ${failures}`).join('; ') } : {}),
    };
  },
};
