import { defineFeature, outsideCaches } from '#core';
import { cachePurgeServices } from './endpoints.ts';
import { outsideCaching, TAG_SOURCE, TagSource } from './headers.ts';
import { purgeHealth } from './health.ts';
import { cachingPanel } from './panel.ts';
import { startPurges } from './purge-worker.ts';
import { subscribePurges } from './subscribe.ts';
import { placeOfToken } from './token.ts';

/** Headers and purges for caches outside: lifetimes and tags of responses, and notices of changes. */
export const cachingFeature = defineFeature({
  name: 'caching',
  panels: [cachingPanel],
  services: cachePurgeServices,
  healthChecks: [purgeHealth],
  tables: [
    {
      name: 'cache_purge_cursor',
      changes: { unread: 'caches outside are notified from it' },
      left: 'it belongs to the purges of caches',
      local: true,
    },
    {
      name: 'cache_purge_token',
      changes: { unread: 'caches outside are notified from it' },
      key: ['id'],
      sealed: { secret: ({ id }) => placeOfToken(String(id)) },
    },
  ],
  subscribe(kernel) {
    const tags = new TagSource(kernel);
    kernel.slots.set(TAG_SOURCE, tags);
    kernel.slots.set(outsideCaches.SLOT, outsideCaching(tags));
    subscribePurges(kernel);
  },
  start: startPurges,
});
