import { randomUUID } from 'node:crypto';
import { BadRequest, TooManyRequests } from '../../lib/errors.ts';
import type { HealthCheck } from '../../site/health-checks.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Queryable } from '../../storage/database.ts';
import { countWaitingJobs, insertJob, type JobRequest } from './statements/jobs.ts';

/** No more jobs than this wait at once. */
const MAX_WAITING = 1000;
/** Seconds after which there may be room again. */
const RETRY_AFTER = 60;

/**
 * Has something done in the background. The job exists once the transaction `db` is committed, and never when it is not.
 * Answers its id. Throws BadRequest for an unknown action, TooManyRequests while too many jobs wait.
 */
export async function enqueueJob(
  { jobActions }: Pick<Kernel, 'jobActions'>,
  db: Queryable,
  request: JobRequest,
): Promise<string> {
  const action = jobActions.get(request.action);
  if (!action) throw new BadRequest(`There is no job action "${request.action}".`);
  const id = randomUUID();
  if (!(await insertJob(db, { ...request, id, exclusive: action.exclusive }, MAX_WAITING)))
    throw new TooManyRequests('Too many jobs wait already. Try again later, or abort some.', RETRY_AFTER);
  return id;
}

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
