import { type HealthCheck, queue } from '#core';
import { MESSAGES } from './messages.ts';
import { listWebhooks } from './statements/webhooks.ts';

/** Milliseconds for which an observation is reused. */
const KEEP_MS = 10_000;

/** Messages that other systems reject. */
export const messageHealth = queue.healthOf('webhookMessages', {
  unit: 'messages',
  observe: ({ db }) =>
    queue.observe(
      db,
      MESSAGES.name,
      (late) => `${late} messages were not taken; the attempts of their webhooks say why`,
    ),
});

/** Webhooks that have failed for too long. */
export const pausedHealth: HealthCheck = {
  name: 'webhooks:paused',
  componentType: 'component',
  keep: KEEP_MS,
  async observe({ db }) {
    const paused = (await listWebhooks(db)).filter((webhook) => webhook.paused !== null);
    return {
      status: paused.length > 0 ? 'warn' : 'pass',
      observedValue: paused.length,
      observedUnit: 'webhooks',
      ...(paused.length > 0 ? { output: paused.map(({ title }) => `${title} is paused`).join('; ') } : {}),
    };
  },
};
