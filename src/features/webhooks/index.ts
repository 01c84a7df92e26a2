import { defineFeature, type EventName, type Kernel } from '#core';
import { DISPATCHER, Dispatcher } from './dispatch.ts';
import { webhookServices } from './endpoints.ts';
import { messageHealth, pausedHealth } from './health.ts';
import { startMessages } from './message-worker.ts';
import { webhookOperations } from './operations.ts';
import { webhooksPanel } from './panel.ts';
import { placeOfSecret } from './secrets.ts';

const UNREAD = { unread: 'webhooks are never kept' };

/** Wakes the dispatcher of this process after the commit of a change. */
function follow<N extends EventName>({ events }: Kernel, dispatcher: Dispatcher, name: N): void {
  if (events.describe(name).changes === null) return;
  events.on(
    name,
    (_event, { tx }) => tx.afterCommit(() => dispatcher.wake()),
    () => dispatcher.isWanted,
  );
}

/** Signed messages to other systems about what happens to content (`@webhooks`). */
export const webhooksFeature = defineFeature({
  name: 'webhooks',
  services: [...webhookServices, ...webhookOperations],
  panels: [webhooksPanel],
  tables: [
    {
      name: 'webhook',
      changes: UNREAD,
      key: ['id'],
      emptied: {
        position: 'the feed of the new site begins anew',
        event: 'the feed of the new site begins anew',
        failing_since: 'nothing has failed at the new site',
      },
    },
    {
      name: 'webhook_secret',
      changes: UNREAD,
      key: ['id'],
      numbered: ['id'],
      sealed: { sealed: ({ owner }) => placeOfSecret(String(owner)) },
    },
    { name: 'webhook_attempt', changes: UNREAD, left: 'the new site has sent nothing yet' },
  ],
  healthChecks: [messageHealth, pausedHealth],
  subscribe(kernel) {
    const dispatcher = new Dispatcher(kernel);
    kernel.slots.set(DISPATCHER, dispatcher);
    for (const name of kernel.events.names) follow(kernel, dispatcher, name);
  },
  async start(kernel) {
    const [dispatch, messages] = [await kernel.slots.get(DISPATCHER).start(), await startMessages(kernel)];
    return {
      close: async () => {
        await Promise.all([dispatch.close(), messages.close()]);
      },
    };
  },
});
