import { defineService } from '../../services/service.ts';
import { JobBody, jobJson, jobUrl } from './job-json.ts';
import { requireJob } from './need-job.ts';

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
