import { Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import { defineService, noContent, ok } from '../../services/service.ts';
import { JobBody, jobJson, jobUrl } from './job-json.ts';
import { requireJob } from './need-job.ts';

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
