import type { Panel } from '../../site/panel.ts';
import { whole } from '../../site/panels/setting-forms.ts';
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

/** How long jobs that have ended are kept. */
export const jobsPanel: Panel = {
  id: 'jobs',
  title: 'Jobs',
  group: 'General',
  settings: [
    whole('keep', {
      title: 'Jobs to keep',
      description: 'Of jobs that have ended, so many of the newest stay.',
      default: KEPT_JOBS,
      minimum: 1,
      maximum: MAX_JOBS,
      required: true,
      record: 'canopy.jobs.keep',
    }),
    whole('days', {
      title: 'Days to keep jobs',
      description: 'Counted from their end.',
      default: KEPT_DAYS,
      minimum: 1,
      maximum: MAX_DAYS,
      required: true,
      record: 'canopy.jobs.days',
    }),
  ],
};
