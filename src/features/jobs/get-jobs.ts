import { Type } from 'typebox';
import { readBarePage } from '../../serializer/bare-page.ts';
import { defineService } from '../../services/service.ts';
import { JobBody, jobJson } from './job-json.ts';
import { jobOwner } from './need-job.ts';
import { listJobs } from './statements/job-rows.ts';

const DEFAULT_SIZE = 100;
const MOST = 1000;

/** GET `@jobs`: the jobs that the caller may see. */
export const getJobs = defineService({
  name: '@jobs',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: ({ caller }) => caller.id !== null,
  summary:
    'Lists jobs, the newest first: managers see all, others their own. When there are more, the header Link has the address of the next ones.',
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Jobs to skip.', default: 0 })),
    b_size: Type.Optional(Type.Integer({ description: 'Most jobs in the answer.', default: DEFAULT_SIZE })),
  }),
  responses: {
    200: { description: 'A batch of the jobs.', schema: Type.Array(JobBody) },
    401: { description: 'Nobody is logged in.' },
  },
  async run(context) {
    const { db, base, searchParams } = context;
    const { limit, offset, next } = readBarePage(searchParams, { parameter: 'b_size', size: DEFAULT_SIZE, most: MOST });
    const jobs = await listJobs(db, { actor: jobOwner(context), limit: limit + 1, offset });
    const headers = jobs.length > limit ? next(`${base}/@jobs`) : {};
    return { status: 200, headers, body: jobs.slice(0, limit).map((job) => jobJson(base, job)) };
  },
});
