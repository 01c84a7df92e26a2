import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService } from '../../../services/service.ts';
import { createScheduledJob } from '../change-scheduled-jobs.ts';
import { NewScheduledJob, ScheduledJobBody, scheduledJobJson, scheduledJobUrl } from './scheduled-job-json.ts';

/** POST `@scheduled-jobs`: a new one. */
export const postScheduledJob = defineService({
  name: '@scheduled-jobs',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Creates a scheduled job.',
  body: NewScheduledJob,
  responses: {
    201: {
      description: 'The new scheduled job.',
      schema: ScheduledJobBody,
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'A problem for each field, in `error.errors`.' },
  },
  async run({ kernel, site, base, body }) {
    const job = await createScheduledJob(kernel, { site, input: body });
    return { status: 201, headers: { Location: scheduledJobUrl(base, job.id) }, body: scheduledJobJson(base, job) };
  },
});
