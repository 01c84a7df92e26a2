import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { NoBody } from '../../../services/no-body.ts';
import { defineService } from '../../../services/service.ts';
import { startScheduledJob } from '../change-scheduled-jobs.ts';
import { jobUrl } from '../job-json.ts';

/** POST `@scheduled-jobs/<id>/start`: starts one now. */
export const postStart = defineService({
  name: '@scheduled-jobs',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Starts a scheduled job now, whether it is enabled or not.',
  rest: ['{id}/start'],
  body: NoBody,
  responses: {
    204: { description: 'The job waits.', headers: { Location: { description: 'Address of the job.' } } },
    400: { description: 'Its action is gone.' },
    404: { description: 'There is no such scheduled job.' },
    429: { description: 'Too many jobs wait.' },
  },
  async run({ kernel, caller, base, rest: [id = ''] }) {
    const job = await startScheduledJob(kernel, { id, actor: caller.id });
    return { status: 204, headers: { Location: jobUrl(base, job) } };
  },
});
