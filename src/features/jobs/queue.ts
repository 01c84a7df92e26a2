import { randomUUID } from 'node:crypto';
import { claims, type HealthCheck, type Kernel, type Queryable, queue } from '#core';
import { BadRequest, TooManyRequests } from '#lib/errors';
import { countFailedJobs, countWaitingJobs, insertJob, type JobRequest } from './statements/jobs.ts';

/** The queue of jobs. Jobs of a worker that has died are begun again as soon as their lease expires. */
export const JOBS = {
  name: claims.JOB,
  // More than one, so that a long job does not block short ones.
  concurrency: 2,
  pollMs: 30_000,
  minWaitMs: 1000,
  leaseMs: 60_000,
  maxAttempts: 3,
  shutdownMs: 10_000,
} satisfies claims.Kind;

/** Largest number of waiting jobs; more are rejected. */
const MAX_WAITING_JOBS = 1000;
/** Seconds after which clients may try again when the queue is full. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Enqueues a job. The job exists once the transaction `db` is committed, and never when it is rolled back. Returns its id.
 * Throws BadRequest for an unknown action, TooManyRequests while too many jobs wait.
 */
export async function enqueueJob(
  { jobActions }: Pick<Kernel, 'jobActions'>,
  db: Queryable,
  request: JobRequest,
): Promise<string> {
  const action = jobActions.get(request.action);
  if (!action) throw new BadRequest(`There is no job action "${request.action}".`);
  const id = randomUUID();
  if (!(await insertJob(db, { ...request, id, exclusive: action.exclusive }, MAX_WAITING_JOBS)))
    throw new TooManyRequests('Too many jobs wait already. Try again later, or abort some.', RETRY_AFTER_SECONDS);
  return id;
}

/** Seconds for which the check reports a failed job: long enough for a job that runs each night. */
const FAILED_SECONDS = 24 * 3600;
/** Seconds of waiting after which the health check warns. */
const LATE_SECONDS = 300;
/** Maximum number of jobs that the health check counts. */
const MAX_COUNTED_JOBS = 1000;

/** Warns when unblocked jobs wait for long, or have lost their worker. */
export const jobHealth = queue.healthOf('jobs', {
  unit: 'jobs',
  async observe({ db }) {
    const { waiting, late } = await countWaitingJobs(db, { seconds: LATE_SECONDS, limit: MAX_COUNTED_JOBS });
    const problem = `${late} jobs have not been run for more than ${LATE_SECONDS / 60} minutes`;
    return { waiting, problem: late > 0 ? problem : undefined };
  },
});

/** Jobs that failed, unless the same work has succeeded since. */
export const failedJobHealth: HealthCheck = {
  name: 'jobs:failed',
  componentType: 'component',
  keep: 10_000,
  async observe({ db }) {
    const failed = await countFailedJobs(db, { seconds: FAILED_SECONDS, limit: MAX_COUNTED_JOBS });
    const count = failed.reduce((sum, { jobs }) => sum + jobs, 0);
    return {
      status: count > 0 ? 'warn' : 'pass',
      observedValue: count,
      observedUnit: 'jobs within a day',
      ...(count > 0 ? { output: failed.map(({ action, jobs }) => `${action}: ${jobs}`).join('; ') } : {}),
    };
  },
};
