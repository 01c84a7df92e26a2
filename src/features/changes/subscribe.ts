import type { EventName, Kernel } from '#core';
import { FEED_OF, Feed } from './feed.ts';
import { ChangeHub, HUB } from './hub.ts';

/** Wakes the listeners of this process after the commit of a change. The poll of this process notifies the listeners of other processes. */
function follow<N extends EventName>({ events }: Kernel, hub: ChangeHub, name: N): void {
  const { changes } = events.describe(name);
  if (changes === null) return;
  events.on(
    name,
    (_event, { tx }) => tx.afterCommit(() => hub.wake()),
    // A change that affects who sees content is evaluated even without listeners.
    (event) => hub.size > 0 || changes(event).includes('anything'),
  );
}

/** Makes the feed and the listeners of a kernel. */
export function subscribeChanges(kernel: Kernel): void {
  const feed = new Feed(kernel);
  const hub = new ChangeHub(kernel, feed);
  kernel.slots.set(FEED_OF, feed);
  kernel.slots.set(HUB, hub);
  for (const name of kernel.events.names) follow(kernel, hub, name);
}
