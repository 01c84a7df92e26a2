import type { FeatureSchedule, JobAction } from 'canopy-server';
import { forgetRatings } from './ratings.ts';

/** The job action `example-forget`, which Managers start or schedule: see `@jobs`. */
export const forgetJob: JobAction = {
  name: 'example-forget',
  title: 'Forget old ratings',
  description: 'Removes ratings that are older than some days.',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['days'] }],
    properties: { days: { title: 'Days', type: 'integer', factory: 'Integer', minimum: 0 } },
    required: ['days'],
  },
  exclusive: true,
  run: async ({ kernel, params }) => ({ removed: await forgetRatings(kernel.db, Number(params.days)) }),
};

/** Forgets ratings after a year, every night. A Manager changes it in `@scheduled-jobs`. */
export const forgetSchedule: FeatureSchedule = {
  id: 'example-forget',
  title: 'Forget ratings of last year',
  action: forgetJob.name,
  params: { days: 365 },
  schedule: '0 3 * * *',
};
