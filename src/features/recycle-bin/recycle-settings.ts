import type { Site } from '../../site/site.ts';

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
