import { NotFound, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import type { Queryable } from '../../storage/database.ts';
import { enqueueJob } from './queue.ts';
import { readScheduledJob } from './read-scheduled-job.ts';
import {
  deleteScheduledJob,
  findScheduledJob,
  insertScheduledJob,
  replaceScheduledJob,
  type ScheduledJob,
} from './statements/scheduled-jobs.ts';

const missing = (id: string): NotFound =>
  new NotFound(`/@scheduled-jobs/${id}`, 'There is no scheduled job with this id.');

/** The scheduled job with an id; `hold` keeps it as it is until the transaction ends. Throws NotFound. */
export async function requireScheduledJob(db: Queryable, id: string, lockMode = false): Promise<ScheduledJob> {
  const job = await findScheduledJob(db, id, lockMode);
  if (!job) throw missing(id);
  return job;
}

/** Makes a scheduled job. Throws ValidationFailed, also when the id is taken. */
export async function createScheduledJob(
  kernel: Kernel,
  { site, input, now = new Date() }: { site: Site; input: JsonObject; now?: Date },
): Promise<ScheduledJob> {
  const job = readScheduledJob(kernel, site, { input, now });
  if (!(await insertScheduledJob(kernel.db, job)))
    throw new ValidationFailed([{ field: 'id', message: 'is taken by another scheduled job' }]);
  return job;
}

/** Changes what the body names; nothing else that others change at the same time is lost. Throws NotFound, ValidationFailed. */
export async function updateScheduledJob(
  kernel: Kernel,
  { site, id, input, now = new Date() }: { site: Site; id: string; input: JsonObject; now?: Date },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const current = await requireScheduledJob(tx, id, true);
    await replaceScheduledJob(tx, readScheduledJob(kernel, site, { input, current, now }));
  });
}

/** Removes a scheduled job. Jobs that it has started stay. Throws NotFound. */
export async function removeScheduledJob(db: Queryable, id: string): Promise<void> {
  if (!(await deleteScheduledJob(db, id))) throw missing(id);
}

/** Starts a scheduled job now, whether it is enabled or not; its schedule stays. Answers the id of the job. Throws NotFound. */
export async function startScheduledJob(
  kernel: Kernel,
  { id, actor }: { id: string; actor: string | null },
): Promise<string> {
  return kernel.db.transaction(async (tx) => {
    const { action, params, title, description } = await requireScheduledJob(tx, id);
    return enqueueJob(kernel, tx, { action, params, title, description, scheduledJob: id, actor, asSystem: true });
  });
}
