import type { Panel } from '../../site/panel.ts';
import { flag, whole } from '../../site/panels/setting-forms.ts';
import type { Site } from '../../site/site.ts';

/** What becomes of deleted content. */
export const recyclebinPanel: Panel = {
  id: 'recyclebin',
  title: 'Recycle Bin',
  group: 'Content',
  settings: [
    flag('recycling_enabled', {
      title: 'Keep deleted content',
      description: 'Off: what is deleted is gone at once.',
      default: true,
      record: 'canopy.recyclebin.recycling_enabled',
    }),
    whole('retention_period', {
      title: 'Days to keep it',
      description: '0 keeps it for ever.',
      default: 30,
      minimum: 0,
      maximum: 36_500,
      required: true,
      record: 'canopy.recyclebin.retention_period',
    }),
  ],
};

const DAY = 24 * 60 * 60 * 1000;
/** Days that entries stay unless the site says otherwise (Plone's recycle bin). */
const DEFAULT_DAYS = 30;
/** A hundred years: no calculation leaves the range of dates. */
const MAX_DAYS = 36_500;

const panelOf = (site: Site): Record<string, unknown> => site.settings.get('recyclebin') ?? {};

/** Whether deleted content goes into the recycle bin: setting `recyclebin.recycling_enabled`, on by default. */
export const isRecycling = (site: Site): boolean => panelOf(site).recycling_enabled !== false;

/**
 * The moment before which deletions are purged; undefined when entries stay for ever. The setting
 * `recyclebin.retention_period` is a number of days, 30 by default; 0 is for ever.
 */
export function retainedSince(site: Site, now = Date.now()): Date | undefined {
  const days = panelOf(site).retention_period ?? DEFAULT_DAYS;
  if (typeof days !== 'number' || !Number.isFinite(days) || days <= 0) return undefined;
  return new Date(now - Math.min(days, MAX_DAYS) * DAY);
}
