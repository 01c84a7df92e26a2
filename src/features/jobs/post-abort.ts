import { NoBody } from '../../services/no-body.ts';
import { defineService, noContent } from '../../services/service.ts';
import { requireJob } from './need-job.ts';
import { abortJob } from './statements/job-changes.ts';

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
