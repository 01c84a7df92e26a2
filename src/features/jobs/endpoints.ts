import { Type } from 'typebox';
import { reject } from '../../content/permissions.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { readBarePage } from '../../serializer/bare-page.ts';
import { NoBody } from '../../services/no-body.ts';
import { defineService, noContent, ok } from '../../services/service.ts';
import { JobBody, jobJson, jobOwner, jobUrl, managesJobs, requireJob } from './job-json.ts';
import { enqueueJob } from './queue.ts';
import { abortJob, listJobs, deleteJob as removeJob } from './statements/jobs.ts';

const DEFAULT_SIZE = 100;
const MOST = 1000;

/** GET `@jobs`: the jobs that the caller may see. */
export const getJobs = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary:
    'Lists jobs, the newest first: managers see all, others their own. When there are more, the header Link has the address of the next ones.',
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Jobs to skip.', default: 0 })),
    b_size: Type.Optional(Type.Integer({ description: 'Most jobs in the answer.', default: DEFAULT_SIZE })),
  }),
  responses: {
    200: { description: 'A batch of the jobs.', schema: Type.Array(JobBody) },
    401: { description: 'Nobody is logged in.' },
  },
  async run(context) {
    const { db, base, searchParams } = context;
    const { limit, offset, next } = readBarePage(searchParams, { parameter: 'b_size', size: DEFAULT_SIZE, most: MOST });
    const jobs = await listJobs(db, { actor: jobOwner(context), limit: limit + 1, offset });
    const headers = jobs.length > limit ? next(`${base}/@jobs`) : {};
    return { status: 200, headers, body: jobs.slice(0, limit).map((job) => jobJson(base, job)) };
  },
});

/** GET `@jobs/<uuid>`: one job. */
export const getJob = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'A job, with how far it is.',
  rest: ['{uuid}'],
  responses: {
    200: {
      description: 'The job.',
      schema: JobBody,
      headers: { Location: { description: 'Address of its result, once it is completed.' } },
    },
    401: { description: 'Nobody is logged in.' },
    403: { description: 'It is not a job of the caller.' },
    404: { description: 'There is no such job.' },
  },
  async run(context) {
    const job = await requireJob(context, context.db);
    const headers = job.status === 'completed' ? { Location: `${jobUrl(context.base, job.id)}/result` } : {};
    return { status: 200, headers, body: jobJson(context.base, job) };
  },
});

/** Seconds after which to ask again for the result of a job that is not over. */
const RETRY_AFTER = 1;

/** GET `@jobs/<uuid>/result`: what a job has made, once it has. */
export const getJobResult = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'The result of a job; while it is not over, the job.',
  rest: ['{uuid}/result'],
  responses: {
    200: { description: 'The result.', schema: Type.Object({}, { additionalProperties: true }) },
    202: {
      description: 'It is not over: ask again.',
      schema: JobBody,
      headers: {
        Location: { description: 'Address of the job.' },
        'Retry-After': { description: 'Seconds to wait.' },
      },
    },
    204: { description: 'It is completed and has no result.' },
    401: { description: 'Nobody is logged in.' },
    403: { description: 'It is not a job of the caller.' },
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
      headers: { Location: jobUrl(base, job.id), 'Retry-After': RETRY_AFTER },
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
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Removes a job that waits or is over.',
  rest: ['{uuid}'],
  responses: {
    204: { description: 'Removed.' },
    401: { description: 'Nobody is logged in.' },
    403: { description: 'It is not a job of the caller.' },
    404: { description: 'There is no such job.' },
    409: { description: 'It is running: abort it first.' },
  },
  async run(context) {
    await context.kernel.db.transaction(async (tx) => {
      const { id } = await requireJob(context, tx, true);
      if (!(await removeJob(tx, id))) throw new Conflict('The job is running. Abort it first.');
    });
    return noContent();
  },
});

/** POST `@jobs/<uuid>/abort`: ends a job. */
export const postAbort = defineService({
  name: '@jobs',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Ends a job: at once when it waits, at its next step when it runs. What it has done stays done.',
  rest: ['{uuid}/abort'],
  body: NoBody,
  responses: {
    204: { description: 'It ends, or was over already.' },
    401: { description: 'Nobody is logged in.' },
    403: { description: 'It is not a job of the caller.' },
    404: { description: 'There is no such job.' },
  },
  async run(context) {
    await context.kernel.db.transaction(async (tx) => abortJob(tx, (await requireJob(context, tx, true)).id));
    return noContent();
  },
});

/** POST `@jobs/<uuid>/retry`: does the same again. */
export const postRetry = defineService({
  name: '@jobs',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary: 'Has the same done again by a new job, in the name of the caller.',
  rest: ['{uuid}/retry'],
  body: NoBody,
  responses: {
    204: { description: 'The new job waits.', headers: { Location: { description: 'Address of the new job.' } } },
    400: { description: 'Its action is gone.' },
    401: { description: 'Nobody is logged in.' },
    403: { description: 'It is not a job of the caller, or it had rights that the caller has not.' },
    404: { description: 'There is no such job.' },
    409: { description: 'It is not over.' },
    429: { description: 'Too many jobs wait.' },
  },
  async run(context) {
    const { kernel, base, caller } = context;
    const id = await kernel.db.transaction(async (tx) => {
      const job = await requireJob(context, tx, true);
      const asSystem = managesJobs(context);
      // Who started it as a Manager may be none any more.
      if (job.asSystem && !asSystem) reject(caller);
      if (!job.finished) throw new Conflict('The job is not over. Wait for its end, or abort it first.');
      const { action, params, title, description, scheduledJob } = job;
      return enqueueJob(kernel, tx, { action, params, title, description, scheduledJob, actor: caller.id, asSystem });
    });
    return { status: 204, headers: { Location: jobUrl(base, id) } };
  },
});
