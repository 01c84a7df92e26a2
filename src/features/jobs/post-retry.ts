import { reject } from '../../content/permissions.ts';
import { Conflict } from '../../lib/errors.ts';
import { NoBody } from '../../services/no-body.ts';
import { defineService } from '../../services/service.ts';
import { enqueueJob } from './enqueue-job.ts';
import { jobUrl } from './job-json.ts';
import { managesJobs, requireJob } from './need-job.ts';

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
