import type { JobAction } from '../../site/job-actions.ts';
import { purgeOutdated } from './recycle-purge.ts';

/** Removes what is too old for the recycle bin: each deletion does so as well, this is for sites where nobody deletes. */
export const purgeRecyclebin: JobAction = {
  name: 'purge-recyclebin',
  title: 'Remove old entries of the recycle bin',
  description: 'Removes for good what is in the recycle bin for longer than its "retention_period".',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel }) => ({ entries: await purgeOutdated(kernel) }),
};
