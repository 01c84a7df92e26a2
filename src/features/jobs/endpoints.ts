import { Type } from 'typebox';
import {
  batching,
  defineService,
  has,
  MANAGE_PORTAL,
  noContent,
  ok,
  type Queryable,
  type RequestContext,
  reject,
  requests,
  schemas,
  type Transaction,
} from '#core';
import { Conflict, NotFound } from '#lib/errors';
import { isUuid } from '#lib/text/uuid';
import { JobBody, jobJson, jobUrl } from './job-json.ts';
import { enqueueJob } from './queue.ts';
import { abortJob, findJob, type Job, listJobs, deleteJob as removeJob } from './statements/jobs.ts';

/** Says if the caller sees the jobs of all users. */
const managesJobs = ({ site, caller, resolved }: RequestContext): boolean => has(site, caller, resolved, MANAGE_PORTAL);

/** Id of the user whose jobs the caller sees; undefined for the jobs of all users. Throws Unauthorized for Anonymous. */
function jobOwner(context: RequestContext): string | undefined {
  const { caller } = context;
  if (caller.id === null) reject(caller);
  return managesJobs(context) ? undefined : caller.id;
}

/**
 * The job in the address, for managers and for the user who requested the job; `lockMode` locks it until the transaction `db` ends. Without such a
 * job, managers get NotFound; others get Unauthorized or Forbidden, whether the job exists or not.
 */
async function requireJob(context: RequestContext<{ uuid: string }>, db: Queryable, lockMode = false): Promise<Job> {
  const id = context.params.uuid;
  const actor = jobOwner(context);
  const job = isUuid(id) ? await findJob(db, id, { actor, lockMode }) : undefined;
  if (job) return job;
  if (actor !== undefined) reject(context.caller, 'There is no job of yours with this id.');
  throw new NotFound(`/@jobs/${id}`, 'There is no job with this id.');
}

/** Emits the event of a change of a job; the action of the job identifies it. */
const emitChange = (
  { kernel, caller }: RequestContext<{ uuid: string }>,
  tx: Transaction,
  { id, action }: Job,
  change: string,
): Promise<void> => kernel.events.emit('site.changed', { part: 'job', id, change, names: [action] }, { tx, caller });

/** GET `@jobs`: the jobs that the caller may see. */
export const getJobs = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary:
    'Lists jobs, the newest first: managers see all, others their own. When there are more, the header Link has the address of the next ones.',
  query: Type.Object(batching.Query('jobs', { size: 100, most: 1000 })),
  responses: {
    200: { description: 'A batch of the jobs.', schema: Type.Array(JobBody) },
    401: { description: 'The caller is not logged in.' },
  },
  async run(context) {
    const { db, base, query, searchParams } = context;
    const page = { limit: query.b_size, offset: query.b_start };
    const jobs = await listJobs(db, { actor: jobOwner(context), limit: page.limit + 1, offset: page.offset });
    const headers = jobs.length > page.limit ? batching.nextLink(`${base}/@jobs`, searchParams, page) : {};
    return ok(
      jobs.slice(0, page.limit).map((job) => jobJson(base, job)),
      headers,
    );
  },
});

/** GET `@jobs/<uuid>`: one job. */
export const getJob = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'A job, with how far it is.',
  rest: ['{uuid}'],
  responses: {
    200: {
      description: 'The job.',
      schema: JobBody,
      headers: { Location: { description: 'Address of its result, once it is completed.' } },
    },
    401: { description: 'The caller is not logged in.' },
    403: { description: 'The job belongs to another user.' },
    404: { description: 'There is no such job.' },
  },
  async run(context) {
    const job = await requireJob(context, context.db);
    const headers = job.status === 'completed' ? { Location: `${jobUrl(context.base, job.id)}/result` } : {};
    return ok(jobJson(context.base, job), headers);
  },
});

/** Seconds after which clients may ask again for the result of an unfinished job. */
const RESULT_RETRY_SECONDS = 1;

