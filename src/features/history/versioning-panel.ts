import type { Panel } from '../../site/panel.ts';
import { whole } from '../../site/panels/setting-forms.ts';

/** How long versions of content are kept. */
export const versioningPanel: Panel = {
  id: 'versioning',
  title: 'Versioning',
  group: 'Content',
  settings: [
    whole('keep', {
      title: 'Versions of each content',
      description: 'Older ones are removed. Empty keeps all.',
      default: null,
      minimum: 1,
      maximum: 1_000_000,
      record: 'canopy.versioning.keep',
    }),
    whole('days', {
      title: 'Days to keep versions',
      description: 'Counted from when the next version replaced them. Empty keeps them for ever.',
      default: null,
      minimum: 1,
      maximum: 36_500,
      record: 'canopy.versioning.days',
    }),
  ],
};
