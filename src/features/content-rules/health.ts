import type { HealthCheck } from '#core';
import { countRecentFailures } from './statements/failures.ts';
import { countWaitingWebhooks } from './statements/webhooks.ts';

/** Attempts that failed after which a request counts as stuck: a bit more than a minute after the first one. */
const LATE_ATTEMPTS = 3;
/** Seconds after which a request that is due should have been tried. */
const LATE_SECONDS = 300;
/** No more requests than this are counted. */
const MAX_COUNTED_WEBHOOKS = 1000;
/** Seconds for which the failure of a rule, and a request that was given up, is news. */
const RECENT_SECONDS = 3600;

/** Requests of rules that other systems do not take. */
export const webhookHealth: HealthCheck = {
  name: 'webhooks:waiting',
  componentType: 'component',
  keep: 10_000,
  async observe({ db }) {
    const bounds = { attempts: LATE_ATTEMPTS, seconds: LATE_SECONDS, limit: MAX_COUNTED_WEBHOOKS };
    const { waiting, late } = await countWaitingWebhooks(db, bounds);
    return {
      status: late > 0 ? 'warn' : 'pass',
      observedValue: waiting,
      observedUnit: 'webhooks',
      ...(late > 0 ? { output: `${late} webhooks were not taken; their rules list them` } : {}),
    };
  },
};

/** Rules that have failed, and webhooks that were refused or given up. */
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
