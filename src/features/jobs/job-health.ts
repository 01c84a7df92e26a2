import type { HealthCheck } from '../../site/health-checks.ts';
import { countWaitingJobs } from './statements/job-changes.ts';

/** Seconds after which a job that waits needs somebody to look. */
const LATE = 300;
/** No more are counted. */
const MOST = 1000;

/** The job queue: how many wait; a warning when some wait long although no other job keeps them, or have lost their worker. */
export const jobHealth: HealthCheck = {
  name: 'jobs:waiting',
  componentType: 'component',
  keep: 10_000,
  async observe({ db }) {
    const { waiting, late } = await countWaitingJobs(db, { seconds: LATE, limit: MOST });
    return {
      status: late > 0 ? 'warn' : 'pass',
      observedValue: waiting,
      observedUnit: 'jobs',
      ...(late > 0 ? { output: `${late} jobs have not been run for more than ${LATE / 60} minutes` } : {}),
    };
  },
};
