import { defineFeature } from '../../services/feature.ts';
import { jobHealth } from './job-health.ts';
import { jobsPanel } from './jobs-panel.ts';
import { scheduledJobsServices } from './scheduled-jobs/services.ts';
import { jobsServices } from './services.ts';

/** Work in the background: a queue, a worker, a clock (`@jobs`, `@scheduled-jobs`). */
export const jobsFeature = defineFeature({
  name: 'jobs',
  services: [...jobsServices, ...scheduledJobsServices],
  panels: [jobsPanel],
  healthChecks: [jobHealth],
});
