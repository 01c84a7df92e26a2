import { defineService } from '../service.ts';
import { JobBody, jobJson, jobUrl } from './job-json.ts';
import { needJob } from './need-job.ts';

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
  async run(call) {
    const job = await needJob(call, call.db);
    const headers = job.status === 'completed' ? { Location: `${jobUrl(call.base, job.id)}/result` } : {};
    return { status: 200, headers, body: jobJson(call.base, job) };
  },
});
