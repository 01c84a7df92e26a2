import type { Panel } from '../../site/panel.ts';
import { flag, whole } from '../../site/panels/setting-forms.ts';

/** What becomes of deleted content. */
export const recyclebinPanel: Panel = {
  id: 'recyclebin',
  title: 'Recycle Bin',
  group: 'Content',
  settings: [
    flag('recycling_enabled', {
      title: 'Keep deleted content',
      description: 'Off: what is deleted is gone at once.',
      default: true,
      record: 'canopy.recyclebin.recycling_enabled',
    }),
    whole('retention_period', {
      title: 'Days to keep it',
      description: '0 keeps it for ever.',
      default: 30,
      minimum: 0,
      maximum: 36_500,
      required: true,
      record: 'canopy.recyclebin.retention_period',
    }),
  ],
};
