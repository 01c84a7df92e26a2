import type { Service } from '../../services/service.ts';
import { deleteJob } from './delete-job.ts';
import { getJob } from './get-job.ts';
import { getJobResult } from './get-job-result.ts';
import { getJobs } from './get-jobs.ts';
import { postAbort } from './post-abort.ts';
import { postRetry } from './post-retry.ts';

export const jobsServices: Service[] = [getJobs, getJob, getJobResult, deleteJob, postAbort, postRetry];
