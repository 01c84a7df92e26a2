import { defineFeature } from '#core';
import { deleteJob, getJob, getJobResult, getJobs, postAbort, postRetry } from './endpoints.ts';
import { jobsPanel } from './panel.ts';
import { failedJobHealth, jobHealth } from './queue.ts';
import { scheduledJobsServices } from './scheduled-jobs.ts';

/** Work in the background: a queue, a worker and cron schedules (`@jobs`, `@scheduled-jobs`). */
export const jobsFeature = defineFeature({
  name: 'jobs',
  services: [getJobs, getJob, getJobResult, deleteJob, postAbort, postRetry, ...scheduledJobsServices],
  panels: [jobsPanel],
  tables: [
    { name: 'scheduled_job', changes: { unread: 'jobs are never kept' }, key: ['id'] },
    { name: 'job', changes: { unread: 'jobs are never kept' }, left: 'the old site does its work itself' },
  ],
  healthChecks: [jobHealth, failedJobHealth],
});
