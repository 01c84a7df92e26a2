import type { Site } from '../../site/site.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Jobs and days unless the site says otherwise. */
export const KEPT_JOBS = 1000;
export const KEPT_DAYS = 30;
/** The most that a site can ask for. */
export const MAX_JOBS = 100_000;
export const MAX_DAYS = 3650;

const positive = (value: unknown, fallback: number, most: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, most) : fallback;

/**
 * Which jobs that have ended the site keeps, by its settings `jobs`: `keep` is the number of the newest, `days` the days that
 * they stay. There is always a limit: anything but a positive whole number counts as unset.
 */
export function jobRetention(site: Site, now = Date.now()): { keep: number; before: Date } {
  const { keep, days } = site.settings.get('jobs') ?? {};
  return {
    keep: positive(keep, KEPT_JOBS, MAX_JOBS),
    before: new Date(now - positive(days, KEPT_DAYS, MAX_DAYS) * DAY),
  };
}
