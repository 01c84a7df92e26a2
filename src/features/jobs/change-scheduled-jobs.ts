import type { Caller, Kernel, Queryable, Site } from '#core';
import { type FieldProblem, NotFound, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { parseJobParams } from './params.ts';
import { enqueueJob } from './queue.ts';
import { nextRun } from './schedule.ts';
import {
  deleteScheduledJob,
  findScheduledJob,
  insertScheduledJob,
  replaceScheduledJob,
  type ScheduledJob,
} from './statements/scheduled-jobs.ts';

/** A new scheduled job; the next run follows from the schedule. The title is the id unless given. */
export type NewScheduledJob = Omit<ScheduledJob, 'nextRun' | 'title'> & { title?: string };
/** The members of a scheduled job that a change sets; the id cannot change. */
export type ScheduledJobChange = Partial<Omit<ScheduledJob, 'nextRun' | 'id'>>;

/** Name of scheduled jobs in `site.changed`. */
const PART = 'scheduled-job';

const missing = (id: string): NotFound =>
  new NotFound(`/@scheduled-jobs/${id}`, 'There is no scheduled job with this id.');

/** The scheduled job with an id; `lockMode` locks it until the transaction ends. Throws NotFound. */
export async function requireScheduledJob(db: Queryable, id: string, lockMode = false): Promise<ScheduledJob> {
  const job = await findScheduledJob(db, id, lockMode);
  if (!job) throw missing(id);
  return job;
}

/** The problems of an action with its params. */
export function actionProblems(
  kernel: Kernel,
  site: Site,
  { action, params }: { action: string; params: JsonObject },
): FieldProblem[] {
  const known = kernel.jobActions.get(action);
  if (!known) {
    const names = kernel.jobActions.all().map(({ name }) => name);
    return [{ field: 'action', message: `must be one of ${names.join(', ')}` }];
  }
  try {
    parseJobParams(known, params, site);
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return error.problems;
    throw error;
  }
}

/** Creates a scheduled job; the schedule must have a next run, and the action must accept the params. Returns undefined when its id is taken. */
export async function addScheduledJob(
  kernel: Kernel,
  caller: Caller,
  { title, ...given }: NewScheduledJob,
  now = new Date(),
): Promise<ScheduledJob | undefined> {
  const next = given.enabled ? (nextRun(given.schedule, now) ?? null) : null;
  const job = { ...given, title: title ?? given.id, nextRun: next };
  return kernel.db.transaction(async (tx) => {
    if (!(await insertScheduledJob(tx, job))) return undefined;
    await kernel.events.emit('site.changed', { part: PART, id: job.id, change: 'created' }, { tx, caller });
    return job;
  });
}

/** Creates a scheduled job for a client. Throws ValidationFailed when the id is taken. */
export async function createScheduledJob(...request: Parameters<typeof addScheduledJob>): Promise<ScheduledJob> {
  const job = await addScheduledJob(...request);
  if (!job) throw new ValidationFailed([{ field: 'id', message: 'is taken by another scheduled job' }]);
  return job;
}

/**
 * Changes the given members of a scheduled job; concurrent changes of other members are kept. Throws
 * NotFound, or ValidationFailed when the action does not take the params.
 */
export async function updateScheduledJob(
  kernel: Kernel,
  {
    site,
    caller,
    id,
    change,
    now = new Date(),
  }: { site: Site; caller: Caller; id: string; change: ScheduledJobChange; now?: Date },
): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    const current = await requireScheduledJob(tx, id, true);
    const job = { ...current, ...change };
    // Params that have become invalid, such as by a removed type, do not prevent a job from being disabled.
    const isChecked = change.action !== undefined || change.params !== undefined;
    const problems = isChecked ? actionProblems(kernel, site, job) : [];
    if (problems.length > 0) throw new ValidationFailed(problems);
    // A due run is not lost when something other than the schedule changes.
    const sameRun = current.schedule === job.schedule ? current.nextRun : null;
    const next = job.enabled ? (sameRun ?? nextRun(job.schedule, now) ?? null) : null;
    await replaceScheduledJob(tx, { ...job, nextRun: next });
    const done = { part: PART, id, change: 'edited', names: Object.keys(change) };
    await kernel.events.emit('site.changed', done, { tx, caller });
  });
}

/** Removes a scheduled job. Jobs that it has started stay. Throws NotFound. */
export async function removeScheduledJob(kernel: Kernel, caller: Caller, id: string): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    if (!(await deleteScheduledJob(tx, id))) throw missing(id);
    await kernel.events.emit('site.changed', { part: PART, id, change: 'removed' }, { tx, caller });
  });
}

/** Starts a scheduled job now, whether or not it is enabled; its schedule stays. Returns the id of the job. Throws NotFound. */
export async function startScheduledJob(
  kernel: Kernel,
  { id, caller }: { id: string; caller: Caller },
): Promise<string> {
  return kernel.db.transaction(async (tx) => {
    const { action, params, title, description } = await requireScheduledJob(tx, id);
    const request = { action, params, title, description, scheduledJob: id, actor: caller.id, asSystem: true };
    const job = await enqueueJob(kernel, tx, request);
    await kernel.events.emit('site.changed', { part: PART, id, change: 'started' }, { tx, caller });
    return job;
  });
}
