import { definePanel, panelSettings, type Site, settings } from '#core';
import { DAY_MS } from '#lib/time/milliseconds';

/** The retention of ended jobs. */
export const jobsPanel = definePanel({
  id: 'jobs',
  title: 'Jobs',
  group: 'General',
  settings: [
    settings.whole('keep', {
      title: 'Jobs to keep',
      description: 'Of jobs that have ended, so many of the newest stay.',
      default: 1000,
      minimum: 1,
      maximum: 100_000,
      required: true,
      record: 'canopy.jobs.keep',
    }),
    settings.whole('days', {
      title: 'Days to keep jobs',
      description: 'Counted from their end.',
      default: 30,
      minimum: 1,
      maximum: 3650,
      required: true,
      record: 'canopy.jobs.days',
    }),
  ],
});

/** The ended jobs that the site keeps: the `keep` newest, and jobs that ended after `before`. */
export function jobRetention(site: Site, now = Date.now()): { keep: number; before: Date } {
  const { keep, days } = panelSettings(site, jobsPanel);
  return { keep, before: new Date(now - days * DAY_MS) };
}
