import { definePanel, panelSettings, type Site, settings } from '#core';
import { DAY_MS } from '#lib/time/milliseconds';

/** Settings for deleted content. */
export const recyclebinPanel = definePanel({
  id: 'recyclebin',
  title: 'Recycle Bin',
  group: 'Content',
  settings: [
    settings.flag('recycling_enabled', {
      title: 'Keep deleted content',
      description: 'Off: what is deleted is gone at once.',
      default: true,
      record: 'canopy.recyclebin.recycling_enabled',
    }),
    settings.whole('retention_period', {
      title: 'Days to keep it',
      description: '0 keeps it for ever.',
      default: 30,
      minimum: 0,
      maximum: 36_500,
      required: true,
      record: 'canopy.recyclebin.retention_period',
    }),
  ],
});

/** True if deleted content goes into the recycle bin: setting `recyclebin.recycling_enabled`. */
export const isRecycling = (site: Site): boolean => panelSettings(site, recyclebinPanel).recycling_enabled;

/**
 * The moment before which deletions are purged; undefined when entries stay for ever. The setting
 * `recyclebin.retention_period` is a number of days; 0 is for ever.
 */
export function retainedSince(site: Site, now = Date.now()): Date | undefined {
  const days = panelSettings(site, recyclebinPanel).retention_period;
  return days === 0 ? undefined : new Date(now - days * DAY_MS);
}
