import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, ok } from '../../../services/service.ts';
import { requireScheduledJob } from '../change-scheduled-jobs.ts';
import { ScheduledJobBody, scheduledJobJson } from './scheduled-job-json.ts';

/** GET `@scheduled-jobs/<id>`: one of them. */
export const getScheduledJob = defineService({
  name: '@scheduled-jobs',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'A scheduled job.',
  rest: ['{id}'],
  responses: {
    200: { description: 'The scheduled job.', schema: ScheduledJobBody },
    404: { description: 'There is no such scheduled job.' },
  },
  run: async ({ db, base, rest: [id = ''] }) => ok(scheduledJobJson(base, await requireScheduledJob(db, id))),
});
