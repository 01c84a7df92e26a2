import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { updateScheduledJob } from '../change-scheduled-jobs.ts';
import { ScheduledJobChange } from './scheduled-job-json.ts';

/** PATCH `@scheduled-jobs/<id>`: changes one. */
export const patchScheduledJob = defineService({
  name: '@scheduled-jobs',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes the members of a scheduled job that the body names; `params` as a whole.',
  rest: ['{id}'],
  body: ScheduledJobChange,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, in `error.errors`.' },
    404: { description: 'There is no such scheduled job.' },
  },
  async run({ kernel, site, rest: [id = ''], body }) {
    await updateScheduledJob(kernel, { site, id, input: body });
    return noContent();
  },
});
