import { Conflict } from '../../lib/errors.ts';
import { defineService, noContent } from '../../services/service.ts';
import { requireJob } from './need-job.ts';
import { deleteJob as removeJob } from './statements/job-changes.ts';

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
