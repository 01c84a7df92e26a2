import type { Panel } from '../../site/panel.ts';
import { whole } from '../../site/panels/setting-forms.ts';
import { KEPT_DAYS, KEPT_JOBS, MAX_DAYS, MAX_JOBS } from './job-retention.ts';

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
