import { Type } from 'typebox';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { readBarePage } from '../../../serializer/bare-page.ts';
import { documentedQuery } from '../../../services/openapi/documented.ts';
import { defineService } from '../../../services/service.ts';
import { listScheduledJobs } from '../statements/scheduled-jobs.ts';
import { ScheduledJobBody, scheduledJobJson } from './scheduled-job-json.ts';

const DEFAULT_SIZE = 100;
const MOST = 1000;

/** GET `@scheduled-jobs`: what starts by the clock. */
export const getScheduledJobs = defineService({
  name: '@scheduled-jobs',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists scheduled jobs by id. When there are more, the header Link has the address of the next ones.',
  query: documentedQuery(
    Type.Object({
      b_start: Type.Optional(Type.Integer({ description: 'Scheduled jobs to skip.', default: 0 })),
      b_size: Type.Optional(Type.Integer({ description: 'Most scheduled jobs in the answer.', default: DEFAULT_SIZE })),
    }),
  ),
  responses: { 200: { description: 'A batch of the scheduled jobs.', schema: Type.Array(ScheduledJobBody) } },
  async run({ db, base, searchParams }) {
    const { limit, offset, next } = readBarePage(searchParams, { parameter: 'b_size', size: DEFAULT_SIZE, most: MOST });
    const jobs = await listScheduledJobs(db, { limit: limit + 1, offset });
    const headers = jobs.length > limit ? next(`${base}/@scheduled-jobs`) : {};
    return { status: 200, headers, body: jobs.slice(0, limit).map((job) => scheduledJobJson(base, job)) };
  },
});
