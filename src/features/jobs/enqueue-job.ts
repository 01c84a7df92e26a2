import { randomUUID } from 'node:crypto';
import { BadRequest, TooManyRequests } from '../../lib/errors.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Queryable } from '../../storage/database.ts';
import { insertJob, type JobRequest } from './statements/job-rows.ts';

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
