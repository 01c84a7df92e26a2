import type { JobAction } from '../../site/job-actions.ts';
import { pruneVersions } from './version-prune.ts';

/** Removes the versions that the settings of the panel `versioning` do not keep. */
export const pruneVersionsAction: JobAction = {
  name: 'prune-versions',
  title: 'Remove old versions',
  description: 'Removes the versions that the settings of the panel "versioning" do not keep.',
  schema: { fieldsets: [{ id: 'default', title: 'Default', fields: [] }], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel }) => ({ versions: await pruneVersions(kernel) }),
};
