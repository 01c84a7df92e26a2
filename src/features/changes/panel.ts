import { definePanel, panelSettings, type Site, settings } from '#core';
import { DAY_MS } from '#lib/time/milliseconds';

/** The retention of changes, and the maximum number of listeners. */
export const changesPanel = definePanel({
  id: 'changes',
  title: 'Changes and webhooks',
  group: 'Content',
  settings: [
    settings.whole('days', {
      title: 'Days to keep the feed of changes',
      description:
        'A reader that was away for longer reads the whole list of content again. Webhooks can be repeated for as long.',
      default: 30,
      minimum: 1,
      maximum: 3650,
      required: true,
      record: 'canopy.changes.days',
    }),
    settings.whole('listeners', {
      title: 'Most listeners of one process',
      description: 'Clients that may wait for changes at the same time. More get 503 and try again.',
      default: 10_000,
      minimum: 0,
      maximum: 100_000,
      required: true,
      record: 'canopy.changes.listeners',
    }),
    settings.whole('listeners_per_client', {
      title: 'Most listeners of one client',
      description: 'Of them, those of one user, or of one network for visitors. More get 429.',
      default: 100,
      minimum: 0,
      maximum: 100_000,
      required: true,
      record: 'canopy.changes.listeners_per_client',
    }),
  ],
});

/** The moment before which events are removed. */
export const retainedSince = (site: Site, now = Date.now()): Date =>
  new Date(now - panelSettings(site, changesPanel).days * DAY_MS);