/** GET `@jobs/<uuid>/result`: the result of a completed job. */
export const getJobResult = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'The result of a job; while it is not over, the job.',
  rest: ['{uuid}/result'],
  responses: {
    200: { description: 'The result.', schema: schemas.AnyObject() },
    202: {
      description: 'It has not ended: ask again.',
      schema: JobBody,
      headers: {
        Location: { description: 'Address of the job.' },
        'Retry-After': { description: 'Seconds to wait.' },
      },
    },
    204: { description: 'It is completed and has no result.' },
    401: { description: 'The caller is not logged in.' },
    403: { description: 'The job belongs to another user.' },
    404: { description: 'There is no such job, or it failed or was aborted.' },
  },
  async run(context) {
    const { base } = context;
    const job = await requireJob(context, context.db);
    if (job.status === 'completed') return job.result ? ok(job.result) : noContent();
    if (job.finished) {
      const why = job.error === null ? 'The job was aborted.' : `The job failed: ${job.error}`;
      throw new NotFound(`/@jobs/${job.id}/result`, `There is no result. ${why}`);
    }
    return {
      status: 202,
      headers: { Location: jobUrl(base, job.id), 'Retry-After': RESULT_RETRY_SECONDS },
      body: jobJson(base, job),
    };
  },
});

/** DELETE `@jobs/<uuid>`: removes a job. */
export const deleteJob = defineService({
  name: '@jobs',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Removes a job that waits or is over.',
  rest: ['{uuid}'],
  responses: {
    204: { description: 'Removed.' },
    401: { description: 'The caller is not logged in.' },
    403: { description: 'The job belongs to another user.' },
    404: { description: 'There is no such job.' },
    409: { description: 'It is running: abort it first.' },
  },
  async run(context) {
    await context.kernel.db.transaction(async (tx) => {
      const job = await requireJob(context, tx, true);
      if (!(await removeJob(tx, job.id))) throw new Conflict('The job is running. Abort it first.');
      await emitChange(context, tx, job, 'removed');
    });
    return noContent();
  },
});

/** POST `@jobs/<uuid>/abort`: aborts a job. */
export const postAbort = defineService({
  name: '@jobs',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Ends a job: at once when it waits, at its next step when it runs. What it has done stays done.',
  rest: ['{uuid}/abort'],
  body: schemas.OpenObject({}, { description: 'Nothing of it is used.' }),
  responses: {
    204: { description: 'It is aborted, or had ended already.' },
    401: { description: 'The caller is not logged in.' },
    403: { description: 'The job belongs to another user.' },
    404: { description: 'There is no such job.' },
  },
  async run(context) {
    await context.kernel.db.transaction(async (tx) => {
      const job = await requireJob(context, tx, true);
      await abortJob(tx, job.id);
      if (!job.finished) await emitChange(context, tx, job, 'aborted');
    });
    return noContent();
  },
});

/** POST `@jobs/<uuid>/retry`: enqueues the same work again. */
export const postRetry = defineService({
  name: '@jobs',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Has the same done again by a new job, in the name of the caller.',
  rest: ['{uuid}/retry'],
  body: schemas.OpenObject({}, { description: 'Nothing of it is used.' }),
  responses: {
    204: { description: 'The new job waits.', headers: { Location: { description: 'Address of the new job.' } } },
    400: { description: 'Its action is gone.' },
    401: { description: 'The caller is not logged in.' },
    403: { description: 'The job belongs to another user, or it had rights that the caller does not have.' },
    404: { description: 'There is no such job.' },
    409: { description: 'It has not ended.' },
    429: { description: 'Too many jobs wait.' },
  },
  async run(context) {
    const { kernel, base, caller } = context;
    const id = await kernel.db.transaction(async (tx) => {
      const job = await requireJob(context, tx, true);
      const asSystem = managesJobs(context);
      // The user who started the job as a Manager may have lost that role since.
      if (job.asSystem && !asSystem) reject(caller);
      if (!job.finished) throw new Conflict('The job is not over. Wait for its end, or abort it first.');
      const { action, params, title, description, scheduledJob } = job;
      await emitChange(context, tx, job, 'retried');
      return enqueueJob(kernel, tx, { action, params, title, description, scheduledJob, actor: caller.id, asSystem });
    });
    return noContent({ Location: jobUrl(base, id) });
  },
});
