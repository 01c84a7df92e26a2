import type { Service } from '../../../services/service.ts';
import { deleteScheduledJob } from './delete-scheduled-job.ts';
import { getScheduledJob } from './get-scheduled-job.ts';
import { getScheduledJobActions } from './get-scheduled-job-actions.ts';
import { getScheduledJobs } from './get-scheduled-jobs.ts';
import { patchScheduledJob } from './patch-scheduled-job.ts';
import { postScheduledJob } from './post-scheduled-job.ts';
import { postStart } from './post-start.ts';

export const scheduledJobsServices: Service[] = [
  getScheduledJobs,
  getScheduledJob,
  postScheduledJob,
  patchScheduledJob,
  deleteScheduledJob,
  postStart,
  getScheduledJobActions,
];
