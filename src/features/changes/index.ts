import { defineFeature } from '#core';
import { changeServices } from './endpoints.ts';
import { HUB } from './hub.ts';
import { changesPanel } from './panel.ts';
import { subscribeChanges } from './subscribe.ts';

const UNREAD = { unread: 'feeds of changes are never kept' };

/** The feed of what happens to content, for programs that follow it (`@changes`). */
export const changesFeature = defineFeature({
  name: 'changes',
  services: changeServices,
  panels: [changesPanel],
  tables: [
    { name: 'content_event', changes: UNREAD, left: 'the feed of another site begins anew' },
    { name: 'announced_content', changes: UNREAD, left: 'the new site finds out what it has itself' },
    { name: 'content_feed', changes: UNREAD, left: 'the feed of another site begins anew' },
  ],
  subscribe: subscribeChanges,
  start: (kernel) => kernel.slots.get(HUB).start(),
});
